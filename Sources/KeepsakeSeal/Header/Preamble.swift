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
    // What is reserved.
    for _ in 0..<3 { bytes.appendLittleEndian(UInt64(0)) }
    bytes.append(fileID)
    bytes.append(commitment)
  }
}

extension ChunkLayout {
  /// The layout as far as it is known without a key: all of the payload may be plaintext.
  init(_ preamble: Preamble) {
    // The preamble has been checked against the policy, whose cap is an `Int`.
    self.init(preamble, plaintextLength: Int(clamping: preamble.payloadLength))
  }

  init(_ preamble: Preamble, plaintextLength: Int) {
    self.init(
      headerLength: preamble.headerLength, chunkSize: preamble.chunkSize.byteCount,
      payloadLength: Int(clamping: preamble.payloadLength), plaintextLength: plaintextLength,
      isSigned: preamble.isSigned)
  }
}
