/// The constants of the sealed file, as Spec/seal.md states them.
enum SealFormat {
  /// Section 2: a byte above 127, three letters, and the line ends that a text-mode copy changes.
  static let magic: [UInt8] = [0x89, 0x4B, 0x53, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt8 = 1
  /// The version of files that were written before the format was final.
  static let draftVersion: UInt8 = 0
  static let suite: UInt8 = 1
  /// Section 2: the only flag, set when the file has a trailer.
  static let signedFlag: UInt8 = 1

  static let preambleLength = 128
  static let slotLength = 192
  static let slotPrefixLength = 56
  static let slotHintLength = 8
  static let macLength = 32
  static let checkLength = 16
  static let fileIDLength = 32
  static let dataKeyLength = 32
  /// Section 6: the length of the tag after the ciphertext of each chunk.
  static let tagLength = 16
  /// Section 6.1: a digest of the tree over sealed chunks.
  static let digestLength = 32
  /// Section 6.3: nonce, content digest, public key, signature, tag.
  static let signatureBlockLength = 24 + digestLength + 32 + 64 + tagLength
  /// Section 4.2.
  static let passphraseLengths = 1...4_096

  static let maximumSlotCount = 32
  static let maximumPassphraseSlotCount = 4
  static let maximumMetadataLength = 65_536
  static let maximumContextLength = 65_536
  static let maximumCreatorLength = 1_024
  static let maximumChunkCount: UInt64 = 1 << 32
  /// Nonce, the two numbers, the creator's length, and the tag.
  static let minimumEncryptedMetadataLength = 24 + 20 + 16
}

/// The labels of derived keys and digests (Spec/seal.md), length-prefixed and encoded once.
enum KeyLabel {
  static let commitment = bytes("commitment")
  static let headerMAC = bytes("header-mac")
  static let metadata = bytes("metadata")
  static let payload = bytes("payload")
  static let signature = bytes("signature")
  static let slotCommitment = bytes("slot-commitment")
  static let slotWrap = bytes("slot-wrap")
  static let x25519 = bytes("x25519")
  static let recipientHint = bytes("recipient-hint")
  static let combinedKey = bytes("combined-key")
  static let chunkDigest = bytes("chunk-digest")
  static let nodeDigest = bytes("node-digest")
  static let signedFile = bytes("signed-file")

  private static func bytes(_ name: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLengthPrefixed(Array("keepsake.seal/\(name)".utf8))
    return bytes
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest byte first.
  @inlinable package mutating func appendLittleEndian<Number: FixedWidthInteger>(_ number: Number) {
    for index in 0..<(Number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: number >> (8 * index)))
    }
  }

  /// Appends the count of `bytes` as a 64-bit number, then `bytes` (Spec/seal.md, section 1).
  package mutating func appendLengthPrefixed(_ bytes: [UInt8]) {
    appendLittleEndian(UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  package func isZero(_ range: Range<Int>) -> Bool {
    let bytes = span
    var union: UInt8 = 0
    for index in range { union |= bytes[index] }
    return union == 0
  }
}
