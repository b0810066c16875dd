/// The bytes of a stream, and how many there were so far.
struct StreamInput {
  private var source: any ArchiveSource
  private var hasEnded = false
  private let limit: Int
  /// Where in the archive the next byte lies.
  private(set) var offset = 0

  init(_ source: any ArchiveSource, limit: Int) {
    self.source = source
    self.limit = limit
  }

  /// Appends the next bytes, fewer at the end of the stream.
  ///
  /// However many are asked for, memory grows only with those that come.
  mutating func read(_ count: Int, into bytes: inout [UInt8]) throws {
    guard count <= limit - offset else {
      throw ArchiveError(
        .limitExceeded, "the archive has more bytes than the limit", offset: offset)
    }
    var rest = count
    while rest > 0, !hasEnded {
      let length = min(rest, max(bytes.count, SegmentRow.fullByteCount))
      let start = bytes.count
      try bytes.append(addingCapacity: length) { output in
        while output.freeCapacity > 0, !hasEnded {
          let before = output.count
          try source.read(into: &output)
          hasEnded = output.count == before
        }
      }
      rest -= bytes.count - start
      offset += bytes.count - start
    }
  }

  /// Exactly so many bytes more.
  mutating func readExactly(_ count: Int, into bytes: inout [UInt8]) throws {
    let end = bytes.count + count
    try read(count, into: &bytes)
    guard bytes.count == end else {
      throw ArchiveError(.truncated, "the archive ends before its end", offset: offset)
    }
  }

  /// Whether nothing more comes; asked once, at the end.
  mutating func isAtEnd() throws -> Bool {
    if hasEnded { return true }
    var bytes: [UInt8] = []
    try bytes.append(addingCapacity: 1) { output in try source.read(into: &output) }
    return bytes.isEmpty
  }

  /// Exactly so many bytes, with where they lie.
  mutating func part(_ count: Int) throws -> ByteRegion {
    let origin = offset
    var bytes: [UInt8] = []
    try readExactly(count, into: &bytes)
    return ByteRegion(bytes, origin: origin)
  }
}
