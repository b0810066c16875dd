import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `A hostile header` {
  /// Opens a file with one field of its preamble replaced, which a reader checks first.
  private func opened(
    _ offset: Int, _ field: [UInt8], policy: SealPolicy = SealPolicy()
  ) throws -> SealError.Code? {
    let sample = try Sample(count: 10)
    var bytes = sample.bytes
    bytes.replaceSubrange(offset..<offset + field.count, with: field)
    return code { try SealedFile.open(bytes: bytes, with: [.key(sample.key)], policy: policy) }
  }

  private func littleEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(number)
    return bytes
  }

  @Test func `An unknown magic, version, suite, flag or chunk size has its own error`() throws {
    #expect(try opened(0, Array("SQLite f".utf8)) == .notSealedFile)
    #expect(try opened(4, [0x0A]) == .notSealedFile)
    #expect(try opened(8, [0]) == .draftVersion)
    #expect(try opened(8, [2]) == .unsupportedVersion)
    #expect(try opened(8, [255]) == .unsupportedVersion)
    #expect(try opened(9, [0]) == .unsupportedSuite)
    #expect(try opened(9, [2]) == .unsupportedSuite)
    #expect(try opened(11, [2]) == .unsupportedFlags)
    #expect(try opened(11, [0x80]) == .unsupportedFlags)
    for exponent: UInt8 in [0, 11, 13, 21, 255] {
      #expect(try opened(10, [exponent]) == .malformedHeader)
    }
  }

  @Test func `Counts and lengths beyond the limits of the format are malformed`() throws {
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

  /// Spec/seal.md, section 7.1.
  @Test func `A new policy has the limits of the specification`() {
    let policy = SealPolicy()
    #expect(policy.maximumSlotCount == 32)
    #expect(policy.maximumPublicMetadataLength == 65_536)
    #expect(policy.maximumEncryptedMetadataLength == 65_536)
    #expect(policy.maximumPayloadLength == 64 << 30)
    #expect(policy.maximumReadLength == 1 << 30)
    #expect(policy.maximumPassphrasePasses == 3)
    #expect(policy.maximumPassphraseMemory == 256 << 20)
    #expect(policy.maximumPassphraseWork == 3 << 30)
    // A reader opens by default every file that a writer writes by default.
    let options = SealOptions()
    #expect(options.maximumPayloadLength == policy.maximumPayloadLength)
    #expect(PassphraseCost.standard.passes == policy.maximumPassphrasePasses)
    #expect(PassphraseCost.standard.memoryByteCount == policy.maximumPassphraseMemory)
    #expect(4 * PassphraseCost.standard.work == UInt64(policy.maximumPassphraseWork))
  }

  @Test func `A policy can lower each limit`() throws {
    let sample = try Sample(count: 10)
    for policy in [
      SealPolicy(maximumSlotCount: 0), SealPolicy(maximumPublicMetadataLength: 5),
      SealPolicy(maximumEncryptedMetadataLength: 64), SealPolicy(maximumPayloadLength: 9),
    ] {
      #expect(
        code { try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)], policy: policy) }
          == .limitExceeded)
      #expect(
        code { try SealedFile.inspect(bytes: sample.bytes, policy: policy) } == .limitExceeded)
    }
    let exact = SealPolicy(
      maximumSlotCount: 1, maximumPublicMetadataLength: 6, maximumEncryptedMetadataLength: 65,
      maximumPayloadLength: 10, maximumReadLength: 9)
    let opened = try SealedFile.open(bytes: sample.bytes, with: [.key(sample.key)], policy: exact)
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
      return code { try EncryptedMetadata(opening: sealed[...], key: key) }
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

  @Test func `The error of an exceeded limit names the option that raises it`() throws {
    let sample = try Sample(count: 10)
    for (policy, text) in [
      (SealPolicy(maximumSlotCount: 0), "slot count 1, SealPolicy.maximumSlotCount is 0"),
      (
        SealPolicy(maximumPublicMetadataLength: 5),
        "public metadata length 6, SealPolicy.maximumPublicMetadataLength is 5"
      ),
      (
        SealPolicy(maximumEncryptedMetadataLength: 64),
        "encrypted metadata length 65, SealPolicy.maximumEncryptedMetadataLength is 64"
      ),
      (
        SealPolicy(maximumPayloadLength: 9),
        "payload of 10 bytes, SealPolicy.maximumPayloadLength is 9"
      ),
    ] {
      let failure = error { try SealedFile.inspect(bytes: sample.bytes, policy: policy) }
      #expect(failure == SealError(.limitExceeded, detail: text))
    }
    let opened = try SealedFile.open(
      bytes: sample.bytes, with: [.key(sample.key)], policy: SealPolicy(maximumReadLength: 9))
    #expect(
      error { try opened.read() }?.detail
        == "a read of 10 bytes, SealPolicy.maximumReadLength is 9")
  }

  // Holds [S-110].
  @Test func `A writer refuses a payload that readers refuse by default`() throws {
    let plan = try SealPlan(recipients: [.key(.generate())], options: SealOptions())
    let limit = 64 << 30
    #expect(try plan.header(plaintextLength: limit).preamble.payloadLength == UInt64(limit))
    let failure = error { try plan.header(plaintextLength: limit + 1) }
    #expect(failure?.code == .limitExceeded)
    #expect(
      failure?.description.contains("SealOptions.maximumPayloadLength is 68719476736") == true)
    // The padding counts too, and the limit can be set.
    let options = SealOptions(padding: .padme, maximumPayloadLength: 1_023)
    func seal(_ count: Int) throws -> SealError? {
      error { try SealedFile.seal(pattern(count).span, for: [.key(.generate())], options: options) }
    }
    #expect(try seal(992) == nil)
    #expect(try seal(993)?.code == .limitExceeded)
    try withTemporaryDirectory { directory in
      let writer = try SealedFileWriter(
        to: directory + "/f", for: [.key(.generate())], options: options)
      try writer.write(pattern(992).span)
      #expect(error { try writer.write([1].span) }?.code == .limitExceeded)
      #expect(try names(in: directory).contains("f") == false)
    }
  }

  @Test func `A plaintext length that contradicts the payload length is malformed`() throws {
    let fileID = pattern(32)
    let schedule = KeySchedule(
      dataKey: try SecretBytes.random(count: 32), chunkSize: .kibibytes4, fileID: fileID,
      publicMetadata: [], context: [])
    func verified(_ length: UInt64, payload: UInt64 = 5) throws -> SealError.Code? {
      let metadata = EncryptedMetadata(plaintextLength: length, generation: 0, creator: "")
      let sealed = try metadata.sealed(key: schedule.metadataKey(), nonce: pattern(24))
      let preamble = Preamble(
        chunkSize: .kibibytes4, slotCount: 0, publicMetadataLength: 0,
        encryptedMetadataLength: sealed.count, payloadLength: payload, fileID: fileID,
        commitment: try schedule.commitment())
      let header = try SealedHeader(
        preamble: preamble, slots: [], publicMetadata: [], encryptedMetadata: sealed[...],
        mac: schedule.headerMAC(of:))
      return code { try header.verify(schedule) }
    }
    #expect(try verified(5) == nil)
    #expect(try verified(4) == .malformedHeader)
    #expect(try verified(6) == .malformedHeader)
    #expect(try verified(.max) == .malformedHeader)
    // Padmé pads 9 to 10, and no other length to 10.
    #expect(try verified(9, payload: 10) == nil)
    #expect(try verified(8, payload: 10) == .malformedHeader)
    #expect(try verified(9, payload: 11) == .malformedHeader)
  }
}
