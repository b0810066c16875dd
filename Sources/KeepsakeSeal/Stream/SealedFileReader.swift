/// Reads the plaintext of a sealed file from front to back, in bounded memory.
///
/// Several chunks at a time are read and verified on all threads; nothing of a chunk is handed out
/// before it is verified. That the file is not cut off was found when it was opened; but what comes
/// before a damaged chunk has been handed out when the damage is found.
///
/// ```swift
/// var reader = try SealedFile.open(path, with: [.key(key)]).makeReader()
/// while let segment = try reader.next() { consume(segment) }
/// ```
///
/// Memory: one window of 1 MiB or more, four chunks if they are longer, and as much again for what
/// ``next()`` returned and the caller holds.
public struct SealedFileReader: Sendable {
  /// Where in the plaintext the next byte comes from.
  public private(set) var offset: Int

  private let file: SealedFile
  private var window: [UInt8] = []
  /// Which part of the plaintext the window holds.
  private var windowRange = 0..<0

  init(_ file: SealedFile, offset: Int) {
    self.file = file
    self.offset = offset
  }

  /// The next bytes, as many as are verified at a time.
  ///
  /// - Returns: At least one byte, or nil at the end.
  /// - Throws: ``SealError``, as ``SealedFile/read(progress:)`` does. The next call tries the same
  ///   chunks again; ``skip(to:)`` goes on after them.
  public mutating func next() throws(SealError) -> [UInt8]? {
    guard try fill() else { return nil }
    let part = offset - windowRange.lowerBound
    offset = windowRange.upperBound
    guard part > 0 else {
      // Handed over whole, so that it is not copied.
      defer { (window, windowRange) = ([], 0..<0) }
      return window
    }
    return Array(window[part...])
  }

  /// Fills memory of the caller's, as far as there is room and as the plaintext goes.
  ///
  /// - Parameter output: Where the bytes go; when nothing is added and there was room, the end is
  ///   reached.
  /// - Throws: ``SealError``, as ``next()`` does; what was added before stays.
  public mutating func read(into output: inout OutputSpan<UInt8>) throws(SealError) {
    while output.freeCapacity > 0, try fill() {
      let start = offset - windowRange.lowerBound
      let count = min(output.freeCapacity, window.count - start)
      output.append(window, start..<start + count)
      offset += count
    }
  }

  /// Goes on elsewhere.
  ///
  /// - Parameter offset: An offset into the plaintext, up to its end.
  /// - Throws: ``SealError`` with `invalidRange`.
  public mutating func skip(to offset: Int) throws(SealError) {
    try file.payload.layout.require(offset..<offset, path: file.path)
    self.offset = offset
  }

  /// Makes the window hold the next byte; false at the end.
  private mutating func fill() throws(SealError) -> Bool {
    // Also an empty payload has a chunk to verify.
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
  /// A reader that goes through the plaintext from front to back.
  ///
  /// - Parameter offset: Where it begins, an offset into the plaintext up to its end.
  /// - Returns: The reader; several of them can go through one file at once.
  /// - Throws: ``SealError`` with `invalidRange`.
  public func makeReader(at offset: Int = 0) throws(SealError) -> SealedFileReader {
    var reader = SealedFileReader(self, offset: 0)
    try reader.skip(to: offset)
    return reader
  }

  /// Appends a part of the plaintext, which lies within it.
  func append(_ range: Range<Int>, to bytes: inout [UInt8]) throws(SealError) {
    try reporting { () throws(SealError) in
      try bytes.append(addingCapacity: range.count) { output throws(SealError) in
        try payload.read(
          range, from: source, into: &output, threads: policy.resolvedThreadCount)
      }
    }
  }
}
