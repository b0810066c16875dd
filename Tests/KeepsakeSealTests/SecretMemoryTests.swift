import TestSupport

#if os(Linux)
  import Foundation
  import Testing

  @testable import KeepsakeFiles
  @testable import KeepsakeSeal

  /// Secrets here are arithmetic progressions, which a scan can find in memory without a copy to compare
  /// with.
  @Suite struct `The memory of secrets` {
    @Test func `The scan of memory finds a key in use`() async {
      await #expect(processExitsWith: .success) {
        let key = SealKey(secret: try progression(32))
        #expect(try isProgressionInMemory())
        #expect(key.secret.count == 32)
      }
    }

    @Test func `A released key leaves nothing in memory`() async {
      await #expect(processExitsWith: .success) {
        for _ in 0..<3 { try use() }
        #expect(try !isProgressionInMemory())
      }
    }

    @Test func `Memory that is reported as locked is locked`() throws {
      // Other tests may hold no secret at this moment.
      let key = try SealKey.generate()
      defer { withExtendedLifetime(key) {} }
      let text = String(decoding: try contents(of: "/proc/self/status"), as: UTF8.self)
      let locked = text.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
      let kilobytes = locked?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      #expect(SealKey.isMemoryLocked == (kilobytes > 0))
    }

    // libsodium maps and unmaps Argon2id's memory itself, so it cannot be marked.
    @Test
    func `A core dump has no ordinary memory while Argon2id works, and has it again afterwards`()
      async
    {
      await #expect(processExitsWith: .success) {
        // A process starts with the filter of its parent, where another test may be deriving a key.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "/proc/self/coredump_filter"))
        try file.write(contentsOf: Data("0x33".utf8))
        try file.close()
        let before = try filter()
        try #require(before == 0x33)
        let seen = Monitor(false)
        let deriving = Thread {
          let passphrase = try? passphrase("p")
          for _ in 0..<3 {
            guard let passphrase else { return }
            _ = try? Argon2id.derive(
              passphrase.secret, salt: pattern(16), passes: 3, memoryByteCount: 64 << 20)
          }
        }
        deriving.start()
        while !deriving.isFinished {
          if try filter() == before & ~1 { seen.withLock { $0 = true } }
        }
        #expect(seen.withLock { $0 })
        #expect(try filter() == before)
        // If several run at once, the last one restores the filter.
        CoreDumps.withoutMemory {
          CoreDumps.withoutMemory {}
          #expect((try? filter()) == before & ~1)
        }
        #expect(try filter() == before)
      }
    }

    @Test func `Cells are reused, and are zero when they are taken`() throws {
      for _ in 0..<1000 {
        let first = try SecretBytes.random(count: 32)
        let second = try SecretBytes(copying: pattern(64).span)
        #expect(
          try SecretBytes(count: 64, writing: { _ in }).publicBytes(0..<64).allSatisfy { $0 == 0 })
        #expect(second.publicBytes(0..<64) == pattern(64))
        #expect(!first.publicBytes(0..<32).allSatisfy { $0 == 0 })
      }
    }
  }

  /// Seals and opens with a raw key, a passphrase and an identity, each a progression.
  private func use() throws {
    let key = SealKey(secret: try progression(32))
    let identity = try X25519Identity(secret: try progression(32))
    let passphrase = SealPassphrase(secret: try progression(48))
    let bytes = try SealedFile.seal(
      [1, 2, 3].span,
      for: [.key(key), .x25519(identity.recipient), .passphrase(passphrase, cost: .cheap)],
      options: SealOptions(allowsMixedPassphrase: true))
    for unlocking in [.key(key), .x25519(identity), .passphrase(passphrase)] as [SealIdentity] {
      #expect(try SealedFile.open(bytes: bytes, with: [unlocking]).read() == [1, 2, 3])
    }
    _ = try KeyFile.encode(key)
    _ = try TextForm.identity.text(of: identity.secret)
  }

  /// The filter of this process's core dumps.
  private func filter() throws -> Int {
    let text = String(decoding: try contents(of: "/proc/self/coredump_filter"), as: UTF8.self)
    return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16))
  }

  private let step: UInt8 = 37

  private func progression(_ count: Int) throws -> SecretBytes {
    try SecretBytes(count: count) { output in
      for index in 0..<count { output.append(UInt8(truncatingIfNeeded: 1 + index * Int(step))) }
    }
  }

  /// True when 32 bytes of a progression are stored at an aligned address of writable memory.
  private func isProgressionInMemory() throws -> Bool {
    // Another process copies the list: Foundation stops reading it after its first part.
    let process = ProcessInfo.processInfo.processIdentifier
    let maps = try withTemporaryDirectory { directory in
      _ = run("cp", "/proc/\(process)/maps", directory + "/maps")
      return String(decoding: try contents(of: directory + "/maps"), as: UTF8.self)
    }
    let memory = try Directory(path: "/proc/self").openForReading("mem")
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields[1].hasPrefix("rw") else { continue }
      let bounds = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      // The shadow memory of a sanitizer has terabytes, and holds no secrets.
      guard bounds[1] - bounds[0] < 1 << 30 else { continue }
      for start in stride(from: bounds[0], to: bounds[1], by: 1 << 20) {
        let count = Int(min(1 << 20, bounds[1] - start))
        // Memory that the system lets no process read cannot hold a secret that was left behind.
        guard let bytes = try? memory.readExactly(count, at: start, path: "mem") else { continue }
        if containsProgression(bytes) { return true }
      }
    }
    return false
  }

  private func containsProgression(_ bytes: [UInt8]) -> Bool {
    let span = bytes.span
    var index = 0
    while index + 32 <= span.count {
      if span[index + 1] == span[index] &+ step,
        (1..<31).allSatisfy({ bytes[index + $0 + 1] == bytes[index + $0] &+ step })
      {
        return true
      }
      index += 8
    }
    return false
  }
#endif
