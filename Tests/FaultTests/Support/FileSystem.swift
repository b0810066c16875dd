import Foundation
import Testing

/// A private file system of a test, visible only to the test.
///
/// A process holds the name space of the mounts; when it ends, they are gone.
final class FileSystem {
  private let holder: Process
  private let input = Pipe()
  private let mountPoint: String
  private let device: String
  private let kind: [String]

  /// The path at which this process sees the file system.
  var path: String { "/proc/\(holder.processIdentifier)/root\(mountPoint)" }

  /// A file system in memory that holds `kilobytes`.
  static func memory(kilobytes: Int) throws -> FileSystem {
    let system = try FileSystem(device: "none", kind: ["-t", "tmpfs"])
    try system.mount("size=\(kilobytes)k")
    return system
  }

  /// An ext4 file system in a file; the caller mounts it.
  static func image(_ path: String) throws -> FileSystem {
    try FileSystem(device: path, kind: ["-t", "ext4"])
  }

  private init(device: String, kind: [String]) throws {
    self.device = device
    self.kind = kind
    mountPoint =
      FileManager.default.temporaryDirectory.path + "/keepsake-mount-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: mountPoint, withIntermediateDirectories: false)
    holder = Process()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    holder.arguments = [
      "unshare", "-m", "--propagation", "private", "sh", "-c", "echo ready; exec cat",
    ]
    let output = Pipe()
    holder.standardOutput = output
    holder.standardInput = input
    try holder.run()
    let line = try output.fileHandleForReading.read(upToCount: 6)
    try #require(line == Data("ready\n".utf8), "no name space for mounts")
  }

  deinit {
    // The end of its input ends the holder, also when this process dies; signals may be blocked in it.
    try? input.fileHandleForWriting.close()
    holder.waitUntilExit()
    try? FileManager.default.removeItem(atPath: mountPoint)
  }

  func mount(_ options: String) throws {
    try inside("mount", kind + ["-o", options, device, mountPoint])
  }

  /// Unmounts the file system, once all files on it are closed; a reader on another thread may take a moment.
  func unmount() throws {
    for _ in 0..<100 where (try? inside("umount", [mountPoint])) != nil { return }
    try inside("umount", [mountPoint])
  }

  /// Runs a program in the name space of the mounts.
  private func inside(_ program: String, _ arguments: [String]) throws {
    let command = try Command.run(
      ["nsenter", "-m", "-t", String(holder.processIdentifier), program] + arguments)
    guard command.status == 0 else {
      throw FaultFailure("\(program) \(arguments): \(command.error)")
    }
  }
}
