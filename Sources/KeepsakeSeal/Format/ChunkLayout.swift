/// The offsets of the chunks and of the trailer, and the part of the payload that is plaintext (Spec/seal.md,
/// sections 5.1 and 6).
struct ChunkLayout: Sendable, Equatable {
  let headerLength: Int
  let chunkSize: Int
  /// The length of the plaintext and its padding.
  let payloadLength: Int
  let plaintextLength: Int
  /// True when the file has a trailer.
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

  /// The chunks that hold plaintext; for an empty plaintext the first chunk, which verifies it.
  var plaintextChunks: Range<Int> { 0..<count(of: plaintextLength) }

  private func count(of length: Int) -> Int { length == 0 ? 1 : (length - 1) / chunkSize + 1 }

  /// The exact size of the file in bytes.
  var fileSize: UInt64 { trailerOffset + UInt64(trailerLength) }

  var trailerLength: Int {
    isSigned
      ? DigestTreeLayout(chunkCount: chunkCount).byteCount + SealFormat.signatureBlockLength : 0
  }

  /// The offset at which the chunks end and a trailer starts.
  var trailerOffset: UInt64 {
    UInt64(headerLength) + UInt64(payloadLength)
      + UInt64(chunkCount) * UInt64(SealFormat.tagLength)
  }

  /// The offset of the sealed bytes of a chunk in the file.
  func offset(of chunk: Int) -> UInt64 {
    UInt64(headerLength) + UInt64(chunk) * UInt64(chunkSize + SealFormat.tagLength)
  }

  /// The part of the payload that a run of chunks holds.
  func payloadRange(of chunks: Range<Int>) -> Range<Int> {
    let end = chunks.upperBound >= chunkCount ? payloadLength : chunks.upperBound * chunkSize
    return min(chunks.lowerBound * chunkSize, payloadLength)..<end
  }

  /// The part of the plaintext that a run of chunks holds; empty for padding only.
  func plaintextRange(of chunks: Range<Int>) -> Range<Int> {
    payloadRange(of: chunks).clamped(to: 0..<plaintextLength)
  }

  /// The size of a run of chunks in the file, in bytes.
  func sealedLength(of chunks: Range<Int>) -> Int {
    payloadRange(of: chunks).count + chunks.count * SealFormat.tagLength
  }

  /// The chunks that hold a part of the plaintext; none for an empty part.
  func chunks(holding range: Range<Int>) -> Range<Int> {
    range.isEmpty
      ? 0..<0 : range.lowerBound / chunkSize..<(range.upperBound - 1) / chunkSize + 1
  }

  /// The range in the file of the chunks that hold a part of the plaintext.
  func sealedRange(of range: Range<Int>) -> Range<Int> {
    let chunks = chunks(holding: range)
    let start = Int(clamping: offset(of: chunks.lowerBound))
    return start..<start + sealedLength(of: chunks)
  }

  /// The chunks that a file of this size contains at least in part.
  func chunks(within fileSize: UInt64) -> Range<Int> {
    guard fileSize > UInt64(headerLength) else { return 0..<0 }
    let length = UInt64(chunkSize + SealFormat.tagLength)
    let count = (fileSize - UInt64(headerLength) - 1) / length + 1
    return 0..<min(chunkCount, Int(clamping: count))
  }

  /// Refuses a range that is not within the plaintext.
  func require(_ range: Range<Int>) throws(SealError) {
    guard range.lowerBound >= 0, range.upperBound <= plaintextLength else {
      throw SealError(.invalidRange, detail: "\(range) of \(plaintextLength) bytes")
    }
  }

  /// Whether a run of chunks ends with the last one.
  func isFinal(_ chunks: Range<Int>) -> Bool { chunks.upperBound == chunkCount }
}

/// A run of chunks, cut into batches of equal length.
///
/// Each thread works on one batch at a time, which bounds the memory.
struct ChunkBatches: Sendable {
  let chunks: Range<Int>
  private let step: Int

  /// The plaintext of a batch in bytes, unless a single chunk is larger.
  ///
  /// The data of a batch fits in the cache of a core.
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

/// The number of digests on each level of a tree, and their offsets in a trailer (Spec/seal.md, sections 6.1
/// and 6.3).
struct DigestTreeLayout: Sendable, Equatable {
  /// The number of digests that have one parent.
  static let fanOut = 128

  /// The number of digests of each stored level, starting with those of the chunks.
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

  /// The size of all stored levels in bytes.
  var byteCount: Int { counts.reduce(0, +) * SealFormat.digestLength }

  /// The offset of a digest from the first digest of the chunks.
  func offset(level: Int, index: Int) -> Int {
    (counts[..<level].reduce(0, +) + index) * SealFormat.digestLength
  }

  /// The indices, one level below, of the children of a node.
  func children(level: Int, index: Int) -> Range<Int> {
    let start = index * Self.fanOut
    return start..<min(start + Self.fanOut, counts[level - 1])
  }
}
