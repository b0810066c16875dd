/// Where each chunk of a payload and the trailer lie, and which part of the payload is plaintext
/// (Spec/seal.md, sections 5.1 and 6).
struct ChunkLayout: Sendable, Equatable {
  let headerLength: Int
  let chunkSize: Int
  /// The length of the plaintext and its padding.
  let payloadLength: Int
  let plaintextLength: Int
  /// Whether there is a trailer.
  let isSigned: Bool

  init(
    headerLength: Int, chunkSize: Int, payloadLength: Int, plaintextLength: Int,
    isSigned: Bool = false
  ) {
    self.headerLength = headerLength
    self.isSigned = isSigned
    self.chunkSize = chunkSize
    self.payloadLength = payloadLength
    self.plaintextLength = plaintextLength
  }

  /// An empty payload has one empty chunk; there is never an empty chunk after a full one.
  var chunkCount: Int { count(of: payloadLength) }

  var allChunks: Range<Int> { 0..<chunkCount }

  /// The chunks that hold some of the plaintext; of an empty plaintext the first one, which verifies it.
  var plaintextChunks: Range<Int> { 0..<count(of: plaintextLength) }

  private func count(of length: Int) -> Int { length == 0 ? 1 : (length - 1) / chunkSize + 1 }

  /// How long the file is, exactly.
  var fileSize: UInt64 { trailerOffset + UInt64(trailerLength) }

  var trailerLength: Int {
    isSigned
      ? DigestTreeLayout(chunkCount: chunkCount).byteCount + SealFormat.signatureBlockLength : 0
  }

  /// Where the chunks end, and a trailer begins.
  var trailerOffset: UInt64 {
    UInt64(headerLength) + UInt64(payloadLength)
      + UInt64(chunkCount) * UInt64(SealFormat.tagLength)
  }

  /// Where the sealed bytes of a chunk begin in the file.
  func offset(of chunk: Int) -> UInt64 {
    UInt64(headerLength) + UInt64(chunk) * UInt64(chunkSize + SealFormat.tagLength)
  }

  /// The part of the payload that a run of chunks holds.
  func payloadRange(of chunks: Range<Int>) -> Range<Int> {
    let end = chunks.upperBound >= chunkCount ? payloadLength : chunks.upperBound * chunkSize
    return min(chunks.lowerBound * chunkSize, payloadLength)..<end
  }

  /// The part of the plaintext that a run of chunks holds; empty where there is only padding.
  func plaintextRange(of chunks: Range<Int>) -> Range<Int> {
    payloadRange(of: chunks).clamped(to: 0..<plaintextLength)
  }

  /// How many bytes a run of chunks takes in the file.
  func sealedLength(of chunks: Range<Int>) -> Int {
    payloadRange(of: chunks).count + chunks.count * SealFormat.tagLength
  }

  /// The chunks that hold a part of the plaintext; none for an empty part.
  func chunks(holding range: Range<Int>) -> Range<Int> {
    range.isEmpty
      ? 0..<0 : range.lowerBound / chunkSize..<(range.upperBound - 1) / chunkSize + 1
  }

  /// Where the chunks that hold a part of the plaintext lie in the file.
  func sealedRange(of range: Range<Int>) -> Range<Int> {
    let chunks = chunks(holding: range)
    let start = Int(clamping: offset(of: chunks.lowerBound))
    return start..<start + sealedLength(of: chunks)
  }

  /// The chunks of which a file of that size has at least a part.
  func chunks(within fileSize: UInt64) -> Range<Int> {
    guard fileSize > UInt64(headerLength) else { return 0..<0 }
    let length = UInt64(chunkSize + SealFormat.tagLength)
    let count = (fileSize - UInt64(headerLength) - 1) / length + 1
    return 0..<min(chunkCount, Int(clamping: count))
  }

  /// Refuses a range that does not lie within the plaintext.
  func require(_ range: Range<Int>, path: String?) throws(SealError) {
    guard range.lowerBound >= 0, range.upperBound <= plaintextLength else {
      throw SealError(
        .invalidRange, path: path, detail: "\(range) of \(plaintextLength) bytes")
    }
  }

  /// Whether a run of chunks holds the last one.
  func isFinal(_ chunks: Range<Int>) -> Bool { chunks.upperBound == chunkCount }
}

/// A run of chunks, cut into batches of equal length, on which threads work one at a time: so memory
/// stays bounded.
struct ChunkBatches: Sendable {
  let chunks: Range<Int>
  private let step: Int

  /// How much plaintext a batch holds, unless a single chunk holds more.
  ///
  /// With it, what a thread works on stays in the cache of its core.
  static let byteCount = 1 << 18

  init(_ chunks: Range<Int>, chunkSize: Int, byteCount: Int = ChunkBatches.byteCount) {
    self.chunks = chunks
    step = max(1, byteCount / chunkSize)
  }

  var count: Int { (chunks.count + step - 1) / step }

  subscript(index: Int) -> Range<Int> {
    let start = chunks.lowerBound + index * step
    return start..<min(start + step, chunks.upperBound)
  }
}

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
