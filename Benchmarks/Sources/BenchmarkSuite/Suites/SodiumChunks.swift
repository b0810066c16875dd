import CSodiumPeer

/// libsodium's XChaCha20-Poly1305 over chunks of 64 KiB on one thread, and nothing else.
struct SodiumChunks {
  private static let chunkSize = 64 << 10
  private static let tagSize = 16

  let plaintext: [UInt8]
  private(set) var ciphertext: [UInt8]
  private(set) var opened: [UInt8]
  private let key = [UInt8](repeating: 7, count: 32)
  private var nonce = [UInt8](repeating: 0, count: 24)

  init(plaintext: [UInt8]) {
    self.plaintext = plaintext
    let chunks = (plaintext.count + Self.chunkSize - 1) / Self.chunkSize
    ciphertext = [UInt8](repeating: 0, count: plaintext.count + chunks * Self.tagSize)
    opened = [UInt8](repeating: 0, count: plaintext.count)
  }

  mutating func sealAll() {
    for start in stride(from: 0, to: plaintext.count, by: Self.chunkSize) {
      let length = min(Self.chunkSize, plaintext.count - start)
      let sealedStart = setChunk(startingAt: start)
      unsafe plaintext.withUnsafeBufferPointer { source in
        unsafe ciphertext.withUnsafeMutableBufferPointer { target in
          guard let from = source.baseAddress, let to = target.baseAddress else {
            return
          }
          _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
            to.advanced(by: sealedStart), nil,
            from.advanced(by: start), UInt64(length), nil, 0, nil, nonce, key)
        }
      }
    }
  }

  /// Opens every chunk, and tells whether all tags verified.
  mutating func openAll() -> Bool {
    var verified = true
    for start in stride(from: 0, to: plaintext.count, by: Self.chunkSize) {
      let length = min(Self.chunkSize, plaintext.count - start)
      let sealedStart = setChunk(startingAt: start)
      unsafe ciphertext.withUnsafeBufferPointer { source in
        unsafe opened.withUnsafeMutableBufferPointer { target in
          guard let from = source.baseAddress, let to = target.baseAddress else {
            return
          }
          let result = unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
            to.advanced(by: start), nil, nil,
            from.advanced(by: sealedStart), UInt64(length + Self.tagSize), nil, 0,
            nonce, key)
          verified = verified && result == 0
        }
      }
    }
    return verified
  }

  /// Sets the nonce to the chunk's number, and gives where its sealed bytes begin.
  private mutating func setChunk(startingAt start: Int) -> Int {
    let number = start / Self.chunkSize
    nonce[0] = UInt8(truncatingIfNeeded: number)
    nonce[1] = UInt8(truncatingIfNeeded: number >> 8)
    return start + number * Self.tagSize
  }
}
