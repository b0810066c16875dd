import Foundation
import Keepsake
import Testing

extension FaultSuite {
  // These tests take the disk away from a journal, or let two writers use it.
  @Suite struct `A journal on a disk` {
    @Test(.needs(.strace, .loop, .compiler), arguments: JournalCase.all)
    func `A power cut before any system call loses no acknowledged entry`(
      subject: JournalCase
    ) async throws {
      var ledger = Ledger("power cuts before every system call of \(subject.testDescription)")
      let disk = try PowerCutDisk { scene in
        try subject.prepare(scene.directory + "/journal", key: scene.key)
      }
      let stage = try await JournalStage(subject, in: disk.scene)
      let calls = try disk.calls(of: subject.operation).filter(\.canReachTheDisk)
      // A sample uses one circumstance for each script.
      let turn = JournalCase.all.firstIndex { $0.testDescription == subject.testDescription } ?? 0
      let all = `A power cut`.circumstances
      let circumstances = FaultSettings.stride > 1 ? [all[turn % all.count]] : all
      let cuts = circumstances.flatMap { circumstance in
        (calls.map { $0 as SystemCall? } + [nil]).map { (circumstance, $0) }
      }
      // The last one is a cut after the whole script.
      for (circumstance, call) in JournalStage.sample(cuts, of: subject) + cuts.suffix(1) {
        let (options, mode) = circumstance
        try disk.mount(options)
        let command =
          try call?.kill(subject.operation, in: disk.scene) ?? disk.scene.run(subject.operation)
        try disk.cutPower(mode: mode)
        try disk.mount("defaults")
        let comment = "\(options), mode \(mode), before \(call?.description ?? "nothing")"
        ledger.count(try await stage.check(command, comment))
        try disk.unmount()
      }
      #expect(ledger.outcomes.keys.contains { $0.hasPrefix("a part acknowledged, returned") })
      try ledger.close()
    }

    // Shows that the cuts lose something: the synchronization is reported as done, and is not made.
    @Test(.needs(.strace, .loop, .compiler))
    func `A power cut after a synchronization that was not made loses entries`() async throws {
      let subject = JournalCase.append
      let disk = try PowerCutDisk { scene in
        try subject.prepare(scene.directory + "/journal", key: scene.key)
      }
      let stage = try await JournalStage(subject, in: disk.scene)
      try disk.mount("commit=300")
      let (command, lines) = try SystemCall.traced(
        subject.operation, in: disk.scene,
        ["-e", "trace=fdatasync", "-e", "inject=fdatasync:retval=0"])
      try disk.cutPower(mode: 2)
      try disk.mount("defaults")
      let found = try await JournalFinding(
        stage.journal, key: disk.scene.key, skippingDamage: false)
      let report = try JournalReport(command.output)
      #expect(lines.contains { $0.contains("(INJECTED)") } && report.acknowledged.count == 3)
      #expect(
        !report.violations(in: found, after: stage.start, removes: false).isEmpty)
      try disk.unmount()
    }

    // The synchronization is not made, and the cut loses what it was for. Holds [J-106].
    @Test(
      .needs(.strace, .loop, .compiler),
      arguments: [JournalCase.pinning, .append, .bySize, .retention, .afterTear])
    func `A power cut after a failed synchronization loses no acknowledged entry and no pin`(
      subject: JournalCase
    ) async throws {
      let disk = try PowerCutDisk { scene in
        try subject.prepare(scene.directory + "/journal", key: scene.key)
      }
      let stage = try await JournalStage(subject, in: disk.scene)
      var ledger = Ledger("failed synchronizations of \(subject.testDescription), then power cuts")
      let calls = try disk.calls(of: subject.operation)
        .filter { ["fsync", "fdatasync"].contains($0.name) && !$0.isAfterReturn }
      let third = subject.testDescription == "state a pin" ? 1 : min(FaultSettings.stride, 3)
      for call in Swift.stride(from: 0, to: calls.count, by: third).map({ calls[$0] }) {
        try disk.mount("commit=300")
        let command = try call.fail(subject.operation, in: disk.scene, with: "EIO")
        try disk.cutPower(mode: 2)
        try disk.mount("defaults")
        ledger.count(try await stage.check(command, call.description))
        try disk.unmount()
      }
      #expect(!ledger.outcomes.isEmpty)
      try ledger.close()
    }

    @Test(.needs(.mounts))
    func `A full disk of any size keeps each acknowledged entry, and the journal continues later`()
      async throws
    {
      let subject = JournalCase.filling
      var ledger = Ledger("full disks in \(subject.testDescription)")
      var codes: Set<String> = []
      for kilobytes in Swift.stride(from: 16, through: 160, by: 16) {
        let disk = try FileSystem.memory(kilobytes: 1_024)
        let stage = try await JournalStage(subject, in: Scene(directory: disk.path))
        try stage.reset()
        try disk.mount("remount,size=\(kilobytes)k")
        let command = try stage.scene.run(subject.operation)
        try disk.mount("remount,size=1024k")
        ledger.count(try await stage.check(command, "\(kilobytes) KiB"))
        let report = try JournalReport(command.output)
        #expect(report.hasReturned, "\(kilobytes) KiB: \(command.output)")
        codes.formUnion(report.codes)
      }
      #expect(codes == ["noSpace"])
      try ledger.close()
    }

    /// Starts the script as a process whose `wait` steps end when the pipe is closed.
    private func start(
      _ script: String, in stage: JournalStage, _ input: Pipe, _ files: OutputFiles,
      _ options: [String] = []
    ) throws -> Process {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [try Scene.subject, "journal", stage.journal, script, "100"] + options
      process.environment = ProcessInfo.processInfo.environment
        .merging(stage.scene.environment) { _, new in new }
      process.standardOutput = try FileHandle(forWritingTo: files.output)
      process.standardInput = input
      try process.run()
      return process
    }

    @Test(arguments: [false, true])
    func `A second writer fails, or waits until the first one closes the journal or is killed`(
      isKilled: Bool
    ) async throws {
      let stage = try await JournalStage(.writing)
      try stage.reset()
      let (input, files) = (Pipe(), try OutputFiles())
      defer { files.remove() }
      let first = try start("open,100,wait,100,close", in: stage, input, files)
      while !files.text(of: files.output).contains("acknowledged") {}
      let impatient = try stage.scene.run(JournalCase.writing.operation(firstSeed: 150))
      #expect(impatient.output.contains("refused open journalInUse"))
      let (none, later) = (Pipe(), try OutputFiles())
      defer { later.remove() }
      let second = try start("open,100,close", in: stage, none, later, ["--patience=60000"])
      while !later.text(of: later.output).contains("begin") {}
      if isKilled { kill(first.processIdentifier, SIGKILL) }
      try input.fileHandleForWriting.close()
      first.waitUntilExit()
      second.waitUntilExit()
      let found = try await JournalFinding(
        stage.journal, key: stage.scene.key, skippingDamage: false)
      // Both processes count their seeds from 100.
      #expect(found.entries.map(\.seed) == [0, 1, 2, 100] + (isKilled ? [100] : [101, 100]))
      #expect(second.terminationStatus == 0)
    }

    @Test(.needs(.strace, .compiler), arguments: [false, true])
    func `A writer that is stopped at any system call is not disturbed by another one`(
      isPatient: Bool
    ) async throws {
      let stage = try await JournalStage(.writing)
      var ledger = Ledger("a second writer at system calls of the first, patient: \(isPatient)")
      let (first, second) = (stage.scene.root + "/first", stage.scene.root + "/second")
      let other = JournalCase.writing.operation(
        firstSeed: 150, options: isPatient ? ["--patience=60000"] : [])
      for offset in FaultSettings.offsets(count: .max, of: isPatient ? 1 : 0) {
        try stage.reset()
        let programs =
          [try Scene.subject] + JournalCase.writing.operation.arguments(in: stage.scene.directory)
          + ["--", try Scene.subject] + other.arguments(in: stage.scene.directory)
        let race = try Command.run(
          [try Tools.stopAt.get(), "\(offset + 1)", first, second] + programs,
          environment: stage.scene.environment)
        try #require(race.status == 0, "\(race.output)")
        if race.output.hasPrefix("past") { break }
        let text = try [first, second].map { try String(contentsOfFile: $0, encoding: .utf8) }
        let both = Command(output: text.joined(), error: "", status: 0)
        _ = try await stage.check(both, race.output)
        let codes = try JournalReport(both.output).codes
        let isExpected = isPatient ? codes == [] : codes == [] || codes == ["journalInUse"]
        #expect(isExpected, "\(race.output) \(both.output)")
        ledger.count(codes.isEmpty ? "both wrote" : "one was refused")
      }
      #expect(isPatient || ledger.outcomes["one was refused"] ?? 0 > 0)
      try ledger.close()
    }

    @Test(.needs(.compiler))
    func `A journal is whole when the clock jumps between its writers`() async throws {
      let shim = try Tools.shortTransfers.get()
      let stage = try await JournalStage(.writing)
      try stage.reset()
      var expected = stage.start.entries.map(\.seed)
      for (index, seconds) in ["4290000000", "0", "-100000", "1700000000", "60"].enumerated() {
        let seed = UInt8(100 + 10 * index)
        let operation = JournalCase.writing.operation(
          firstSeed: Int(seed), options: ["--age=60"])
        let command = try stage.scene.run(
          operation, under: ["env", "LD_PRELOAD=\(shim)", "KEEPSAKE_CLOCK=\(seconds)"])
        try #require(command.error.contains("clock stopped"))
        #expect(try JournalReport(command.output).codes.isEmpty, "\(command.output)")
        expected += [seed, seed + 1, seed + 2]
      }
      let found = try await JournalFinding(
        stage.journal, key: stage.scene.key, skippingDamage: false)
      #expect(found.entries.map(\.seed) == expected && found.wrong.isEmpty)
      #expect(found.entries.map(\.number) == (0..<UInt64(expected.count)).map { $0 })
    }
  }
}
