import Testing

extension FaultSuite {
  @Suite struct `A process under unusual conditions` {
    private func preloaded(
      _ operation: FaultOperation, in scene: Scene, _ variable: String, said: String
    ) throws -> Command {
      let shim = try Tools.shortTransfers.get()
      let command = try scene.run(operation, under: ["env", "LD_PRELOAD=\(shim)", variable])
      try #require(command.error.contains(said), "the fault did not fire: \(command.error)")
      return command
    }

    @Test(.needs(.compiler), arguments: [FaultOperation.seal, .replace, .create, .key])
    func `A process writes whole files with any number of bytes at a time`(
      operation: FaultOperation
    ) throws {
      let scene = try Scene()
      var ledger = Ledger("short writes in \(operation.testDescription)")
      for count in [1, 7, 16, 47, 2_048] where operation.testDescription != "key" || count < 48 {
        try scene.reset(for: operation)
        let command = try preloaded(
          operation, in: scene, "KEEPSAKE_TRANSFER=\(count)", said: "shortened")
        ledger.count(
          try ErrorCheck.check(command, of: operation, in: scene, "\(count) bytes"))
        #expect(command.status == 0)
      }
      try ledger.close()
    }

    @Test(.needs(.compiler))
    func `A process reads whole files with any number of bytes at a time`() throws {
      let scene = try Scene()
      let operation = FaultOperation(
        "open", ["open", "%/state"], from: FaultOperation.seal.old.entries,
        to: FaultOperation.seal.old.entries)
      var ledger = Ledger("short reads in open")
      for count in [1, 7, 16, 4_112] {
        try scene.reset(for: operation)
        let command = try preloaded(
          operation, in: scene, "KEEPSAKE_TRANSFER=\(count)", said: "shortened")
        #expect(command.status == 0 && command.output.contains("read 5000"))
        ledger.count("success")
      }
      try ledger.close()
    }

    @Test(.needs(.compiler), arguments: ["0", "4290000000", "-100000"])
    func `A process works with any clock`(seconds: String) throws {
      let scene = try Scene()
      for operation in [FaultOperation.seal, .key] {
        try scene.reset(for: operation)
        let shim = try Tools.shortTransfers.get()
        let clock = ["env", "LD_PRELOAD=\(shim)", "KEEPSAKE_CLOCK=\(seconds)"]
        // A program that prints the time shows that the clock really differs.
        let date = try Command.run(clock + ["date", "+%s"])
        try #require(date.output == seconds + "\n", "the fault did not fire: \(date.error)")
        let command = try scene.run(operation, under: clock)
        #expect(command.status == 0)
        #expect(try scene.outcome(of: operation, seconds) == .new)
      }
    }

    // When the length of the header changes, the blocks of the payload start at other offsets.
    @Test(.needs(.strace), arguments: [true, false])
    func `Blocks are shared only when the header keeps its length`(
      keepsLength: Bool
    ) throws {
      let scene = try Scene()
      let entries = FaultOperation.rewrap.old.entries
      let operation =
        keepsLength
        ? FaultOperation("exchange slots", ["exchange", "%/state"], from: entries, to: entries)
        : FaultOperation.rewrap
      try scene.reset(for: operation)
      let (command, lines) = try SystemCall.traced(operation, in: scene, ["-e", "trace=ioctl"])
      #expect(command.status == 0, "\(command.output)")
      // strace shows the name of the request or its number.
      let requestCount = lines.count { $0.contains("FICLONE") || $0.contains("0x40049409") }
      #expect(requestCount == (keepsLength ? 1 : 0))
      let content = try DirectoryContent(of: scene.directory, key: scene.key)
      #expect(content.entries == operation.new.entries && content.strays == [])
    }

    @Test(arguments: [[], ["--threads"]])
    func `A cancelled process leaves the old file and no stray`(options: [String]) throws {
      let scene = try Scene()
      let old = FaultOperation.largeSeal
      let operation = FaultOperation(
        "cancel", ["cancel"] + old.arguments.dropFirst() + options, from: old.old.entries,
        to: old.new.entries)
      try scene.reset(for: operation)
      let command = try scene.run(operation)
      #expect(command.output.contains("failed cancelled 0"), "\(command.output)")
      #expect(try ErrorCheck.check(command, of: operation, in: scene, "") == "error, old")
    }
  }
}
