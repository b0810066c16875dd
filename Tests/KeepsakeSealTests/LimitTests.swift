import Testing

@testable import KeepsakeSeal

@Suite struct `A hostile header` {
  /// A preamble with one field replaced, which is all that a reader looks at first.
  private func opened(
    _ offset: Int, _ field: [UInt8], policy: SealPolicy = .default
  ) throws -> SealError.Code? {
    let sample = try Sample(count: 10)
    var bytes = sample.bytes
    bytes.replaceSubrange(offset..<offset + field.count, with: field)
    return code { try OpenedSealedFile(bytes: bytes, keys: [sample.key], policy: policy) }
  }

  private func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(number)
    return bytes
  }

  @Test func `Another magic, version, suite, flag or chunk size is named`() throws {
    #expect(try opened(0, Array("SQLite f".utf8)) == .notSealedFile)
    #expect(try opened(4, [0x0A]) == .notSealedFile)
    #expect(try opened(8, [1]) == .unsupportedVersion)
    #expect(try opened(8, [255]) == .unsupportedVersion)
    #expect(try opened(9, [0]) == .unsupportedSuite)
    #expect(try opened(9, [2]) == .unsupportedSuite)
    #expect(try opened(11, [1]) == .unsupportedFlags)
    #expect(try opened(11, [0x80]) == .unsupportedFlags)
    for exponent: UInt8 in [0, 11, 13, 21, 255] {
      #expect(try opened(10, [exponent]) == .malformedHeader)
    }
  }

  @Test func `Counts and lengths beyond the format's caps are malformed`() throws {
    for count: UInt32 in [0, 33, 255, .max] {
      #expect(try opened(16, littleEndian(count)) == .malformedHeader)
    }
    for length: UInt32 in [65_537, .max] {
      #expect(try opened(20, littleEndian(length)) == .malformedHeader)
    }
    for length: UInt32 in [0, 59, 65_537, .max] {
      #expect(try opened(24, littleEndian(length)) == .malformedHeader)
    }
    for length: UInt32 in [0, 128, .max] {
      #expect(try opened(12, littleEndian(length)) == .malformedHeader)
    }
    #expect(try opened(12, littleEndian(UInt32.max) + littleEndian(UInt32.max)) == .malformedHeader)
    for offset in [28, 31, 40, 63] {
      #expect(try opened(offset, [1]) == .malformedHeader)
    }
  }

  @Test func `A payload length of any size is refused without allocating for it`() throws {
    for length: UInt64 in [.max, 1 << 63, (1 << 44) + 1] {
      #expect(try opened(32, littleEndian(length)) == .malformedHeader)
    }
    for length: UInt64 in [1 << 44, (64 << 30) + 1] {
      #expect(try opened(32, littleEndian(length)) == .limitExceeded)
    }
    #expect(try opened(32, littleEndian(UInt64(64) << 30)) == .truncated)
    #expect(try opened(32, littleEndian(UInt64(0))) == .trailingBytes)
  }

  /// Spec/seal.md, sections 2 and 4.2.
  @Test func `A policy of one's own begins with the caps of the specification`() {
    let policy = SealPolicy()
    #expect(policy.maximumSlotCount == 32)
    #expect(policy.maximumPublicMetadataLength == 65_536)
    #expect(policy.maximumEncryptedMetadataLength == 65_536)
    #expect(policy.maximumPlaintextLength == 64 << 30)
    #expect(policy.maximumReadLength == 1 << 30)
    #expect(policy.maximumPassphrasePasses == 16)
    #expect(policy.maximumPassphraseMemory == 1 << 30)
    #expect(policy.maximumPassphraseWork == 4 << 30)
  }

  @Test func `A policy lowers each cap`() throws {
    let sample = try Sample(count: 10)
    for policy in [
      SealPolicy(maximumSlotCount: 0), SealPolicy(maximumPublicMetadataLength: 5),
      SealPolicy(maximumEncryptedMetadataLength: 64), SealPolicy(maximumPlaintextLength: 9),
    ] {
      #expect(
        code { try OpenedSealedFile(bytes: sample.bytes, keys: [sample.key], policy: policy) }
          == .limitExceeded)
      #expect(
        code { try SealedFile.inspect(bytes: sample.bytes, policy: policy) } == .limitExceeded)
    }
    let exact = SealPolicy(
      maximumSlotCount: 1, maximumPublicMetadataLength: 6, maximumEncryptedMetadataLength: 65,
      maximumPlaintextLength: 10, maximumReadLength: 9)
    let opened = try OpenedSealedFile(bytes: sample.bytes, keys: [sample.key], policy: exact)
    #expect(code { try opened.read() } == .limitExceeded)
    #expect(try opened.read(1..<10) == Array(sample.plaintext[1...]))
  }

  @Test func `A slot with stray bytes, or of type 0, is malformed`() throws {
    let sample = try Sample(count: 10)
    for offset in [130, 132, 136, 140, 144, 152, 183, 288, 319] {
      let bytes = try sample.forged { $0[offset] = 1 }
      #expect(code { try sample.read(bytes) } == .malformedHeader)
    }
    let bytes = try sample.forged { $0[128] = 0 }
    #expect(code { try sample.read(bytes) } == .malformedHeader)
  }

  @Test func `Hostile metadata under a right key is malformed`() throws {
    let key = try SecretBytes.random(count: 32)
    let nonce = pattern(24)
    func opened(_ message: [UInt8]) throws -> SealError.Code? {
      let sealed = try nonce + XChaCha20Poly1305.seal(message, key: key, nonce: nonce)
      return code { try EncryptedMetadata(opening: sealed, key: key) }
    }
    let numbers = [UInt8](repeating: 0, count: 16)
    #expect(try opened(numbers + [1, 0, 0, 0, 65]) == nil)
    #expect(try opened(numbers + [0, 0, 0, 0, 65]) == .malformedHeader)
    #expect(try opened(numbers + [2, 0, 0, 0, 65]) == .malformedHeader)
    #expect(try opened(numbers + [255, 255, 255, 255]) == .malformedHeader)
    #expect(try opened(numbers + [1, 0, 0, 0, 0xFF]) == .malformedHeader)
    let long = [UInt8](repeating: 65, count: 1025)
    #expect(try opened(numbers + [1, 4, 0, 0] + long) == .malformedHeader)
  }

  @Test func `Two plaintext lengths that differ are malformed, whoever wrote them`() throws {
    let fileID = pattern(32)
    let schedule = KeySchedule(
      dataKey: try SecretBytes.random(count: 32), chunkSize: .kibibytes4, fileID: fileID,
      publicMetadata: [], context: [])
    func verified(_ length: UInt64) throws -> SealError.Code? {
      let metadata = EncryptedMetadata(plaintextLength: length, generation: 0, creator: "")
      let sealed = try metadata.sealed(key: schedule.metadataKey(), nonce: pattern(24))
      let preamble = Preamble(
        chunkSize: .kibibytes4, slotCount: 0, publicMetadataLength: 0,
        encryptedMetadataLength: sealed.count, payloadLength: 5, fileID: fileID,
        commitment: try schedule.commitment())
      let header = try SealedHeader(
        preamble: preamble, slots: [], publicMetadata: [], encryptedMetadata: sealed,
        mac: schedule.headerMAC(of:))
      return code { try header.verify(schedule) }
    }
    #expect(try verified(5) == nil)
    #expect(try verified(4) == .malformedHeader)
  }
}
