import Foundation
import Synchronization

/// A program that runs within limits, in a process group of its own.
struct ChildProcess {
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
    case timeLimit
    /// What it printed said enough.
    case stopped
  }

  let command: [String]
  let directory: URL
  var environment: [String: String] = [:]
  /// In seconds.
  var timeLimit = 3600.0
  /// Of address space, in KiB.
  var memoryLimit: Int?

  /// Runs the program to its end, and hands over each line that it prints; `false` ends it at once.
  func run(_ body: (String) -> Bool = { _ in true }) throws -> End {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let limit = memoryLimit.map { "ulimit -v \($0); " } ?? ""
    process.arguments = ["-c", limit + Self.script] + command
    process.currentDirectoryURL = directory
    process.environment = ProcessInfo.processInfo.environment
      .merging(["NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let group = -process.processIdentifier
    try? pipe.fileHandleForWriting.close()

    let wasLate = Mutex(false)
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + timeLimit)
    timer.setEventHandler {
      wasLate.withLock { $0 = true }
      kill(group, SIGKILL)
    }
    timer.resume()
    defer { timer.cancel() }

    var wasStopped = false
    var status: Int32?
    var unread: [UInt8] = []
    while true {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { break }
      unread += data
      while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        if line.hasPrefix(Self.statusMark) {
          status = Int32(line.dropFirst(Self.statusMark.count))
        } else if !wasStopped, !line.isEmpty, !body(line) {
          wasStopped = true
          kill(group, SIGKILL)
        }
      }
    }
    process.waitUntilExit()
    if wasStopped { return .stopped }
    if let status { return status > 128 ? .signal(status - 128) : .exit(status) }
    return wasLate.withLock({ $0 }) ? .timeLimit : .signal(process.terminationStatus)
  }

  private static let statusMark = "process-ended-with "

  /// Runs the program, says how it ended, and ends what it left behind: Foundation would wait for
  /// that, too.
  private static let script = """
    "$0" "$@"
    printf '\\n\(statusMark)%d\\n' $?
    kill -KILL 0
    """
}
