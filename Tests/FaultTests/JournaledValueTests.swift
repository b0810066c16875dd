import Foundation
import Keepsake
import Testing

extension FaultSuite {
  /// Spec/state.md, section 7, on a disk that loses power.
  @Suite struct `A journaled value on a disk` {
    @Test(
      .needs(.strace, .loop, .compiler),
      arguments: [StateCase.updateJournaled, .compactJournaled])
    func `A power cut before any system call leaves a journaled value with its old or new changes`(
      subject: StateCase
    ) throws {
      var ledger = Ledger("power cuts before every system call of \(subject.testDescription)")
      let disk = try PowerCutDisk { try subject.prepare($0.directory) }
      let calls = try disk.calls(of: subject.operation).filter(\.canReachTheDisk)
      for (turn, (options, mode)) in `A power cut`.circumstances.enumerated() {
        let offsets = FaultSettings.offsets(count: calls.count, of: turn)
        var cuts: [SystemCall?] = [calls.first, nil]
        cuts += offsets.map { calls[$0] }
        for call in cuts {
          let comment = "\(options), mode \(mode), before \(call?.description ?? "nothing")"
          try disk.mount(options)
          let command =
            try call?.kill(subject.operation, in: disk.scene) ?? disk.scene.run(subject.operation)
          try disk.cutPower(mode: mode)
          try disk.mount("defaults")
          let found = try subject.found(in: disk.scene.directory)
          #expect([subject.old, subject.new].contains(found), "\(comment)")
          let hasReturned = command.output.contains("returned")
          #expect(hasReturned || call != nil, "\(comment): \(command.output)")
          #expect(!hasReturned || found == subject.new, "\(comment)")
          if found == subject.old {
            let again = try disk.scene.run(subject.operation)
            #expect(again.status == 0, "\(comment): again: \(again.output)")
            #expect(try subject.found(in: disk.scene.directory) == subject.new, "\(comment)")
          }
          ledger.count(found == subject.new ? .new : .old)
          try disk.unmount()
        }
      }
      #expect(ledger[.old] > 0 && ledger[.new] > 0)
      try ledger.close()
    }
  }
}
