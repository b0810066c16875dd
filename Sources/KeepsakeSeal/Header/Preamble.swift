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
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SealFormat.preambleLength)
    write(to: &bytes)
    return bytes
  }

  /// Appends the 128 bytes.
  func write(to bytes: inout [UInt8]) {
    bytes += SealFormat.magic
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
    bytes += Preamble.reserved
    bytes.append(contentsOf: fileID)
    bytes.append(contentsOf: commitment)
  }

  /// What stands between the payload's length and the file id.
  private static let reserved = [UInt8](repeating: 0, count: 24)
}
