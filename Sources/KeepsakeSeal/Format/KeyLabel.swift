/// What a key or a digest is derived for: the text of Spec/seal.md, with its length before it, in bytes that are
/// made once.
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
