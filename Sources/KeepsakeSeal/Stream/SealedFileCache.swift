/// Reads a sealed file in many small pieces, each chunk opened once.
///
/// A read of an ``SealedFile`` opens every chunk that it touches, however little it takes of it.
/// Whoever reads records and tables here and there reads through a cache instead: it keeps the chunks
/// that were used last. Several threads may read at once.
///
/// ```swift
/// let cache = SealedFileCache(try SealedFile.open(path, with: [.key(key)]))
/// let footer = try cache.read(cache.byteCount - 64..<cache.byteCount)
/// ```
public final class SealedFileCache: Sendable {
  /// The file that is read.
  public let file: SealedFile

  /// How many chunks are kept at most.
  public let chunkCapacity: Int

  private let state = Monitor(State())

  private struct State {
    var chunks: [Int: (bytes: [UInt8], lastUse: UInt64)] = [:]
    var clock: UInt64 = 0
    var openedChunkCount = 0
  }

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - file: The file to read.
  ///   - byteCount: How much plaintext to keep, in bytes; at least one chunk is kept.
  public init(_ file: SealedFile, byteCount: Int = 4 << 20) {
    self.file = file
    chunkCapacity = max(1, byteCount / file.summary.chunkSize)
  }

  /// The length of the plaintext, in bytes.
  public var byteCount: Int { file.plaintextLength }

  /// How many chunks have been read and verified so far, those twice that had to be read again.
  public var openedChunkCount: Int { state.withLock { $0.openedChunkCount } }

  /// A part of the plaintext.
  ///
  /// - Parameter range: Offsets into the plaintext, between 0 and ``byteCount``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: ``SealError``, as ``SealedFile/read(_:)`` does.
  public func read(_ range: Range<Int>) throws(SealError) -> [UInt8] {
    let layout = file.payload.layout
    try layout.require(range, path: file.path)
    let chunks = layout.chunks(holding: range)
    // What would not fit is read past the cache.
    guard chunks.count <= chunkCapacity else {
      state.withLock { $0.openedChunkCount += chunks.count }
      return try file.read(range)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for chunk in chunks {
      let part = layout.plaintextRange(of: chunk..<chunk + 1)
      let wanted = part.clamped(to: range)
      let plaintext = try self.chunk(chunk, part)
      bytes += plaintext[wanted.lowerBound - part.lowerBound..<wanted.upperBound - part.lowerBound]
    }
    return bytes
  }

  private func chunk(_ index: Int, _ part: Range<Int>) throws(SealError) -> [UInt8] {
    let kept = state.withLock { state -> [UInt8]? in
      state.clock += 1
      state.chunks[index]?.lastUse = state.clock
      return state.chunks[index]?.bytes
    }
    if let kept { return kept }
    // Outside of the lock: threads that miss different chunks open them at the same time.
    let bytes = try file.read(part)
    state.withLock { state in
      state.openedChunkCount += 1
      if state.chunks.count >= chunkCapacity, state.chunks[index] == nil,
        let oldest = state.chunks.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.chunks[oldest.key] = nil
      }
      state.chunks[index] = (bytes, state.clock)
    }
    return bytes
  }
}
