import Foundation
import Keepsake
import Testing

extension FaultSuite {
  /// Spec/journal.md, section 8, from the view of the next reader and the next writer.
  @Suite struct `A journal whose system calls fail` {
    /// Runs the script of a stage with each fault, and checks the journal and the report that it leaves.
    private func check<Fault>(
      _ title: String, _ faults: [Fault], on stage: JournalStage,
      run: (Fault) throws -> (Command, comment: String),
      expecting require: (JournalReport, Command, String) throws -> Void = { _, _, _ in }
    ) async throws {
      var ledger = Ledger("\(title) \(stage.subject.testDescription)")
      for fault in faults {
        try stage.reset()
        let (command, comment) = try run(fault)
        ledger.count(try await stage.check(command, comment))
        try require(try JournalReport(command.output), command, "\(comment): \(command.output)")
      }
      #expect(!ledger.outcomes.isEmpty)
      try ledger.close()
    }

    @Test(.needs(.strace), arguments: JournalCase.all)
    func `A writer that is killed at any system call loses no acknowledged entry`(
      subject: JournalCase
    ) async throws {
      let stage = try await JournalStage(subject)
      let calls = JournalStage.sample(try stage.calls(), of: subject)
      try await check("SIGKILL at every system call of", calls, on: stage) { call in
        (try call.kill(subject.operation, in: stage.scene), call.description)
      }
    }

    /// The errors of calls that change something, and of calls whose failure could be taken for an empty answer.
    static let errors: [String: [String]] = [
      "openat": ["EIO", "EMFILE", "EACCES", "ENOSPC"],
      "newfstatat": ["EIO"], "fstat": ["EIO"],
      "getdents64": ["EIO", "ENOMEM"],
      "flock": ["EIO", "ENOLCK"],
      "fchmod": ["EIO", "EPERM"],
      "pread64": ["EIO"],
      "pwrite64": ["ENOSPC", "EIO", "EDQUOT", "EFBIG"],
      "fsync": ["EIO", "ENOSPC"], "fdatasync": ["EIO", "ENOSPC", "EDQUOT"],
      "renameat": ["ENOSPC", "EIO"], "renameat2": ["ENOSPC", "EIO", "ENOSYS"],
      "linkat": ["EIO"], "unlinkat": ["EIO", "EBUSY"],
      "mkdirat": ["ENOSPC", "EIO"],
    ]

    @Test(.needs(.strace), arguments: JournalCase.all)
    func `A failed system call is reported, and the next append works`(
      subject: JournalCase
    ) async throws {
      let stage = try await JournalStage(subject)
      let calls = try stage.calls().filter { !$0.isAfterReturn && Self.errors[$0.name] != nil }
      let faults = JournalStage.sample(calls, of: subject).flatMap { call in
        (Self.errors[call.name] ?? []).map { (call, $0) }
      }
      try await check("errors at every system call of", faults, on: stage) { call, error in
        let command = try call.fail(subject.operation, in: stage.scene, with: error)
        return (command, "\(error) at \(call.description)")
      } expecting: { report, command, comment in
        #expect(command.status == 0 && report.hasReturned, "\(comment)")
        #expect(report.codes.count <= 1, "\(comment)")
      }
    }

    // The system may have lost the bytes after it has reported their loss once. Holds [J-106].
    @Test(
      .needs(.strace),
      arguments: [JournalCase.append, .batch, .bySize, .byHand, .retention, .afterKill])
    func `A file whose synchronization failed is not synchronized again`(
      subject: JournalCase
    ) async throws {
      let stage = try await JournalStage(subject)
      var ledger = Ledger("failed fdatasync in \(subject.testDescription)")
      let calls = try stage.calls().filter { $0.name == "fdatasync" && !$0.isAfterReturn }
      let third = min(FaultSettings.stride, 3)
      for call in Swift.stride(from: 0, to: calls.count, by: third).map({ calls[$0] }) {
        try stage.reset()
        let (command, lines) = try SystemCall.traced(
          subject.operation, in: stage.scene,
          [
            "-y", "-e", "trace=fdatasync,fsync", "-e",
            "inject=fdatasync:error=EIO:when=\(call.ordinal)",
          ])
        let failed = try #require(lines.firstIndex { $0.contains("(INJECTED)") })
        let file = try #require(lines[failed].firstMatch(of: /<([^>]*\.journal)>/)?.1)
        let again = lines[(failed + 1)...].filter { $0.contains("<\(file)>") }
        #expect(again == [], "\(call.description)")
        let report = try JournalReport(command.output)
        let isOpening = command.output.contains("refused open")
        #expect(isOpening || report.codes == ["durabilityUnknown"], "\(command.output)")
        #expect(isOpening || !report.acknowledged.isEmpty, "\(command.output)")
        ledger.count(try await stage.check(command, call.description))
      }
      try ledger.close()
    }

    // An interruption is not a failure.
    @Test(.needs(.strace), arguments: JournalCase.all)
    func `A system call of a writer is repeated when a signal interrupts it`(
      subject: JournalCase
    ) async throws {
      let stage = try await JournalStage(subject)
      // The C library opens and reads directories with calls that wait for nothing.
      let calls = try stage.calls().filter {
        !$0.isAfterReturn && Self.errors[$0.name] != nil && $0.name != "getdents64"
          && !$0.line.contains("AT_EMPTY_PATH")
      }
      try await check(
        "EINTR three times at every system call of", JournalStage.sample(calls, of: subject),
        on: stage
      ) { call in
        let command = try call.fail(subject.operation, in: stage.scene, with: "EINTR", count: 3)
        return (command, call.description)
      } expecting: { report, command, comment in
        #expect(command.status == 0 && report.codes.isEmpty, "\(comment)")
      }
    }

    /// Lasting failures of a full disk, and of one that is broken.
    static let lasting = [
      ("pwrite64", "ENOSPC"), ("pwrite64", "EIO"), ("fdatasync", "EIO"), ("fsync", "EIO"),
      ("openat", "EMFILE"), ("renameat2", "EIO"),
    ]

    @Test(.needs(.strace), arguments: JournalCase.all)
    func `A lasting failure loses no acknowledged entry`(subject: JournalCase) async throws {
      let stage = try await JournalStage(subject)
      let calls = try stage.calls().filter { !$0.isAfterReturn }
      let faults = Self.lasting.flatMap { name, error in
        calls.filter { $0.name == name }.map { ($0, error) }
      }
      try await check(
        "lasting failures in", JournalStage.sample(faults, of: subject), on: stage
      ) { call, error in
        let command = try call.fail(
          subject.operation, in: stage.scene, with: error, count: 65_000 - call.ordinal)
        return (command, "\(error) from \(call.description) on")
      } expecting: { report, command, comment in
        #expect(command.status == 0 && report.hasReturned, "\(comment)")
      }
    }

    /// The calls that take a failed write back.
    static let takingBack = ["ftruncate", "fdatasync"]

    // Holds [J-103], [J-104] and [J-106]: the check looks for frames of one index under one key.
    @Test(.needs(.strace, .compiler), arguments: [JournalCase.append, .batch, .bySize, .byHand])
    func `A short write that cannot be taken back is reported, and ignored by readers`(
      subject: JournalCase
    ) async throws {
      let stage = try await JournalStage(subject)
      let shim = ["-E", "LD_PRELOAD=\(try Tools.shortTransfers.get())"]
      // Each frame takes several writes, and a long entry does not take too many.
      let isLong = subject.testDescription == JournalCase.batch.testDescription
      let short = shim + ["-E", "KEEPSAKE_TRANSFER=\(isLong ? 30_000 : 60)"]
      let name = subject.testDescription
      var ledger = Ledger("short and failed writes of \(name), and failures to take them back")
      let calls = try stage.calls(options: short).filter { !$0.isAfterReturn }
      let writes = calls.indices.filter { calls[$0].name == "pwrite64" }
      var reports = 0
      for index in JournalStage.sample(writes, of: subject) {
        for undoing in [nil] + Self.takingBack.map({ $0 as String? }) {
          try stage.reset()
          let inject = undoing.map { name in
            let before = calls[..<index].last { $0.name == name }?.ordinal ?? 0
            // Only the call that takes this write back fails.
            return "inject=\(name):error=EIO:when=\(before + 1)"
          }
          let (command, lines) = try SystemCall.traced(
            subject.operation, in: stage.scene,
            short + ["-e", "inject=pwrite64:error=ENOSPC:when=\(calls[index].ordinal)"]
              + (inject.map { ["-e", $0] } ?? []))
          try #require(command.error.contains("shortened"))
          try #require(lines.contains { $0.contains("(INJECTED)") })
          let comment = "\(calls[index].description), then \(undoing ?? "nothing")"
          ledger.count(try await stage.check(command, comment))
          let report = try JournalReport(command.output)
          // A failed write to a file without a name is not taken back: the second fault fires later.
          let most = undoing == nil ? 1 : 2
          #expect(report.hasReturned && report.codes.count <= most, "\(comment): \(command.output)")
          if report.codes.contains("durabilityUnknown") { reports += 1 }
        }
      }
      #expect(reports > 0)
      ledger.note("reported as durabilityUnknown", reports)
      try ledger.close()
    }

    // Holds [J-105]: the threads share batches.
    @Test(.needs(.strace), arguments: ["signal=KILL", "error=EIO", "error=ENOSPC"])
    func `Appends at the same time are acknowledged together or not at all`(
      fault: String
    ) async throws {
      let stage = try await JournalStage(.threads)
      var ledger = Ledger("\(fault) in a thread of four that append")
      var (fired, shared) = (0, 0)
      for name in ["pwrite64", "fdatasync", "fsync"] {
        for count in Swift.stride(from: 1, through: 8, by: min(FaultSettings.stride, 3)) {
          try stage.reset()
          let (command, lines) = try SystemCall.traced(
            JournalCase.threads.operation, in: stage.scene,
            ["-e", "trace=pwrite64,fdatasync,fsync", "-e", "inject=\(name):\(fault):when=\(count)"])
          if lines.contains(where: { $0.contains("INJECTED") || $0.contains("SIGKILL") }) {
            fired += 1
          }
          ledger.count(try await stage.check(command, "\(name) \(count)"))
          let report = try JournalReport(command.output)
          let synchronizations = lines.count { $0.contains("fdatasync(") }
          if report.acknowledged.count > synchronizations { shared += 1 }
        }
      }
      #expect(fired > 5)
      ledger.note("times the fault fired", fired)
      ledger.note("runs with shared batches", shared)
      try ledger.close()
    }

    @Test(.needs(.strace))
    func `A reader does not take a failed system call for the end of a journal`() async throws {
      let stage = try await JournalStage(.reading)
      var ledger = Ledger("errors at every system call of \(JournalCase.reading.testDescription)")
      let calls = try stage.calls().filter { !$0.isAfterReturn && Self.errors[$0.name] != nil }
      for call in calls {
        for error in Self.errors[call.name] ?? [] {
          let command = try call.fail(JournalCase.reading.operation, in: stage.scene, with: error)
          let isRefused = command.output.contains("refused read")
          #expect(
            isRefused || command.output.contains("read \(stage.start.entries.count)\n"),
            "\(error) at \(call.description): \(command.output)")
          ledger.count(isRefused ? "error" : "success")
        }
      }
      #expect(ledger.outcomes["error"] ?? 0 > 0)
      try ledger.close()
    }

    @Test(
      .needs(.compiler), arguments: [JournalCase.append, .batch, .bySize, .retention, .afterTear])
    func `A journal is written and read with any number of bytes at a time`(
      subject: JournalCase
    ) async throws {
      let shim = try Tools.shortTransfers.get()
      let stage = try await JournalStage(subject)
      try await check("short reads and writes in", [1, 7, 111, 4_096], on: stage) { count in
        let command = try stage.scene.run(
          subject.operation, under: ["env", "LD_PRELOAD=\(shim)", "KEEPSAKE_TRANSFER=\(count)"])
        // A short journal may be read without any transfer of more than 512 bytes.
        try #require(command.error.contains("shortened") || count > 512)
        return (command, "\(count) bytes")
      } expecting: { report, _, comment in
        #expect(report.codes.isEmpty, "\(comment)")
      }
    }

    // Holds [J-105], [J-109], [J-110] and [J-111].
    @Test(.needs(.strace), arguments: JournalCase.all)
    func `A writer synchronizes each batch and each name before it relies on them`(
      subject: JournalCase
    ) async throws {
      let stage = try await JournalStage(subject)
      try stage.reset()
      let (command, lines) = try SystemCall.traced(
        subject.operation, in: stage.scene,
        [
          "-y", "-x", "-s", "48", "-e",
          "trace=pwrite64,fdatasync,fsync,renameat,renameat2,unlinkat",
        ])
      #expect(command.status == 0)
      let order = JournalOrder(lines)
      #expect(order.violations == [])
      #expect(order.writeCount > 0)
      #expect(subject.removesFiles == (order.removedFileCount > 0))
      // The check finds an order that is wrong.
      let hasty = JournalOrder(lines.filter { !$0.contains("fdatasync(") })
      #expect(!hasty.violations.isEmpty)
      let careless = JournalOrder(lines.filter { !$0.contains("fsync(") })
      #expect(order.namedFileCount == 0 || !careless.violations.isEmpty)
    }

    // Holds [J-104].
    @Test(.needs(.compiler))
    func `A process that was forked appends nothing, and leaves the lock to its parent`()
      async throws
    {
      let shim = try Tools.forkAt.get()
      let stage = try await JournalStage(.append)
      var ledger = Ledger("forks of a process that appends")
      for count in 1...30 {
        try stage.reset()
        let command = try stage.scene.run(
          JournalCase.append.operation,
          under: [
            "env", "LD_PRELOAD=\(shim)", "KEEPSAKE_FORK=\(count)",
            "KEEPSAKE_FORK_LOCK=\(stage.journal)/lock",
          ])
        // A fork before the opening gives a writer of its own.
        guard command.output.contains("forked") else { continue }
        #expect(command.error == "lock kept\n", "\(count): \(command.error)")
        let lines = command.output.split(separator: "\n").filter { !$0.contains("forked") }
        let output = lines.joined(separator: "\n") + "\n"
        #expect(try JournalReport(output).acknowledged.count == 3, "\(count): \(output)")
        ledger.count(
          try await stage.check(Command(output: output, error: "", status: 0), "\(count)"))
      }
      #expect(!ledger.outcomes.isEmpty)
      try ledger.close()
    }
  }
}
