internal import CSodium

/// The digests of a tree over sealed chunks (Spec/seal.md, section 6.1).
enum ChunkDigest {
  static let length = SealFormat.digestLength

  /// Appends the digest of a chunk, given its sealed bytes.
  static func append(
    _ sealed: UnsafeRawBufferPointer, chunk: Int, to digests: inout [UInt8]
  ) throws(SealError) {
    var prefix = KeyLabel.chunkDigest
    prefix.appendLittleEndian(UInt64(chunk))
    digests += try unsafe hash(prefix, sealed)
  }

  /// The same of bytes that are borrowed.
  static func append(
    _ sealed: Span<UInt8>, chunk: Int, to digests: inout [UInt8]
  ) throws(SealError) {
    var prefix = KeyLabel.chunkDigest
    prefix.appendLittleEndian(UInt64(chunk))
    digests += try unsafe sealed.withUnsafeBytes { sealed throws(SealError) in
      try unsafe hash(prefix, sealed)
    }
  }

  /// The digest of a node, given the digests of its children one after the other.
  static func node(
    level: Int, index: Int, children: ArraySlice<UInt8>
  ) throws(SealError) -> [UInt8] {
    var prefix = KeyLabel.nodeDigest
    prefix.appendLittleEndian(UInt64(level))
    prefix.appendLittleEndian(UInt64(index))
    return try unsafe children.span.withUnsafeBytes { children throws(SealError) in
      try unsafe hash(prefix, children)
    }
  }

  private static func hash(
    _ prefix: [UInt8], _ rest: UnsafeRawBufferPointer
  ) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    var digest = [UInt8](repeating: 0, count: length)
    // libsodium wants its state at a cache line.
    let isDone = unsafe withUnsafeTemporaryAllocation(
      byteCount: crypto_generichash_statebytes(), alignment: 64
    ) { memory in
      // The type of the state is aligned in a way that Swift does not import.
      guard let start = memory.baseAddress else { return false }
      let state = OpaquePointer(start)
      let bytes = unsafe rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe crypto_generichash_init(state, nil, 0, length) == 0
        && crypto_generichash_update(state, prefix, UInt64(prefix.count)) == 0
        && crypto_generichash_update(state, bytes, UInt64(rest.count)) == 0
        && crypto_generichash_final(state, &digest, length) == 0
    }
    guard isDone else { throw SealError(.cryptographyUnavailable) }
    return digest
  }
}
