import Synchronization

/// Reads a source in blocks, and caches those that were used last.
final class BlockCache: Sendable {
  /// The maximum number of bytes that are cached, but at least four blocks.
  private static let capacity = 1 << 20

  let byteCount: Int
  private let source: any ArchivePositionedSource
  private let blockByteCount: Int
  private let state = Mutex(State())

  private struct State {
    var blocks: [Int: (bytes: [UInt8], lastUse: UInt64)] = [:]
    /// Counts the uses, so that the least recently used block is found.
    var clock: UInt64 = 0
  }

  init(_ source: any ArchivePositionedSource) {
    self.source = source
    byteCount = source.byteCount
    blockByteCount = min(max(source.blockByteCount, 64), 1 << 24)
  }

  func read(_ range: Range<Int>) throws(ArchiveError) -> ByteRegion {
    guard range.count <= blockByteCount else {
      return ByteRegion(try fetch(range), origin: range.lowerBound)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    try fetchBlocks(of: range)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let block = try block(offset / blockByteCount)
      let end = min(range.upperBound, block.end)
      bytes += block.bytes[offset - block.origin..<end - block.origin]
      offset = end
    }
    return ByteRegion(bytes, origin: range.lowerBound)
  }

  func load<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, at offset: Int
  ) throws(ArchiveError) -> Word {
    if let word = try block(offset / blockByteCount).load(Word.self, at: offset) { return word }
    // The integer is in two blocks.
    let size = MemoryLayout<Word>.size
    guard let word = try read(offset..<offset + size).load(Word.self, at: offset) else {
      throw ArchiveError(.sourceFailed, "the source is shorter than it was", offset: offset)
    }
    return word
  }

  private func block(_ number: Int) throws(ArchiveError) -> ByteRegion {
    let origin = number * blockByteCount
    let kept = state.withLock { state in
      state.clock += 1
      state.blocks[number]?.lastUse = state.clock
      return state.blocks[number]?.bytes
    }
    if let kept { return ByteRegion(kept, origin: origin) }
    // The read happens outside of the lock, so that threads which miss different blocks read at the same time.
    let bytes = try fetch(origin..<min(origin + blockByteCount, byteCount))
    keep(bytes, as: number)
    return ByteRegion(bytes, origin: origin)
  }

  /// Fetches the two blocks of a range by one read, if it is in two and both are missing.
  private func fetchBlocks(of range: Range<Int>) throws(ArchiveError) {
    let first = range.lowerBound / blockByteCount
    let origin = first * blockByteCount
    guard range.upperBound > origin + blockByteCount else { return }
    let areMissing = state.withLock { $0.blocks[first] == nil && $0.blocks[first + 1] == nil }
    guard areMissing else { return }
    let bytes = try fetch(origin..<min(origin + 2 * blockByteCount, byteCount))
    keep(Array(bytes[..<blockByteCount]), as: first)
    keep(Array(bytes[blockByteCount...]), as: first + 1)
  }

  private func keep(_ bytes: [UInt8], as number: Int) {
    state.withLock { state in
      if state.blocks.count >= max(4, BlockCache.capacity / blockByteCount),
        state.blocks[number] == nil,
        let oldest = state.blocks.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.blocks[oldest.key] = nil
      }
      state.blocks[number] = (bytes, state.clock)
    }
  }

  private func fetch(_ range: Range<Int>) throws(ArchiveError) -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try source.read(range)
    } catch {
      throw ArchiveError(
        .sourceFailed, "the source failed: \(error)", offset: range.lowerBound,
        underlyingError: error)
    }
    guard bytes.count == range.count else {
      throw ArchiveError(
        .sourceFailed, "the source gave \(bytes.count) bytes instead of \(range.count)",
        offset: range.lowerBound)
    }
    return bytes
  }
}
