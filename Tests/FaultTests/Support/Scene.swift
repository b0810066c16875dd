import Foundation
import KeepsakeSeal
import Testing

/// A directory in which the subject works, with its keys.
final class Scene {
  let root: String
  let directory: String
  let key: SealKey
  /// The number of temporary files that were left for the next writer to collect.
  private(set) var strayCount = 0
  let identity: X25519Identity

  /// Makes a scene; `directory` may be elsewhere, for example on a separate file system.
  init(directory: String? = nil) throws {
    root = FileManager.default.temporaryDirectory.path + "/keepsake-faults-" + UUID().uuidString
    try DurableFile.createDirectory(at: root)
    self.directory = directory ?? root + "/work"
    key = try SealKey.create(at: root + "/key")
    identity = try X25519Identity.create(at: root + "/identity")
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// The environment of the subject.
  var environment: [String: String] {
    ["KEEPSAKE_FAULT_KEY": root + "/key", "KEEPSAKE_FAULT_IDENTITY": root + "/identity"]
  }

  /// The subject's program, in the folder of the program that runs the tests.
  static var subject: String {
    get throws {
      let directory = try #require(Bundle.main.executableURL).deletingLastPathComponent()
      return try #require(
        [directory, directory.deletingLastPathComponent()]
          .map { $0.appendingPathComponent("fault-subject").path }
          .first(where: FileManager.default.isExecutableFile))
    }
  }

  /// Empties the directory and fills it with the initial files of the operation.
  func reset(for operation: FaultOperation) throws {
    if FileManager.default.fileExists(atPath: directory) {
      for name in try FileManager.default.contentsOfDirectory(atPath: directory)
      where name != "lost+found" {
        try FileManager.default.removeItem(atPath: directory + "/" + name)
      }
    } else {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    }
    try operation.prepare(directory, key: key)
  }

  /// Runs the subject under `prefix`, such as strace with its arguments.
  func run(_ operation: FaultOperation, under prefix: [String] = []) throws -> Command {
    try Command.run(
      prefix + [Scene.subject] + operation.arguments(in: directory), environment: environment)
  }

  /// The state that a crash has left; also checks that the next writer removes all temporary files.
  func outcome(of operation: FaultOperation, _ comment: String) throws -> Outcome? {
    let content = try DirectoryContent(of: directory, key: key)
    guard let outcome = operation.outcome(of: content) else {
      Issue.record("torn: \(comment): \(content.entries.keys.sorted())")
      return nil
    }
    strayCount += content.strays.count
    let next = directory + "/next"
    try DurableFile.replace(at: next, with: [1].span)
    try DurableFile.remove(at: next)
    let after = try DirectoryContent(of: directory, key: key)
    #expect(after.strays == [], "\(comment)")
    #expect(after.entries == content.entries, "\(comment)")
    return outcome
  }
}
