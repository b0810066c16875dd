/// The first 128 bytes of a sealed file (Spec/seal.md, section 2).
struct Preamble: Sendable {
  var chunkSize: SealOptions.ChunkSize
  var isSigned = false
  var slotCount: Int
  var publicMetadataLength: Int
  var encryptedMetadataLength: Int
  var payloadLength: UInt64
  var fileID: [UInt8]
  var commitment: [UInt8]

  /// Section 2: the header length is a function of the other fields.
  var headerLength: Int {
    SealFormat.preambleLength + slotCount * SealFormat.slotLength + publicMetadataLength
      + encryptedMetadataLength + SealFormat.macLength + SealFormat.checkLength
  }

  var bytes: [UInt8] {
    [UInt8].laidOut(SealFormat.preambleLength) { write(to: &$0) }
  }

  /// Appends the 128 bytes.
  func write(to bytes: inout OutputSpan<UInt8>) {
    bytes.append(SealFormat.magic)
    bytes.append(SealFormat.version)
    bytes.append(SealFormat.suite)
    bytes.append(chunkSize.rawValue)
    bytes.append(isSigned ? SealFormat.signedFlag : 0)
    bytes.appendLittleEndian(UInt32(headerLength))
    bytes.appendLittleEndian(UInt32(slotCount))
    bytes.appendLittleEndian(UInt32(publicMetadataLength))
    bytes.appendLittleEndian(UInt32(encryptedMetadataLength))
    bytes.appendLittleEndian(UInt32(0))
    bytes.appendLittleEndian(payloadLength)
    // Reserved bytes.
    for _ in 0..<3 { bytes.appendLittleEndian(UInt64(0)) }
    bytes.append(fileID)
    bytes.append(commitment)
  }
}

extension ChunkLayout {
  /// The layout that is known without a key, as if the whole payload were plaintext.
  init(_ preamble: Preamble) {
    // The policy's limit is an `Int`, and the length was checked against it, so nothing is clamped here.
    self.init(preamble, plaintextLength: Int(clamping: preamble.payloadLength))
  }

  init(_ preamble: Preamble, plaintextLength: Int) {
    self.init(
      headerLength: preamble.headerLength, chunkSize: preamble.chunkSize.byteCount,
      payloadLength: Int(clamping: preamble.payloadLength), plaintextLength: plaintextLength,
      isSigned: preamble.isSigned)
  }
}

extension Preamble {
  /// Reads the first 128 bytes.
  ///
  /// All rules are checked before memory is allocated for the lengths in the fields.
  init(parsing bytes: [UInt8], policy: SealPolicy) throws(SealError) {
    guard !bytes.isEmpty else { throw SealError(.emptyFile) }
    // Section 2: a file that does not start with the magic is of another kind, even if it is shorter than the magic.
    guard bytes.prefix(8).elementsEqual(SealFormat.magic.prefix(bytes.count)) else {
      throw SealError(.notSealedFile)
    }
    guard bytes.count >= SealFormat.preambleLength else {
      throw SealError(.truncated, detail: "it ends within the first 128 bytes")
    }
    try Preamble.requireKnownFormat(bytes)
    guard let chunkSize = SealOptions.ChunkSize(rawValue: bytes[10]) else {
      throw SealError(.malformedHeader, detail: "chunk size exponent \(bytes[10])")
    }
    // Section 2: reserved bytes MUST be zero.
    guard bytes.isZero(28..<32), bytes.isZero(40..<64) else {
      throw SealError(.malformedHeader, detail: "reserved bytes are not zero")
    }
    self.chunkSize = chunkSize
    isSigned = bytes[11] & SealFormat.signedFlag != 0
    slotCount = try Preamble.count(
      bytes, at: 16, within: 1...SealFormat.maximumSlotCount, cap: policy.maximumSlotCount,
      name: "slot count", option: "maximumSlotCount")
    publicMetadataLength = try Preamble.count(
      bytes, at: 20, within: 0...SealFormat.maximumMetadataLength,
      cap: policy.maximumPublicMetadataLength, name: "public metadata length",
      option: "maximumPublicMetadataLength")
    encryptedMetadataLength = try Preamble.count(
      bytes, at: 24,
      within: SealFormat.minimumEncryptedMetadataLength...SealFormat.maximumMetadataLength,
      cap: policy.maximumEncryptedMetadataLength, name: "encrypted metadata length",
      option: "maximumEncryptedMetadataLength")
    payloadLength = bytes.littleEndian(at: 32, as: UInt64.self)
    fileID = Array(bytes[64..<96])
    commitment = Array(bytes[96..<128])
    guard UInt32(headerLength) == bytes.littleEndian(at: 12, as: UInt32.self) else {
      throw SealError(.malformedHeader, detail: "header length does not add up")
    }
    try requirePayloadLength(policy)
  }

  /// Section 2: an unknown version, suite or flag is refused, never skipped.
  private static func requireKnownFormat(_ bytes: [UInt8]) throws(SealError) {
    guard bytes[8] != SealFormat.draftVersion else { throw SealError(.draftVersion) }
    guard bytes[8] == SealFormat.version else {
      throw SealError(.unsupportedVersion, detail: "version \(bytes[8])")
    }
    guard bytes[9] == SealFormat.suite else {
      throw SealError(.unsupportedSuite, detail: "suite \(bytes[9])")
    }
    guard bytes[11] & ~SealFormat.signedFlag == 0 else {
      throw SealError(.unsupportedFlags, detail: "flags \(bytes[11])")
    }
  }

  private static func count(
    _ bytes: [UInt8], at offset: Int, within range: ClosedRange<Int>, cap: Int, name: String,
    option: String
  ) throws(SealError) -> Int {
    let stated = bytes.littleEndian(at: offset, as: UInt32.self)
    guard let count = Int(exactly: stated), range.contains(count) else {
      throw SealError(.malformedHeader, detail: "\(name) \(stated)")
    }
    guard count <= cap else {
      throw SealError(.limitExceeded, detail: "\(name) \(stated), SealPolicy.\(option) is \(cap)")
    }
    return count
  }

  /// Section 6: at most 2^32 chunks, which also keeps all later sums far from overflow.
  private func requirePayloadLength(_ policy: SealPolicy) throws(SealError) {
    guard payloadLength <= SealFormat.maximumChunkCount << UInt64(chunkSize.rawValue) else {
      throw SealError(.malformedHeader, detail: "payload length \(payloadLength)")
    }
    guard let length = Int(exactly: payloadLength), length <= policy.maximumPayloadLength else {
      throw SealError(
        .limitExceeded,
        detail: "payload of \(payloadLength) bytes, SealPolicy.maximumPayloadLength is "
          + "\(policy.maximumPayloadLength)")
    }
  }
}
