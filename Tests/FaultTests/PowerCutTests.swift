import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  // On ext4 on a loop device, cut off from it.
  @Suite struct `A power cut` {
    /// How ext4 is mounted, and what of the past it still gets to write.
    ///
    /// `noauto_da_alloc,data=writeback` hides as few mistakes as ext4 can. Mode 2 loses everything
    /// that was not synchronised; mode 1 keeps the journal and loses the rest, which is what turns
    /// files that were renamed too early into empty ones.
    static let circumstances = [
      ("commit=300", 2), ("commit=300,noauto_da_alloc,data=writeback", 2),
      ("commit=300,noauto_da_alloc,data=writeback", 1),
    ]

    @Test(.needs(.strace, .loop, .compiler), arguments: FaultOperation.all)
    func `leaves the old state or the new one after every system call`(
      operation: FaultOperation
    ) throws {
      var ledger = Ledger("power cuts after every system call of \(operation.testDescription)")
      let disk = try PowerCutDisk(for: operation)
      let calls = try disk.calls(of: operation).filter(\.canReachTheDisk)
      let index = try #require(
        FaultOperation.all.firstIndex { $0.testDescription == operation.testDescription })
      for (turn, (options, mode)) in Self.circumstances.enumerated() {
        // Before each call, and after the last one of all; the first one also where it is not sampled.
        var offsets = Array(
          FaultSettings.offsets(count: calls.count, of: index * Self.circumstances.count + turn))
        if turn == 0, offsets.first != 0 { offsets.insert(0, at: 0) }
        for call in offsets.map({ calls[$0] }) + [nil] {
          let comment = "\(options), mode \(mode), before \(call?.description ?? "nothing")"
          try disk.mount(options)
          let command = try call?.kill(operation, in: disk.scene) ?? disk.scene.run(operation)
          try disk.cutPower(mode: mode)
          try disk.mount("defaults")
          let outcome = try disk.scene.outcome(of: operation, comment)
          try disk.unmount()
          guard let outcome else { continue }
          ledger.count(outcome)
          let hasReturned = command.output.contains("returned")
          #expect(hasReturned || call != nil, "\(comment)")
          #expect(!hasReturned || outcome == .new, "\(comment)")
        }
      }
      #expect(ledger[.old] > 0 && ledger[.new] > 0)
      ledger.note("strays collected", disk.scene.strayCount)
      try ledger.close()
    }

    @Test(.needs(.loop, .compiler))
    func `is a real one: it takes what was not synchronised`() throws {
      let operation = FaultOperation.replace
      let disk = try PowerCutDisk(for: operation)
      try disk.mount("commit=300")
      let path = disk.scene.directory
      // Without synchronising anything, and then the file but not its directory.
      try Command.succeed("sh", "-c", "cd \(path) && echo new > other && mv other state")
      try disk.cutPower(mode: 2)
      try disk.mount("defaults")
      #expect(try disk.scene.outcome(of: operation, "nothing synchronised") == .old)
      try disk.unmount()

      try disk.mount("commit=300,noauto_da_alloc,data=writeback")
      try Command.succeed("sh", "-c", "cd \(path) && echo new > other && mv other state")
      try disk.cutPower(mode: 1)
      try disk.mount("defaults")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/state")).isEmpty)
      try disk.unmount()
    }
  }
}
