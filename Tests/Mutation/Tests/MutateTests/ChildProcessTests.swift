import Foundation
import Testing

@testable import mutate

@Suite struct `A program within limits` {
  private func program(_ script: String) -> ChildProcess {
    ChildProcess(
      command: ["/bin/sh", "-c", script], directory: FileManager.default.temporaryDirectory)
  }

  @Test func `hands over what it prints, line by line, and how it ends`() throws {
    var lines: [String] = []
    let end = try program("echo one; echo two >&2; exit 3").run { line in
      lines.append(line)
      return true
    }
    #expect(end == .exit(3))
    #expect(lines == ["one", "two"])
    #expect(try program("kill -TRAP $$").run() == .signal(5))
  }

  @Test func `ends as soon as it has printed enough, with all that it started`() throws {
    var lines: [String] = []
    let end = try program("tail -f /dev/null & echo $!; echo enough; tail -f /dev/null").run {
      lines.append($0)
      return $0 != "enough"
    }
    #expect(end == .stopped)
    let child = try #require(lines.first.flatMap { pid_t($0) })
    // Killed at once, but gone only when the system has come round to it.
    let watchdog = ContinuousClock.now + .seconds(10)
    var isRunning = true
    while isRunning, ContinuousClock.now < watchdog {
      let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      isRunning = state.map { !$0.contains(") Z ") && !$0.contains(") X ") } ?? false
    }
    #expect(!isRunning)
  }

  @Test func `does not outlive its time`() throws {
    var late = program("tail -f /dev/null & tail -f /dev/null")
    late.timeLimit = 0.2
    #expect(try late.run() == .timeLimit)
  }

  @Test func `does not work longer than a processor may for it`() throws {
    var busy = program("while :; do :; done")
    busy.processorLimit = 1
    #expect(try busy.run() == .timeLimit)
  }

  @Test func `does not stand still for long`() throws {
    var idle = program("tail -f /dev/null & tail -f /dev/null")
    idle.idleLimit = 2
    #expect(try idle.run() == .timeLimit)
    #expect(ProcessGroup.isAwake(getpgrp()))
  }

  @Test func `tells what it took, with what it started`() throws {
    let loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    let (end, seconds) = try program("(\(loop)); exit 2").measure { _ in true }
    #expect(end == .exit(2))
    #expect(seconds > 0.01)
    #expect(seconds < 60)
  }

  @Test func `leaves nothing running`() throws {
    #expect(try program("tail -f /dev/null & exit 0").run() == .exit(0))
  }

  @Test func `gets no more memory than it may have`() throws {
    // `tail` keeps a line that has no end.
    var hungry = program("head -c 200000000 /dev/zero | tail -n 1 > /dev/null")
    #expect(try hungry.run() == .exit(0))
    hungry.memoryLimit = 100_000
    #expect(try hungry.run() == .exit(1))
  }

  #if os(Linux)
    @Test func `is ended by a variable that it was started with`() throws {
      let mark = UUID().uuidString
      func start(_ value: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/tail")
        process.arguments = ["-f", "/dev/null"]
        process.environment = ProcessInfo.processInfo.environment.merging(["MARK": value]) { $1 }
        try process.run()
        // The system shows what a program was started with a moment after it has begun.
        let path = "/proc/\(process.processIdentifier)/environ"
        while process.isRunning,
          FileManager.default.contents(atPath: path)?.range(of: Data("MARK=\(value)\0".utf8)) == nil
        { sched_yield() }
        return process
      }
      let (marked, other) = (try start(mark), try start(mark + "1"))
      ProcessGroup.endAll(with: "MARK", of: mark)
      marked.waitUntilExit()
      #expect(marked.terminationReason == .uncaughtSignal)
      #expect(other.isRunning)
      // A program inherits that threads of tests block signals.
      kill(other.processIdentifier, SIGKILL)
      other.waitUntilExit()
    }
  #endif
}
