import Testing

extension FaultSuite {
  @Suite struct `A migration that is killed` {
    @Test(.needs(.strace))
    func `A migration that is killed at any system call leaves the old or new archive`()
      throws
    {
      let scene = try Scene()
      let operation = try FaultOperation.migration()
      var ledger = Ledger("SIGKILL at every system call of a migration")
      for call in try SystemCall.all(of: operation, in: scene) {
        try scene.reset(for: operation)
        let command = try call.kill(operation, in: scene)
        guard let outcome = try scene.outcome(of: operation, call.description) else { continue }
        ledger.count(outcome)
        let hasReturned = command.output.contains("returned")
        #expect(hasReturned == call.isAfterReturn)
        #expect(!hasReturned || outcome == .new, "\(call.description)")
      }
      #expect(ledger[.old] > 0 && ledger[.new] > 0, "a migration has both outcomes")
      ledger.note("strays collected", scene.strayCount)
      #expect(scene.strayCount > 0)
      try ledger.close()
    }
  }
}
