import Foundation
import Synchronization

/// A program that runs within limits, in a process group of its own.
struct ChildProcess {
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
    /// The program exceeded a limit of time, or was idle for too long.
    case timeLimit
    /// The program was ended after a line of its output.
    case stopped
  }

  let command: [String]
  let directory: URL
  var environment: [String: String] = [:]
  /// The limit of time, in seconds.
  var timeLimit = 3600.0
  /// The limit of processor time for one process, in whole seconds; other programs do not change it.
  var processorLimit: Int?
  /// The seconds that the program and its children may sleep; short wake-ups again and again do not help much.
  var idleLimit = 3600
  /// The limit of address space, in KiB.
  var memoryLimit: Int?

  /// Runs the program to its end, and passes each line of output to the body; `false` ends it at once.
  func run(_ body: (String) -> Bool = { _ in true }) throws -> End {
    try measure(body).end
  }

  /// Runs the program in the same way, and returns its processor time too, if it ended by itself.
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
    // The shell's own times are printed before those of its children.
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

  /// Adds up the output of the shell's `times`, such as `0m1.250s 1m0.040s`.
  static func seconds(inTimes line: String) -> Double {
    line.matches(of: /(\d+)m([\d.]+)s/).reduce(0) { sum, match in
      sum + 60 * (Double(match.output.1) ?? 0) + (Double(match.output.2) ?? 0)
    }
  }

  private static let statusMark = "process-ended-with "

  /// Runs the program, prints how it ended and its times, and ends processes that it left behind: Foundation would
  /// wait for them, too.
  private static let script = """
    "$0" "$@"
    printf '\\n\(statusMark)%d\\n' $?
    times
    kill -KILL 0
    """
}
