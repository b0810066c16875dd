import Testing

/// What an operation that ended by itself may have left.
enum ErrorCheck {
  /// A failure that is said changes nothing, unless it is said to have changed something.
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
      // Several levels of directories: the first whose parent cannot be synchronised ends it.
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
