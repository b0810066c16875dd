@testable import KeepsakeSeal

extension XChaCha20Poly1305 {
  /// The ciphertext and the tag without the nonce, as in the chunks of a file and in foreign vectors.
  static func seal(
    _ message: [UInt8], key: SecretBytes, nonce: [UInt8]
  ) throws(SealError) -> [UInt8] {
    Array(try sealAfterNonce(message, key: key, nonce: nonce).dropFirst(nonceLength))
  }

  /// The message of a ciphertext and a tag; nil when the tag does not verify.
  static func open(_ sealed: [UInt8], key: SecretBytes, nonce: [UInt8]) -> [UInt8]? {
    openAfterNonce((nonce + sealed)[...], key: key)
  }
}
