import Testing

extension FaultSuite {
  // The process dies at each system call.
  @Suite struct `A process that is killed` {
    @Test(.needs(.strace), arguments: FaultOperation.all)
    func `A process that is killed at any system call leaves the old or the new state`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      var ledger = Ledger("SIGKILL at every system call of \(operation.testDescription)")
      for call in try SystemCall.all(of: operation, in: scene) {
        try scene.reset(for: operation)
        let command = try call.kill(operation, in: scene)
        guard let outcome = try scene.outcome(of: operation, call.description) else { continue }
        ledger.count(outcome)
        let hasReturned = command.output.contains("returned")
        #expect(hasReturned == call.isAfterReturn)
        #expect(!hasReturned || outcome == .new, "\(call.description)")
      }
      #expect(ledger[.old] > 0 && ledger[.new] > 0, "every operation has both outcomes")
      ledger.note("strays collected", scene.strayCount)
      if operation.leavesStrays { #expect(scene.strayCount > 0) }
      try ledger.close()
    }
  }
}
