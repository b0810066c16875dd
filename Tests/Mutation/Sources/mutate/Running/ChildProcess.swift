import Foundation
import Synchronization

/// A program that runs within limits, in a process group of its own.
struct ChildProcess {
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
    /// It took more time than it may, or did nothing any more.
    case timeLimit
    /// What it printed said enough.
    case stopped
  }

  let command: [String]
  let directory: URL
  var environment: [String: String] = [:]
  /// In seconds.
  var timeLimit = 3600.0
  /// In whole seconds that a processor works for one process, which other programs do not change.
  var processorLimit: Int?
  /// How many seconds the program, with what it started, may sleep; what wakes it for a moment, again and
  /// again, does not help much.
  var idleLimit = 3600
  /// Of address space, in KiB.
  var memoryLimit: Int?

  /// Runs the program to its end, and hands over each line that it prints; `false` ends it at once.
  func run(_ body: (String) -> Bool = { _ in true }) throws -> End {
    try measure(body).end
  }

  /// Runs the program likewise, and tells how many seconds processors worked for it when it ended by
  /// itself.
  func measure(_ body: (String) -> Bool) throws -> (end: End, processorSeconds: Double) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    var limit = memoryLimit.map { "ulimit -v \($0); " } ?? ""
    if let processorLimit { limit += "ulimit -S -t \(processorLimit); " }
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
    let group = process.processIdentifier
    try? pipe.fileHandleForWriting.close()

    let wasLate = Mutex(false)
    let end = ContinuousClock.now + .seconds(timeLimit)
    let idle = Mutex(0)
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + min(1, timeLimit), repeating: 1)
    timer.setEventHandler {
      let isIdle = idle.withLock { seconds in
        seconds = ProcessGroup.isAwake(group) ? max(0, seconds - 4) : seconds + 1
        return seconds >= idleLimit
      }
      guard isIdle || .now >= end else { return }
      wasLate.withLock { $0 = true }
      kill(-group, SIGKILL)
    }
    timer.resume()
    defer { timer.cancel() }

    var wasStopped = false
    var status: Int32?
    var times: [String] = []
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
        } else if status != nil {
          times.append(line)
        } else if !wasStopped, !line.isEmpty, !body(line) {
          wasStopped = true
          kill(-group, SIGKILL)
        }
      }
    }
    process.waitUntilExit()
    // The shell's own times come before those of what it ran.
    let seconds = times.count == 2 ? Self.seconds(inTimes: times[1]) : 0
    return (
      Self.end(
        status: status, wasStopped: wasStopped, wasLate: wasLate.withLock { $0 },
        signal: process.terminationStatus), seconds
    )
  }

  private static func end(
    status: Int32?, wasStopped: Bool, wasLate: Bool, signal: Int32
  ) -> End {
    if wasStopped { return .stopped }
    guard let status else { return wasLate ? .timeLimit : .signal(signal) }
    if status <= 128 { return .exit(status) }
    return status - 128 == SIGXCPU ? .timeLimit : .signal(status - 128)
  }

  /// Adds up what the shell's `times` prints, such as `0m1.250s 1m0.040s`.
  static func seconds(inTimes line: String) -> Double {
    line.matches(of: /(\d+)m([\d.]+)s/).reduce(0) { sum, match in
      sum + 60 * (Double(match.output.1) ?? 0) + (Double(match.output.2) ?? 0)
    }
  }

  private static let statusMark = "process-ended-with "

  /// Runs the program, says how it ended and what it took, and ends what it left behind: Foundation
  /// would wait for that, too.
  private static let script = """
    "$0" "$@"
    printf '\\n\(statusMark)%d\\n' $?
    times
    kill -KILL 0
    """
}
