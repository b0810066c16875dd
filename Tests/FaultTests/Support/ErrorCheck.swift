import Testing

/// Checks the files that an operation left when it ended without being killed.
enum ErrorCheck {
  /// A reported failure has changed nothing, unless its code says otherwise.
  static func check(
    _ command: Command, of operation: FaultOperation, in scene: Scene, _ comment: String
  ) throws -> String {
    let content = try DirectoryContent(of: scene.directory, key: scene.key)
    #expect(content.strays == [], "\(comment)")
    let outcome = operation.outcome(of: content)
    switch command.status {
    case 0:
      #expect(outcome == .new, "\(comment)")
      return "success, new"
    case 1 where command.output.contains("failed durabilityUnknown"):
      // With several levels of directories, the first one whose parent cannot be synchronised stops the
      // operation.
      #expect(
        outcome == .new || outcome == .between && operation.isStepwise, "\(comment)")
      return "durability unknown, new"
    case 1:
      #expect(command.output.contains("failed "), "\(comment)")
      #expect(
        outcome == .old || outcome == .between && operation.isStepwise, "\(comment)")
      return "error, old"
    default:
      Issue.record("\(comment): ended with \(command.status) \(command.error)")
      return "crash"
    }
  }
}
