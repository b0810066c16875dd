/// Seals and opens the frames and the end of a segment of a journal (Spec/journal.md, sections 3 and 5).
package struct FrameCipher: Sendable {
  package static let tagLength = XChaCha20Poly1305.tagLength
  /// A key of 32 bytes, then a base nonce of 24.
  package static let keyLength = 56
  private let payloadKey: SecretBytes
  private let baseNonce: [UInt8]

  /// Takes ``keyLength`` bytes.
  package init(payloadKey: SecretBytes) {
    self.payloadKey = payloadKey
    baseNonce = payloadKey.publicBytes(32..<FrameCipher.keyLength)
  }

  /// The base nonce, with the index mixed in, and the flag of the end.
  private func nonce(_ index: UInt64, isEnd: Bool) -> [UInt8] {
    var nonce = baseNonce
    for byte in 0..<8 { nonce[byte] ^= UInt8(truncatingIfNeeded: index >> UInt64(8 * byte)) }
    nonce[8] ^= isEnd ? 1 : 0
    return nonce
  }

  /// Seals the bytes from `start` on in place; the last ``tagLength`` of them are room for the tag.
  package func seal(
    _ bytes: inout [UInt8], from start: Int = 0, index: UInt64, isEnd: Bool = false,
    header: [UInt8]
  ) throws(SealError) {
    guard start >= 0, bytes.count - start >= FrameCipher.tagLength else {
      throw SealError(.cryptographyUnavailable)
    }
    let nonce = nonce(index, isEnd: isEnd)
    var span = bytes.mutableSpan
    let isSealed = unsafe span.withUnsafeMutableBytes { all in
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: all[start...])
      let plaintext = unsafe UnsafeRawBufferPointer(
        rebasing: target[..<(target.count - FrameCipher.tagLength)])
      return unsafe XChaCha20Poly1305.seal(
        plaintext, key: payloadKey, nonce: nonce, associatedData: header, into: target)
    }
    guard isSealed else { throw SealError(.cryptographyUnavailable) }
  }

  /// The plaintext; nil when the tag does not verify.
  package func open(
    _ sealed: ArraySlice<UInt8>, index: UInt64, isEnd: Bool = false, header: [UInt8]
  ) throws(SealError) -> [UInt8]? {
    guard sealed.count >= FrameCipher.tagLength else { return nil }
    let nonce = nonce(index, isEnd: isEnd)
    var isOpen = false
    let plaintext = try unsafe sealed.span.withUnsafeBytes { source throws(SealError) in
      try unsafe [UInt8].filled(source.count - FrameCipher.tagLength) { target in
        // The key of a segment has 56 bytes, of which the cipher takes the first 32.
        isOpen = unsafe XChaCha20Poly1305.open(
          source, key: payloadKey, nonce: nonce, associatedData: header, into: target)
        if !isOpen { unsafe target.initializeMemory(as: UInt8.self, repeating: 0) }
      }
    }
    return isOpen ? plaintext : nil
  }
}
