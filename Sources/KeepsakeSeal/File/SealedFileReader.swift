/// Reads the plaintext of a sealed file from start to end, in bounded memory.
///
/// All threads read and verify several chunks at a time, and only verified chunks are returned. A truncated
/// file is refused when it is opened. But when a chunk is found to be damaged, the plaintext before it has
/// already been returned.
///
/// ```swift
/// var reader = try SealedFile.open(path, with: [.key(key)])
///   .makeReader()
/// while let segment = try reader.next() { consume(segment) }
/// ```
///
/// The reader takes the memory of one window: 1 MiB or more, or four chunks if they are longer. The bytes that
/// ``next()`` returns take as much again while the caller holds them.
public struct SealedFileReader: Sendable {
  /// The offset of the next byte in the plaintext.
  public private(set) var offset: Int

  private let file: SealedFile
  private var window: [UInt8] = []
  /// The part of the plaintext that the window holds.
  private var windowRange = 0..<0

  init(_ file: SealedFile, offset: Int) {
    self.file = file
    self.offset = offset
  }

  /// Returns the next bytes, up to the end of those that are already verified.
  ///
  /// - Returns: At least one byte, or nil at the end.
  /// - Throws: ``SealError``, as ``SealedFile/read(progress:)`` does. The next call tries the same chunks
  ///   again; ``skip(to:)`` continues after them.
  public mutating func next() throws(SealError) -> [UInt8]? {
    guard try fill() else { return nil }
    let part = offset - windowRange.lowerBound
    offset = windowRange.upperBound
    guard part > 0 else {
      // The whole window is returned, so that it is not copied.
      defer { (window, windowRange) = ([], 0..<0) }
      return window
    }
    return Array(window[part...])
  }

  /// Fills memory that the caller provides, until it is full or the plaintext ends.
  ///
  /// - Parameter output: Receives the bytes. If it has space and the call adds nothing, the end is reached.
  /// - Throws: ``SealError``, as ``next()`` does; bytes that were added before stay.
  public mutating func read(into output: inout OutputSpan<UInt8>) throws(SealError) {
    while output.freeCapacity > 0, try fill() {
      let start = offset - windowRange.lowerBound
      let count = min(output.freeCapacity, window.count - start)
      output.append(window[start..<start + count])
      offset += count
    }
  }

  /// Continues at another offset.
  ///
  /// - Parameter offset: An offset into the plaintext, up to its end.
  /// - Throws: ``SealError`` with `invalidRange`.
  public mutating func skip(to offset: Int) throws(SealError) {
    try file.reporting { () throws(SealError) in
      try file.payload.layout.require(offset..<offset)
    }
    self.offset = offset
  }

  /// Makes the window hold the next byte; false at the end.
  private mutating func fill() throws(SealError) -> Bool {
    // An empty payload has a chunk to verify too.
    if file.plaintextLength == 0, offset == 0 { _ = try file.read() }
    guard offset < file.plaintextLength else { return false }
    guard !windowRange.contains(offset) else { return true }
    let layout = file.payload.layout
    let size =
      max(layout.chunkSize, ChunkBatches.byteCount) * max(4, file.policy.resolvedThreadCount)
    let start = offset - offset % layout.chunkSize
    let end = size < layout.plaintextLength - start ? start + size : layout.plaintextLength
    windowRange = 0..<0
    window.removeAll(keepingCapacity: true)
    try file.append(start..<end, to: &window)
    windowRange = start..<end
    return true
  }
}

extension SealedFile {
  /// Makes a reader that reads the plaintext from start to end.
  ///
  /// - Parameter offset: The start, an offset into the plaintext up to its end.
  /// - Returns: The reader; several readers can read one file at once.
  /// - Throws: ``SealError`` with `invalidRange`.
  public func makeReader(at offset: Int = 0) throws(SealError) -> SealedFileReader {
    var reader = SealedFileReader(self, offset: 0)
    try reader.skip(to: offset)
    return reader
  }

  /// Appends a part of the plaintext; the caller has checked the range.
  func append(_ range: Range<Int>, to bytes: inout [UInt8]) throws(SealError) {
    try reporting { () throws(SealError) in
      try bytes.append(addingCapacity: range.count) { output throws(SealError) in
        try payload.read(
          range, from: source, into: &output, threads: policy.resolvedThreadCount)
      }
    }
  }
}
