import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  @Suite struct `A file system that keeps only what it must` {
    /// Writes a state of the model into the directory, and reads it.
    private func outcome(
      of state: DiskModel.State, _ operation: FaultOperation, in scene: Scene
    ) throws -> Outcome? {
      try scene.reset(for: operation)
      let content = Data(state.content)
      if state.hasTemporaryName {
        try content.write(
          to: URL(fileURLWithPath: scene.directory + "/.0123456789abcdef.sealtmp"))
      }
      if state.targetIsNew {
        try content.write(to: URL(fileURLWithPath: scene.directory + "/state"))
      }
      guard let found = try? DirectoryContent(of: scene.directory, key: scene.key) else {
        return nil
      }
      return operation.outcome(of: found)
    }

    private func model(of operation: FaultOperation, in scene: Scene) throws -> DiskModel {
      let calls = try SystemCall.all(of: operation, in: scene)
      let bytes = try DurableFile.read(at: scene.directory + "/state", upTo: 1 << 20)
      let model = try DiskModel(calls, bytes: bytes)
      try #require(model.steps.count >= 5, "\(model.steps)")
      return model
    }

    // Holds [S-113].
    @Test(
      .needs(.strace),
      arguments: [FaultOperation.seal, .firstSeal, .smallReplace, .create])
    func `A crash after any step leaves the old file or the new one`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      let model = try model(of: operation, in: scene)
      var ledger = Ledger("reordered and torn states of \(operation.testDescription)")
      for count in 0...model.steps.count {
        for state in model.states(after: count) {
          let found = try outcome(of: state, operation, in: scene)
          #expect(found != nil, "after \(count) of \(model.steps): torn")
          if count == model.steps.count { #expect(found == .new) }
          if let found { ledger.count(found) }
        }
      }
      try ledger.close()
    }

    // The model has one directory, in which the order of the two names makes no difference.
    @Test(.needs(.strace), arguments: ["move", "move-entry"])
    func `A move to another directory makes the new name durable before it removes the old one`(
      operation: String
    ) throws {
      let scene = try Scene()
      let (old, new) = (scene.directory + "/old", scene.directory + "/new")
      for directory in [old, new] { try DurableFile.createDirectory(at: directory) }
      try DurableFile.replace(at: old + "/state", with: [1].span)
      let command = try Command.run(
        ["strace", "-f", "-y", "-e", "trace=fsync,fdatasync"]
          + [Scene.subject, operation, old + "/state", new + "/moved"])
      #expect(command.status == 0, "\(command.error)")
      let synchronised = command.error.split(separator: "\n").filter { $0.contains("sync(") }
      #expect(synchronised.count == 2, "\(synchronised)")
      #expect(synchronised.first?.contains("<\(new)>") == true, "\(synchronised)")
      #expect(synchronised.last?.contains("<\(old)>") == true, "\(synchronised)")
    }

    // The model detects protocols that omit a step.
    @Test(.needs(.strace))
    func `A file that is renamed before it is synchronised can be torn`() throws {
      let scene = try Scene()
      let operation = FaultOperation.seal
      let right = try model(of: operation, in: scene)
      let hasty = DiskModel(
        steps: right.steps.filter { $0 != .synchronizeFile }, bytes: right.bytes)
      let torn = try hasty.states(after: hasty.steps.count).filter {
        try outcome(of: $0, operation, in: scene) == nil
      }
      #expect(!torn.isEmpty)
      let careless = DiskModel(
        steps: right.steps.filter { $0 != .synchronizeDirectory }, bytes: right.bytes)
      let lost = try careless.states(after: careless.steps.count).filter {
        try outcome(of: $0, operation, in: scene) == .old
      }
      #expect(!lost.isEmpty)
    }
  }
}
