@testable import KeepsakeSeal

/// A sealed file of three chunks in memory, and the values that tampering needs.
struct Sample {
  let key: SealKey
  let plaintext: [UInt8]
  let bytes: [UInt8]
  let headerLength: Int

  static let chunk = 4096
  static let sealedChunk = 4096 + 16

  init(
    count: Int = 2 * Sample.chunk + 100, key: SealKey? = nil, context: [UInt8] = [],
    publicMetadata: [UInt8] = Array("public".utf8), creator: String = "tests"
  ) throws {
    let key = try key ?? SealKey.generate()
    self.key = key
    let plaintext = pattern(count)
    self.plaintext = plaintext
    let bytes = try SealedFile.seal(
      plaintext.span, for: [.key(key)],
      options: SealOptions(
        chunkSize: .kibibytes4, context: context, publicMetadata: publicMetadata,
        generation: 7, creator: creator))
    self.bytes = bytes
    headerLength = try SealedFile.inspect(bytes: bytes).headerLength
  }

  /// Opens and reads other bytes with this sample's key.
  func read(_ bytes: [UInt8]) throws -> [UInt8] {
    try SealedFile.open(bytes: bytes, with: [.key(key)]).read()
  }

  /// The sealed bytes of one chunk.
  func sealedRange(_ chunk: Int) -> Range<Int> {
    let start = headerLength + chunk * Sample.sealedChunk
    return start..<min(start + Sample.sealedChunk, bytes.count)
  }

  /// The bytes after `change`, with a repaired header check, as a forger would make them.
  func forged(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
    var forged = bytes
    change(&forged)
    let end = headerLength - 16
    let check = try Blake2b.hash(Array(forged[..<end]), count: 16)
    forged.replaceSubrange(end..<headerLength, with: check)
    return forged
  }
}
