import Foundation
import Testing

/// A system call of an operation, as strace shows it.
struct SystemCall: Sendable {
  let name: String
  /// The number of calls of this name that the process has made by then, by which strace finds the call
  /// again.
  let ordinal: Int
  let line: String
  /// True when the operation has returned before this call.
  let isAfterReturn: Bool

  var description: String { "\(name) #\(ordinal) [\(line.prefix(90))]" }

  /// The bytes of anonymous memory that an `mmap` requests; 0 for a file.
  var anonymousLength: Int {
    guard name == "mmap", line.contains("MAP_ANONYMOUS"),
      let match = line.firstMatch(of: /^\w+, (\d+),/)
    else { return 0 }
    return Int(match.1) ?? 0
  }

  /// All system calls from the start of the operation to the end of the process.
  ///
  /// The directory is filled first, unless the caller has done so. `options` are further ones of strace.
  static func all(
    of operation: FaultOperation, in scene: Scene, resetting: Bool = true, options: [String] = []
  ) throws -> [SystemCall] {
    if resetting { try scene.reset(for: operation) }
    let (command, lines) = try traced(operation, in: scene, options + ["-e", "trace=all"])
    try #require(command.status == 0, "\(command.output) \(command.error)")
    var counts: [String: Int] = [:]
    var calls: [SystemCall] = []
    var (hasBegun, hasReturned) = (false, false)
    for line in lines {
      guard let match = line.firstMatch(of: /^(\d+) +(\w+)\((.*)$/) else { continue }
      let name = String(match.2)
      counts[name, default: 0] += 1
      // The heap grows in some runs only, and does not affect files.
      if hasBegun, name != "brk" {
        calls.append(
          SystemCall(
            name: name, ordinal: counts[name] ?? 0, line: String(match.3),
            isAfterReturn: hasReturned))
      }
      if name == "write", match.3.hasPrefix(#"1, "begin"#) { hasBegun = true }
      if name == "write", match.3.hasPrefix(#"1, "returned"#) { hasReturned = true }
    }
    try #require(hasReturned && calls.count > 3, "strace shows nothing of \(operation)")
    return calls
  }

  /// Runs the operation and kills it as it enters this call.
  func kill(_ operation: FaultOperation, in scene: Scene) throws -> Command {
    let (command, lines) = try SystemCall.traced(
      operation, in: scene,
      ["-e", "trace=\(name)", "-e", "inject=\(name):signal=KILL:when=\(ordinal)"])
    // If the harness itself is wrong, its results do not count.
    try #require(command.wasKilled, "the kill did not fire at \(description)")
    try #require(command.output.hasPrefix("begin\n"), "killed too early: \(description)")
    try #require(lines.contains { $0.contains("killed by SIGKILL") })
    return command
  }

  /// Runs the operation with an error from this call, or from `count` such calls in a row.
  func fail(
    _ operation: FaultOperation, in scene: Scene, with error: String, count: Int = 1
  ) throws -> Command {
    let last = ordinal + count - 1
    let (command, lines) = try SystemCall.traced(
      operation, in: scene,
      ["-e", "trace=\(name)", "-e", "inject=\(name):error=\(error):when=\(ordinal)..\(last)"])
    let injected = lines.count { $0.contains("(INJECTED)") }
    try #require(injected >= 1, "the error did not fire at \(description)")
    return command
  }

  /// Runs the operation under strace, on one processor, with fixed addresses and hashes, so that it
  /// makes the same calls each time.
  static func traced(
    _ operation: FaultOperation, in scene: Scene, _ arguments: [String]
  ) throws -> (Command, [Substring]) {
    let log = scene.root + "/strace"
    let command = try scene.run(
      operation,
      under: [
        "env", "SWIFT_DETERMINISTIC_HASHING=1", "taskset", "-c", "0", "setarch", "-R", "strace",
        "-f", "-o", log,
      ] + arguments)
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self)
    return (command, text.split(separator: "\n"))
  }
}
