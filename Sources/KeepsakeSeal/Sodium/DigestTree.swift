import KeepsakeFiles

/// Verifies the digests of chunks against a content digest that is known to be genuine (Spec/seal.md,
/// sections 6.1 and 7).
///
/// For a signed file, the digests are read from its trailer on demand. For any other file, all digests were
/// computed when it was opened, and are in memory.
final class DigestTree: Sendable {
  /// The children of one node.
  private struct Place: Hashable {
    let level: Int
    let index: Int
  }

  private enum Storage {
    case trailer(at: UInt64)
    case memory([UInt8])
  }

  /// The maximum number of nodes whose children are cached, 4 KiB each: enough for a path and for some threads.
  private static let capacity = 32

  let contentDigest: [UInt8]
  private let layout: DigestTreeLayout
  private let storage: Storage
  private let verified = Monitor<[Place: [UInt8]]>([:])

  /// The tree in the trailer of a signed file.
  init(contentDigest: [UInt8], of layout: ChunkLayout) {
    self.contentDigest = contentDigest
    self.layout = DigestTreeLayout(chunkCount: layout.chunkCount)
    storage = .trailer(at: layout.trailerOffset)
  }

  /// The tree of chunk digests that were just computed.
  init(contentDigest: [UInt8], leaves: [UInt8]) {
    self.contentDigest = contentDigest
    layout = DigestTreeLayout(chunkCount: leaves.count / ChunkDigest.length)
    storage = .memory(leaves)
  }

  /// The digests of a run of chunks, verified up to the content digest.
  func digests(
    of chunks: Range<Int>, from source: SealedSource
  ) throws(SealError) -> ArraySlice<UInt8> {
    if case .memory(let leaves) = storage {
      return leaves[chunks.lowerBound * ChunkDigest.length..<chunks.upperBound * ChunkDigest.length]
    }
    var digests: [UInt8] = []
    var chunk = chunks.lowerBound
    while chunk < chunks.upperBound {
      let parent = chunk / DigestTreeLayout.fanOut
      let end = min(chunks.upperBound, (parent + 1) * DigestTreeLayout.fanOut)
      digests += try children(Place(level: 1, index: parent), chunk..<end, from: source)
      chunk = end
    }
    return digests[...]
  }

  /// Some digests of a level, all with one parent.
  private func children(
    _ parent: Place, _ range: Range<Int>, from source: SealedSource
  ) throws(SealError) -> ArraySlice<UInt8> {
    let first = layout.children(level: parent.level, index: parent.index).lowerBound
    let bytes = try children(of: parent, from: source)
    return bytes[
      (range.lowerBound - first) * ChunkDigest.length..<(range.upperBound - first)
        * ChunkDigest.length]
  }

  private func children(
    of parent: Place, from source: SealedSource
  ) throws(SealError) -> [UInt8] {
    if let known = verified.withLock({ $0[parent] }) { return known }
    guard case .trailer(let start) = storage else { return [] }
    let range = layout.children(level: parent.level, index: parent.index)
    let offset = layout.offset(level: parent.level - 1, index: range.lowerBound)
    let bytes = try source.read(range.count * ChunkDigest.length, at: start + UInt64(offset))
    let digest = try ChunkDigest.node(
      level: parent.level, index: parent.index, children: bytes[...])
    guard try digest.elementsEqual(expected(parent, from: source)) else {
      throw SealError(
        .damagedSignature, detail: "the digests of level \(parent.level - 1), number \(range)")
    }
    verified.withLock { verified in
      // Evicts any entry: a path is quickly read again.
      if verified.count >= Self.capacity, let other = verified.keys.first { verified[other] = nil }
      verified[parent] = bytes
    }
    return bytes
  }

  /// The verified digest of a node, from its parent.
  private func expected(
    _ node: Place, from source: SealedSource
  ) throws(SealError) -> ArraySlice<UInt8> {
    guard node.level < layout.rootLevel else { return contentDigest[...] }
    let parent = Place(level: node.level + 1, index: node.index / DigestTreeLayout.fanOut)
    return try children(parent, node.index..<node.index + 1, from: source)
  }
}

/// The digests of a tree over sealed chunks (Spec/seal.md, section 6.1).
enum ChunkDigest {
  static let length = SealFormat.digestLength

  /// Appends the digest of a chunk, given its sealed bytes.
  static func append(
    _ sealed: UnsafeRawBufferPointer, chunk: Int, to digests: inout [UInt8]
  ) throws(SealError) {
    var prefix = KeyLabel.chunkDigest
    prefix.appendLittleEndian(UInt64(chunk))
    digests += try unsafe Blake2b.hash(prefix, sealed)
  }

  /// Appends the digest of a chunk, given its sealed bytes as a span.
  static func append(
    _ sealed: Span<UInt8>, chunk: Int, to digests: inout [UInt8]
  ) throws(SealError) {
    var prefix = KeyLabel.chunkDigest
    prefix.appendLittleEndian(UInt64(chunk))
    digests += try unsafe sealed.withUnsafeBytes { sealed throws(SealError) in
      try unsafe Blake2b.hash(prefix, sealed)
    }
  }

  /// The digest of a node, given the joined digests of its children.
  static func node(
    level: Int, index: Int, children: ArraySlice<UInt8>
  ) throws(SealError) -> [UInt8] {
    var prefix = KeyLabel.nodeDigest
    prefix.appendLittleEndian(UInt64(level))
    prefix.appendLittleEndian(UInt64(index))
    return try unsafe children.span.withUnsafeBytes { children throws(SealError) in
      try unsafe Blake2b.hash(prefix, children)
    }
  }
}
