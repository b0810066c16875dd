#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import KeepsakeFiles

  @Suite struct `The beginning of a process` {
    @Test func `A closed standard stream is opened so that its use fails, and open ones stay`()
      async
    {
      await #expect(processExitsWith: .success) {
        let files = FileManager.default
        let output = try files.destinationOfSymbolicLink(atPath: "/proc/self/fd/1")
        for stream in [STDIN_FILENO, STDERR_FILENO] { close(stream) }
        ProcessStart.openStandardStreams()
        for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDERR_FILENO, O_RDONLY)] {
          let target = try files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(stream)")
          #expect(target == "/dev/null" && fcntl(stream, F_GETFL) & O_ACCMODE == mode)
        }
        #expect(try files.destinationOfSymbolicLink(atPath: "/proc/self/fd/1") == output)
        #expect(!ProcessStart.canRead(STDIN_FILENO) && ProcessStart.canRead(STDERR_FILENO))
        close(STDOUT_FILENO)
        #expect(!ProcessStart.canRead(STDOUT_FILENO))
        ProcessStart.openStandardStreams()
        #expect(ProcessStart.canRead(STDOUT_FILENO))
      }
    }

    @Test func `A variable that is not set, or that is UTF-8, is in order`() {
      #expect(ProcessStart.isUTF8(variable: "KEEPSAKE_ABSENT"))
      #expect(ProcessStart.isUTF8(variable: "PATH"))
      #expect(ProcessStart.malformedArgument == nil)
    }
  }

  @Suite struct `The end of a process` {
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    @Test func `A signal calls the function of each watch, and then ends the process`() async {
      let result = await #expect(
        processExitsWith: .signal(SIGTERM), observing: [\.standardOutputContent]
      ) {
        defaultSignals()
        for (text, comesFirst) in [("b", false), ("c", false), ("a", true)] {
          try ProcessEnd.watchSignals(comesFirst: comesFirst) { number in
            Self.say("[\(text)\(number == SIGTERM)]")
            return true
          }
        }
        kill(getpid(), SIGTERM)
        while true { pause() }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(output.contains("[atrue][btrue][ctrue]"), "\(output)")
    }

    @Test func `A process goes on after a function has refused its end, until the last watch ends`()
      async
    {
      await #expect(processExitsWith: .signal(SIGHUP)) {
        defaultSignals()
        let calls = Monitor(0)
        let watches = try [false, true].map { mayEnd in
          try ProcessEnd.watchSignals { _ in
            calls.withLock { $0 += 1 }
            return mayEnd
          }
        }
        kill(getpid(), SIGHUP)
        calls.wait { $0 == 2 }
        ProcessEnd.endWatch(watches[1])
        kill(getpid(), SIGHUP)
        calls.wait { $0 == 3 }
        ProcessEnd.endWatch(watches[0])
        kill(getpid(), SIGHUP)
        while true { pause() }
      }
    }

    @Test func `A signal that the program handles is left to it`() async {
      await #expect(processExitsWith: .exitCode(9)) {
        signal(SIGHUP) { _ in _exit(9) }
        let watch = try ProcessEnd.watchSignals { _ in true }
        ProcessEnd.endWatch(watch)
        kill(getpid(), SIGHUP)
        while true { pause() }
      }
    }

    @Test func `A process ends by a signal also where the program ignores it`() async {
      await #expect(processExitsWith: .signal(SIGINT)) {
        signal(SIGINT, SIG_IGN)
        ProcessEnd.raise(SIGINT)
      }
      #expect([SIGTERM, SIGINT, SIGHUP].map(ProcessEnd.isOfUser) == [false, true, false])
    }

    @Test func `All functions are called at a normal exit, in their order`() async {
      let result = await #expect(
        processExitsWith: .exitCode(3), observing: [\.standardOutputContent]
      ) {
        for text in ["[a", "b", "c]"] { ProcessEnd.atNormalExit { Self.say(text) } }
        exit(3)
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      #expect(output.contains("[abc]"), "\(output)")
    }

    @Test func `A program that is started gets no descriptor of the watch`() async {
      await #expect(processExitsWith: .success) {
        let before = try sockets()
        try ProcessEnd.watchSignals { _ in true }
        try ProcessEnd.watchSignals { _ in true }
        let made = try sockets().subtracting(before)
        #expect(made.count == 2)
        #expect(made.allSatisfy { fcntl($0, F_GETFD) & FD_CLOEXEC != 0 })
        // A signal handler must not block.
        #expect(made.filter { fcntl($0, F_GETFL) & O_NONBLOCK != 0 }.count == 1)
      }
    }
  }

  /// Gives the signals their default actions, some of which a program that runs tests may ignore, as nohup does.
  private func defaultSignals() {
    for number in ProcessEnd.signals { signal(number, SIG_DFL) }
  }

  /// The open descriptors of this process that are sockets.
  private func sockets() throws -> Set<Int32> {
    let files = FileManager.default
    let numbers = try files.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    return Set(
      numbers.filter { number in
        let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        return target?.hasPrefix("socket:") == true
      })
  }

  @Suite struct `Threads for one piece of work` {
    @Test(arguments: [1, 2, 4])
    func `Work runs on the calling thread and on as many more as are wanted`(count: Int) {
      let caller = CurrentThread.identifier
      let threads = Monitor<Set<UInt64>>([])
      WorkerThreads.perform(count) {
        threads.withLock { _ = $0.insert(CurrentThread.identifier) }
        threads.wait { $0.count == count }
      }
      #expect(threads.withLock { $0.contains(caller) && $0.count == count })
    }

    @Test func `A thread that is started handles no signals`() throws {
      let mask = Monitor<String?>(nil)
      try WorkerThreads.begin {
        let status = (try? contents(of: "/proc/thread-self/status")) ?? []
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("SigBlk:") } ?? "absent"
        mask.withLock { $0 = line.split(separator: "\t").last.map(String.init) }
      }
      mask.wait { $0 != nil }
      let bits = mask.withLock { $0.flatMap { UInt64($0, radix: 16) } } ?? 0
      for signal in ProcessEnd.signals { #expect(bits >> UInt64(signal - 1) & 1 == 1) }
    }

    @Test func `A thread knows the size of its stack`() {
      for size in [1 << 20, 4 << 20] {
        let found = Monitor<[Int?]>([])
        let thread = Thread {
          for _ in 0..<2 {
            let count = CurrentThread.stackByteCount
            found.withLock { $0.append(count) }
          }
        }
        thread.stackSize = size
        thread.start()
        found.wait { $0.count == 2 }
        let counts = found.withLock { $0.map { $0 ?? 0 } }
        #expect(counts[0] == counts[1] && counts[0] > 0)
      }
    }
  }
#endif
