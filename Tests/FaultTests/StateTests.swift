import Foundation
import Keepsake
import Testing

extension FaultSuite {
  /// Spec/state.md, from the view of the next launch.
  @Suite struct `An operation on a state directory` {
    /// The errors of calls that change something, and of calls whose failure could be taken for an empty
    /// answer.
    static let errors: [String: [String]] = [
      "openat": ["EIO", "EMFILE", "EACCES"],
      "newfstatat": ["EIO", "EACCES"],
      "getdents64": ["EIO", "ENOMEM"],
      "flock": ["EIO", "ENOLCK", "EOPNOTSUPP"],
      "fchmod": ["EIO", "EPERM"],
      "pwrite64": ["ENOSPC", "EIO"],
      "fsync": ["EIO", "ENOSPC"], "fdatasync": ["EIO"],
      "renameat": ["ENOSPC", "EIO"],
      "renameat2": ["ENOSPC", "EIO"],
      "linkat": ["ENOSPC", "EIO"],
      "unlinkat": ["EIO", "EBUSY"],
      "mkdirat": ["ENOSPC", "EIO"],
      "pread64": ["EIO"],
    ]

    /// A stage that starts from the same files each time.
    private struct Stage {
      let scene: Scene
      let subject: StateCase
      private let template: String

      init(_ subject: StateCase) throws {
        scene = try Scene()
        self.subject = subject
        template = scene.root + "/template"
        try DurableFile.createDirectory(at: template)
        try subject.prepare(template)
        try reset()
        try #require(try subject.found(in: scene.directory) == subject.old)
      }

      func reset() throws {
        try? FileManager.default.removeItem(atPath: scene.directory)
        try Command.succeed("cp", "-a", template, scene.directory)
      }

      /// The calls at which faults are made; with `sampled` false, all calls at which they could be made.
      ///
      /// The first one is always among them, since a fault there leaves the old state.
      func calls(sampled: Bool = true) throws -> [SystemCall] {
        try reset()
        // The scene is not reset here: `reset(for:)` would empty it.
        let calls = try SystemCall.all(of: subject.operation, in: scene, resetting: false)
        #expect(try subject.found(in: scene.directory) == subject.new)
        let breakable = calls.filter { !$0.isAfterReturn && errors[$0.name] != nil }
        guard sampled else { return breakable }
        let turn = StateCase.all.firstIndex { $0.testDescription == subject.testDescription }
        let offsets = FaultSettings.offsets(count: breakable.count, of: turn)
        return Set(offsets).union(breakable.isEmpty ? [] : [0]).sorted().map { breakable[$0] }
      }

      /// The outcome that a launch finds; then calls the operation again, which must complete it.
      func outcome(_ comment: String) throws -> Outcome? {
        let found = try subject.found(in: scene.directory)
        let outcome: Outcome? =
          switch found {
          case subject.new: .new
          case subject.old: .old
          default: subject.allowsPart(found) ? .between : nil
          }
        guard let outcome else {
          Issue.record("\(comment): found \(found)")
          return nil
        }
        if outcome != .new {
          let again = try scene.run(subject.operation)
          #expect(again.status == 0, "\(comment): again: \(again.output)")
          #expect(try subject.found(in: scene.directory) == subject.new, "\(comment): again")
        }
        return outcome
      }
    }

    @Test(.needs(.strace), arguments: StateCase.all)
    func `A killed operation is found done or undone, and can be repeated`(
      subject: StateCase
    ) throws {
      let stage = try Stage(subject)
      var ledger = Ledger("SIGKILL at system calls of \(subject.testDescription)")
      for call in try stage.calls() {
        try stage.reset()
        _ = try call.kill(subject.operation, in: stage.scene)
        if let outcome = try stage.outcome(call.description) { ledger.count(outcome) }
      }
      #expect(ledger[.old] > 0)
      try ledger.close()
    }

    @Test(.needs(.strace), arguments: StateCase.all)
    func `An operation never reports success after a failure that prevented it`(
      subject: StateCase
    ) throws {
      let stage = try Stage(subject)
      var ledger = Ledger("errors at system calls of \(subject.testDescription)")
      for call in try stage.calls() {
        for error in Self.errors[call.name] ?? [] {
          try stage.reset()
          let command = try call.fail(subject.operation, in: stage.scene, with: error)
          let comment = "\(error) at \(call.description): \(command.output)"
          guard let outcome = try stage.outcome(comment) else { continue }
          switch command.status {
          case 0: #expect(outcome == .new, "\(comment)")
          case 1:
            #expect(command.output.contains("failed "), "\(comment)")
            #expect(Self.isHonest(command.output, outcome), "\(comment)")
          default: Issue.record("\(comment): ended with \(command.status) \(command.error)")
          }
          ledger.count((command.status == 0 ? "success, " : "error, ") + outcome.rawValue)
        }
      }
      try ledger.close()
    }

    /// True when the error of an operation states correctly what had been done.
    private static func isHonest(_ output: String, _ outcome: Outcome) -> Bool {
      let saysUnchanged =
        output.contains("unchanged") || output.contains("Nothing was saved")
      let saysChanged =
        output.contains("failed durabilityUnknown") || output.contains("failed pinNotKept")
        || output.contains("this failed:")
      return switch outcome {
      case .old: true
      case .between: !saysUnchanged
      case .new: !saysUnchanged && saysChanged
      }
    }

    @Test(.needs(.strace), arguments: [StateCase.save, .pinnedSave])
    func `A failed synchronisation of the directory reports that the state is in place`(
      subject: StateCase
    ) throws {
      let stage = try Stage(subject)
      let calls = try stage.calls(sampled: false)
      let renaming = try #require(calls.firstIndex { $0.name.hasPrefix("renameat") })
      let synchronising = try #require(calls[renaming...].first { $0.name == "fsync" })
      try stage.reset()
      let command = try synchronising.fail(subject.operation, in: stage.scene, with: "EIO")
      #expect(command.output.contains("failed durabilityUnknown 5 fsync"), "\(command.output)")
      #expect(command.output.contains("is in place"))
      #expect(try subject.found(in: stage.scene.directory) == subject.new)
    }

    @Test(.needs(.strace)) func `A directory that cannot be read is not taken for an empty one`()
      throws
    {
      let stage = try Stage(.discard)
      let list = FaultOperation("list", ["session-list", "%"], from: [:], to: [:])
      try stage.reset()
      let calls = try SystemCall.all(of: list, in: stage.scene, resetting: false)
        .filter { $0.name == "getdents64" }
      try #require(!calls.isEmpty)
      for call in calls {
        let command = try call.fail(list, in: stage.scene, with: "EIO")
        let isHonest =
          command.output.contains("listed 2") || command.output.contains("failed storeUnavailable")
        #expect(isHonest, "\(call.description): \(command.output)")
      }
    }
  }
}
