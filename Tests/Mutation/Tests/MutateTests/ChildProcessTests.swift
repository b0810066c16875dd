import Foundation
import Testing

@testable import mutate

@Suite struct `A program within limits` {
  private func program(_ script: String) -> ChildProcess {
    ChildProcess(
      command: ["/bin/sh", "-c", script], directory: FileManager.default.temporaryDirectory)
  }

  @Test func `A program's output is passed on line by line, with how it ended`() throws {
    var lines: [String] = []
    let end = try program("echo one; echo two >&2; exit 3").run { line in
      lines.append(line)
      return true
    }
    #expect(end == .exit(3))
    #expect(lines == ["one", "two"])
    #expect(try program("kill -TRAP $$").run() == .signal(5))
  }

  @Test func `A program that is stopped by its output ends with all its children`() throws {
    var lines: [String] = []
    let end = try program("tail -f /dev/null & echo $!; echo enough; tail -f /dev/null").run {
      lines.append($0)
      return $0 != "enough"
    }
    #expect(end == .stopped)
    let child = try #require(lines.first.flatMap { pid_t($0) })
    // The child is killed at once, but the system removes it a moment later.
    let watchdog = ContinuousClock.now + .seconds(10)
    var isRunning = true
    while isRunning, ContinuousClock.now < watchdog {
      let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
      isRunning = state.map { !$0.contains(") Z ") && !$0.contains(") X ") } ?? false
    }
    #expect(!isRunning)
  }

  @Test func `A program does not outlive its time`() throws {
    var late = program("tail -f /dev/null & tail -f /dev/null")
    late.timeLimit = 0.2
    #expect(try late.run() == .timeLimit)
  }

  @Test func `A program does not exceed its processor time`() throws {
    var busy = program("while :; do :; done")
    busy.processorLimit = 1
    #expect(try busy.run() == .timeLimit)
  }

  @Test func `An idle program is ended`() throws {
    var idle = program("tail -f /dev/null & tail -f /dev/null")
    idle.idleLimit = 2
    #expect(try idle.run() == .timeLimit)
    #expect(ProcessGroup.isAwake(getpgrp()))
  }

  @Test func `The processor time of a program includes its children`() throws {
    let loop = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
    let (end, seconds) = try program("(\(loop)); exit 2").measure { _ in true }
    #expect(end == .exit(2))
    #expect(seconds > 0.01)
    #expect(seconds < 60)
  }

  @Test func `A program leaves nothing running`() throws {
    #expect(try program("tail -f /dev/null & exit 0").run() == .exit(0))
  }

  @Test func `A program gets no more memory than its limit`() throws {
    // `tail` keeps an endless line in memory.
    var hungry = program("head -c 200000000 /dev/zero | tail -n 1 > /dev/null")
    #expect(try hungry.run() == .exit(0))
    hungry.memoryLimit = 100_000
    #expect(try hungry.run() == .exit(1))
  }

  #if os(Linux)
    @Test func `The tool finds and ends a program by its environment variable`() throws {
      let mark = UUID().uuidString
      func start(_ value: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/tail")
        process.arguments = ["-f", "/dev/null"]
        process.environment = ProcessInfo.processInfo.environment.merging(["MARK": value]) { $1 }
        try process.run()
        // The system shows the environment of a program a moment after its start.
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
      // SIGKILL is needed since a program inherits the blocked signals of the threads of tests.
      kill(other.processIdentifier, SIGKILL)
      other.waitUntilExit()
    }
  #endif
}
