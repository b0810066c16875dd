/// How many digests the levels of a tree have, and where those lie that a trailer holds (Spec/seal.md,
/// sections 6.1 and 6.3).
struct DigestTreeLayout: Sendable, Equatable {
  /// How many digests have one parent.
  static let fanOut = 128

  /// The number of digests of each level that is stored, the chunks' own first.
  let counts: [Int]

  init(chunkCount: Int) {
    var counts = [chunkCount]
    while let last = counts.last, last > Self.fanOut {
      counts.append((last - 1) / Self.fanOut + 1)
    }
    self.counts = counts
  }

  /// The level that has a single node: the content digest.
  var rootLevel: Int { counts.count }

  /// How many bytes all stored levels have.
  var byteCount: Int { counts.reduce(0, +) * SealFormat.digestLength }

  /// Where a digest begins, counted from the first one of the chunks.
  func offset(level: Int, index: Int) -> Int {
    (counts[..<level].reduce(0, +) + index) * SealFormat.digestLength
  }

  /// The indices, one level below, of the children of a node.
  func children(level: Int, index: Int) -> Range<Int> {
    let start = index * Self.fanOut
    return start..<min(start + Self.fanOut, counts[level - 1])
  }
}
