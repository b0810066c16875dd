import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  // These tests cut a mounted ext4 off from its loop device.
  @Suite struct `A power cut` {
    /// The options with which ext4 is mounted, and the mode of the power cut.
    ///
    /// `noauto_da_alloc,data=writeback` makes ext4 hide as few mistakes as it can. Mode 2 loses everything
    /// that was not synchronised. Mode 1 keeps the journal and loses the rest, which empties files that were
    /// renamed too early.
    static let circumstances = [
      ("commit=300", 2), ("commit=300,noauto_da_alloc,data=writeback", 2),
      ("commit=300,noauto_da_alloc,data=writeback", 1),
    ]

    @Test(.needs(.strace, .loop, .compiler), arguments: FaultOperation.all)
    func `A power cut after any system call leaves the old or the new state`(
      operation: FaultOperation
    ) throws {
      var ledger = Ledger("power cuts after every system call of \(operation.testDescription)")
      let disk = try PowerCutDisk(for: operation)
      let calls = try disk.calls(of: operation).filter(\.canReachTheDisk)
      let index = try #require(
        FaultOperation.all.firstIndex { $0.testDescription == operation.testDescription })
      for (turn, (options, mode)) in Self.circumstances.enumerated() {
        // Before each call, and after the last one; with a stride, also before the first one.
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
    func `A power cut loses data that was not synchronised`() throws {
      let operation = FaultOperation.replace
      let disk = try PowerCutDisk(for: operation)
      try disk.mount("commit=300")
      let path = disk.scene.directory
      // First nothing is synchronised; then the cut keeps the journal.
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
