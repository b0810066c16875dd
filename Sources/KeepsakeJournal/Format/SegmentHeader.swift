import KeepsakeSeal

/// The fields of a header that a writer chooses (Spec/journal.md, section 2).
struct SegmentFields: Hashable, Sendable {
  var isAfterDamage = false
  var segment: UInt64
  var firstEntry: UInt64
  /// Milliseconds since 1970.
  var time: Int64
  var framesBefore: UInt64
  var fileNumber: UInt64
  var journalID: [UInt8]
  var digestBefore: [UInt8]
  var publicMetadata: [UInt8] = []
}

/// The header of a segment, whose fields and check are right; no key was tried yet.
struct SegmentHeader: Hashable, Sendable {
  let fields: SegmentFields
  let segmentID: [UInt8]
  private let commitment: [UInt8]
  let bytes: [UInt8]

  /// The number by which frames name their segment.
  var tag: UInt64 { segmentID.littleEndian(at: 0, as: UInt64.self) }
  var length: Int { bytes.count }

  /// The header fields that the keys and the chain are bound to; slots are not among them.
  private var transcript: [UInt8] {
    SegmentHeader.transcript(of: bytes, fields.publicMetadata)
  }

  private static func slotID(_ segmentID: [UInt8]) throws(SealError) -> [UInt8] {
    try Blake2b.hash(JournalLabel.slots, segmentID[...])
  }

  /// The chain value before the first frame.
  func chainStart() throws(JournalError) -> [UInt8] {
    let message = transcript + commitment
    return try asJournal { () throws(SealError) in
      try Blake2b.hash(JournalLabel.segment, message[...])
    }
  }

  /// The point after the header and before the first frame.
  func start() throws(JournalError) -> ChainPoint {
    ChainPoint(
      journalID: fields.journalID, segment: fields.segment, frames: 0,
      nextEntry: fields.firstEntry, digest: try chainStart())
  }
}

// Making and opening headers.
extension SegmentHeader {
  /// Makes the header of a new segment for the recipients, and the cipher of its frames.
  static func make(
    _ fields: SegmentFields, for recipients: [SealRecipient], context: [UInt8],
    randomness: SegmentRandomness
  ) throws(JournalError) -> (header: SegmentHeader, cipher: FrameCipher) {
    try asJournal { () throws(SealError) in
      var bytes = preamble(fields, slotCount: recipients.count, segmentID: randomness.segmentID)
      let keys = SegmentKeys(
        dataKey: randomness.dataKey, transcript: transcript(of: bytes, fields.publicMetadata),
        context: context)
      let commitment = try keys.commitment()
      bytes += commitment
      bytes += try randomness.slots(for: recipients, boundTo: slotID(randomness.segmentID))
      bytes += fields.publicMetadata
      bytes += try keys.headerMAC(of: bytes[...])
      bytes += try Blake2b.hash(bytes, count: JournalFormat.checkLength)
      let header = SegmentHeader(
        fields: fields, segmentID: randomness.segmentID, commitment: commitment, bytes: bytes)
      return (header, try keys.cipher())
    }
  }

  private static func transcript(of bytes: [UInt8], _ publicMetadata: [UInt8]) -> [UInt8] {
    var transcript = Array(bytes[8..<12] + bytes[24..<160])
    transcript.appendLengthPrefixed(publicMetadata)
    return transcript
  }

  /// The preamble without the commitment.
  private static func preamble(
    _ fields: SegmentFields, slotCount: Int, segmentID: [UInt8]
  ) -> [UInt8] {
    var bytes = JournalFormat.magic
    bytes += [
      JournalFormat.version, JournalFormat.suite,
      fields.isAfterDamage ? JournalFormat.afterDamageFlag : 0, 0,
    ]
    let metadataLength = fields.publicMetadata.count
    bytes.appendLittleEndian(UInt32(clamping: length(slotCount, metadataLength)))
    bytes.appendLittleEndian(UInt32(clamping: slotCount))
    bytes.appendLittleEndian(UInt32(clamping: metadataLength))
    bytes.appendLittleEndian(fields.segment)
    bytes.appendLittleEndian(fields.firstEntry)
    bytes.appendLittleEndian(fields.time)
    bytes.appendLittleEndian(fields.framesBefore)
    bytes.appendLittleEndian(fields.fileNumber)
    bytes += fields.journalID
    bytes += [UInt8](repeating: 0, count: 16)
    bytes += segmentID
    bytes += fields.digestBefore
    return bytes
  }

  /// The greatest length of a header.
  static let maximumLength = length(
    SlotTable.maximumSlotCount, JournalFormat.maximumMetadataLength)

  static func length(_ slotCount: Int, _ metadataLength: Int) -> Int {
    JournalFormat.preambleLength + slotCount * SlotTable.slotLength + metadataLength
      + JournalFormat.macLength + JournalFormat.checkLength
  }

  /// Finds the data key with one of the identities, and verifies the header with it.
  func cipher(
    with identities: [SealIdentity], context: [UInt8]
  ) throws(JournalError) -> FrameCipher {
    try asJournal { () throws(SealError) in
      let slotEnd = macOffset - fields.publicMetadata.count
      let slots = try SlotTable(parsing: bytes[JournalFormat.preambleLength..<slotEnd])
      let keys = SegmentKeys(
        dataKey: try slots.dataKey(
          with: identities, boundTo: SegmentHeader.slotID(segmentID)),
        transcript: transcript, context: context)
      let mac = bytes[macOffset..<macOffset + JournalFormat.macLength]
      guard try keys.isHeaderMAC(mac, of: bytes[..<macOffset]) else {
        throw SealError(.damagedHeader)
      }
      guard try keys.isCommitment(commitment) else { throw SealError(.contextMismatch) }
      return try keys.cipher()
    }
  }

  private var macOffset: Int {
    bytes.count - JournalFormat.checkLength - JournalFormat.macLength
  }
}

// Reading headers.
extension SegmentHeader {
  /// Checks the fields of a preamble, and returns the length of the header that begins with it.
  static func length(stating preamble: [UInt8]) throws(JournalError) -> Int {
    guard preamble.prefix(8).elementsEqual(JournalFormat.magic.prefix(preamble.count)) else {
      throw JournalError(.notJournal)
    }
    guard preamble.count >= JournalFormat.preambleLength else {
      throw JournalError(.damagedHeader, detail: "it is cut short")
    }
    guard preamble[8] == JournalFormat.version else {
      throw JournalError(.unsupportedVersion, detail: "version \(preamble[8])")
    }
    guard preamble[9] == JournalFormat.suite else {
      throw JournalError(.unsupportedSuite, detail: "suite \(preamble[9])")
    }
    guard preamble[10] & ~JournalFormat.afterDamageFlag == 0 else {
      throw JournalError(.unsupportedFlags, detail: "flags \(preamble[10])")
    }
    let slotCount = Int(clamping: preamble.littleEndian(at: 16, as: UInt32.self))
    let metadataLength = Int(clamping: preamble.littleEndian(at: 20, as: UInt32.self))
    guard preamble[11] == 0, preamble.isZero(80..<96) else {
      throw JournalError(.malformedHeader, detail: "reserved bytes are not zero")
    }
    guard (1...SlotTable.maximumSlotCount).contains(slotCount) else {
      throw JournalError(.malformedHeader, detail: "\(slotCount) slots")
    }
    guard metadataLength <= JournalFormat.maximumMetadataLength else {
      throw JournalError(
        .malformedHeader, detail: "public metadata of \(metadataLength) bytes")
    }
    let length = length(slotCount, metadataLength)
    guard UInt32(clamping: length) == preamble.littleEndian(at: 12, as: UInt32.self) else {
      throw JournalError(.malformedHeader, detail: "the header length does not add up")
    }
    let fileNumber = preamble.littleEndian(at: 56, as: UInt64.self)
    let segment = preamble.littleEndian(at: 24, as: UInt64.self)
    let firstEntry = preamble.littleEndian(at: 32, as: UInt64.self)
    guard segment <= JournalFormat.maximumNumber, firstEntry <= JournalFormat.maximumNumber,
      (1...JournalFormat.maximumFileNumber).contains(fileNumber)
    else { throw JournalError(.malformedHeader, detail: "a number is out of range") }
    // Section 6: the first segment, and one after damage, continue no other one.
    guard segment > 0 && preamble[10] == 0 || preamble.isZero(48..<56) && preamble.isZero(128..<160)
    else { throw JournalError(.malformedHeader, detail: "frames before the first ones") }
    return length
  }

  /// Reads a header of the length that its preamble states.
  init(parsing bytes: [UInt8]) throws(JournalError) {
    guard try SegmentHeader.length(stating: bytes) == bytes.count else {
      throw JournalError(.damagedHeader, detail: "it is cut short")
    }
    guard try bytes.hasCheck() else { throw JournalError(.damagedHeader) }
    let metadataLength = Int(clamping: bytes.littleEndian(at: 20, as: UInt32.self))
    let macOffset = bytes.count - JournalFormat.checkLength - JournalFormat.macLength
    fields = SegmentFields(
      isAfterDamage: bytes[10] & JournalFormat.afterDamageFlag != 0,
      segment: bytes.littleEndian(at: 24, as: UInt64.self),
      firstEntry: bytes.littleEndian(at: 32, as: UInt64.self),
      time: bytes.littleEndian(at: 40, as: Int64.self),
      framesBefore: bytes.littleEndian(at: 48, as: UInt64.self),
      fileNumber: bytes.littleEndian(at: 56, as: UInt64.self), journalID: Array(bytes[64..<80]),
      digestBefore: Array(bytes[128..<160]),
      publicMetadata: Array(bytes[macOffset - metadataLength..<macOffset]))
    segmentID = Array(bytes[96..<128])
    commitment = Array(bytes[160..<192])
    self.bytes = bytes
  }
}

/// The keys of one segment, all derived from its data key.
private struct SegmentKeys {
  let dataKey: SecretBytes
  let transcript: [UInt8]
  /// The transcript and the context; all keys except that of the header MAC are bound to them.
  private let bound: [UInt8]

  init(dataKey: SecretBytes, transcript: [UInt8], context: [UInt8]) {
    self.dataKey = dataKey
    self.transcript = transcript
    var bound = transcript
    bound.appendLengthPrefixed(context)
    self.bound = bound
  }

  func commitment() throws(SealError) -> [UInt8] {
    try Blake2b.hash(JournalLabel.commitment, bound[...], key: dataKey)
  }

  func isCommitment(_ commitment: [UInt8]) throws(SealError) -> Bool {
    try Blake2b.isDigest(commitment[...], of: JournalLabel.commitment, bound[...], key: dataKey)
  }

  func headerMAC(of bytes: ArraySlice<UInt8>) throws(SealError) -> [UInt8] {
    try Blake2b.hash([], bytes, key: headerKey())
  }

  func isHeaderMAC(_ mac: ArraySlice<UInt8>, of bytes: ArraySlice<UInt8>) throws(SealError) -> Bool
  {
    try Blake2b.isDigest(mac, of: [], bytes, key: headerKey())
  }

  private func headerKey() throws(SealError) -> SecretBytes {
    try Blake2b.derive(JournalLabel.headerMAC, transcript[...], key: dataKey)
  }

  func cipher() throws(SealError) -> FrameCipher {
    FrameCipher(
      payloadKey: try Blake2b.derive(
        JournalLabel.payload, bound[...], key: dataKey, count: FrameCipher.keyLength))
  }
}
