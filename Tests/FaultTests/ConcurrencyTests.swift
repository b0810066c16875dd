import Foundation
import KeepsakeSeal
import Testing

extension FaultSuite {
  @Suite struct `Several processes at one file` {
    /// Starts the subject, which seals `count` generations one after the other.
    private func resealing(
      _ count: Int, size: Int, in scene: Scene, files: OutputFiles
    ) throws -> Process {
      try Command.start(
        [Scene.subject, "reseal", scene.directory + "/state", String(count), String(size)],
        environment: scene.environment, files: files)
    }

    @Test func `Several writers leave one whole file, and readers see only whole files`() throws {
      let scene = try Scene()
      var ledger = Ledger("readings while 8 processes write")
      try scene.reset(for: .seal)
      let files = try (0..<8).map { _ in try OutputFiles() }
      defer { for file in files { file.remove() } }
      let writers = try files.map { try resealing(40, size: 20_000, in: scene, files: $0) }
      var generations: Set<UInt64> = []
      while writers.contains(where: \.isRunning) {
        let file = try SealedFile.open(scene.directory + "/state", with: [.key(scene.key)])
        let bytes = try file.read()
        #expect(Set(bytes) == [UInt8(truncatingIfNeeded: file.generation)])
        generations.insert(file.generation)
        ledger.count("whole")
      }
      for (writer, output) in zip(writers, files) {
        #expect(writer.terminationStatus == 0, "\(output.text(of: output.output))")
      }
      try #require(generations.count > 1, "the reader saw no replacement")
      let content = try DirectoryContent(of: scene.directory, key: scene.key)
      #expect(content.entries == ["state": .sealed(generation: 40, plaintext(40, 20_000))])
      #expect(content.strays == [])
      ledger.note("different files", generations.count)
      try ledger.close()
    }

    @Test func `The next writer cleans up after several killed writers`() throws {
      let scene = try Scene()
      var ledger = Ledger("SIGKILL of 4 processes that write at once")
      try scene.reset(for: .seal)
      for round in 0..<25 {
        let files = try (0..<4).map { _ in try OutputFiles() }
        defer { for file in files { file.remove() } }
        let writers = try files.map { try resealing(100_000, size: 9_000, in: scene, files: $0) }
        // Each writer has sealed something before it dies; chance decides how much more.
        for output in files {
          while !output.text(of: output.output).contains("sealed \(round % 5 + 1)\n") {}
        }
        for writer in writers { kill(writer.processIdentifier, SIGKILL) }
        for writer in writers { writer.waitUntilExit() }
        let file = try SealedFile.open(scene.directory + "/state", with: [.key(scene.key)])
        #expect(
          try Set(file.read()) == [UInt8(truncatingIfNeeded: file.generation)], "round \(round)")
        try DurableFile.replace(at: scene.directory + "/next", with: [1].span)
        let after = try DirectoryContent(of: scene.directory, key: scene.key)
        #expect(after.strays == [] && after.entries.keys.sorted() == ["next", "state"])
        ledger.count("whole")
      }
      try ledger.close()
    }

    @Test func `A writer does not disturb a reader of the old file`() throws {
      let scene = try Scene()
      try scene.reset(for: .largeSeal)
      let old = try SealedFile.open(scene.directory + "/state", with: [.key(scene.key)])
      #expect(try old.read(0..<10) == plaintext(1, 10))
      #expect(try scene.run(.largeSeal).status == 0)
      #expect(try old.read() == plaintext(1, 1_300_000))
      let new = try SealedFile.open(scene.directory + "/state", with: [.key(scene.key)])
      #expect(new.generation == 2)
    }

    // This package never writes into a file in place; here another program does.
    @Test func `A change of a file in place is detected and crashes no reader`() throws {
      let scene = try Scene()
      try scene.reset(for: .seal)
      let path = scene.directory + "/state"
      let file = try SealedFile.open(path, with: [.key(scene.key)])
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try handle.seek(toOffset: UInt64(file.summary.headerLength + 4_200))
      try handle.write(contentsOf: Data([0, 1, 2, 3]))
      let damage = #expect(throws: SealError.self) { try file.read() }
      #expect(damage?.code == .damagedChunk && damage?.chunkIndex == 1)
      #expect(try file.read(0..<4_096) == plaintext(1, 4_096))
      try handle.truncate(atOffset: UInt64(file.summary.headerLength + 100))
      let failure = #expect(throws: SealError.self) { try file.read(0..<4_096) }
      #expect(failure?.code == .truncated)
    }
  }
}
