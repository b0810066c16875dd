extension Archive {
  /// Opens an archive that is not in memory.
  ///
  /// Opening reads the header, the archive values, the tail and the footer. Each object that is asked for
  /// costs a search of the segment directory, two ends of the directory of a segment and its record; what
  /// is small is read in blocks, of which up to 1 MiB, or four, are kept. Everything else is as with an
  /// archive in memory.
  ///
  /// ```swift
  /// let archive = try Archive(
  ///   source: SealedFile.open(path, with: [.key(key)]))
  /// let window = try archive.object(archive.rootID)
  /// ```
  ///
  /// - Parameters:
  ///   - source: Where the bytes are.
  ///   - limits: How much the archive may ask for.
  /// - Throws: ``ArchiveError`` as ``init(_:limits:)`` does; `sourceFailed` when the source throws,
  ///   also later whenever something is read.
  public init(
    source: some ArchivePositionedSource, limits: ArchiveLimits = .default
  ) throws(ArchiveError) {
    let cache = BlockCache(source)
    let frame = try ArchiveFrame(byteCount: cache.byteCount, limits: limits) {
      (range) throws(ArchiveError) in try cache.read(range)
    }
    let offset = frame.footerOffset
    let values = try cache.read(0..<frame.valuesEnd)
    let rows = try ArchiveValueRow.read(values, to: frame.valuesEnd)
    reserved = try ReservedValues(rows, of: values)
    let tables = try ReaderTables(
      try cache.read(offset..<offset + frame.head.tablesByteCount), at: offset, frame.head,
      limits: limits)
    let index = ArchiveIndex(
      limits: limits, frame: frame, values: rows, tables: tables, source: cache)
    let start = ArchiveStorage(values, index, start: nil)
    storage = ArchiveStorage(ByteRegion([]), index, start: start)
  }
}

extension ReservedValues {
  /// Reads what an archive in a source says about itself, and nothing else of it.
  ///
  /// - Parameter source: Where the bytes are.
  /// - Throws: ``ArchiveError`` as ``init(ofArchive:)`` does; `sourceFailed` when the source throws.
  public init(ofArchiveIn source: some ArchivePositionedSource) throws(ArchiveError) {
    let cache = BlockCache(source)
    let head = try cache.read(0..<min(max(cache.byteCount, 0), ArchiveHeader.byteCount))
    let end = try ArchiveHeader.read(head)
    guard end <= cache.byteCount else { throw ArchiveError.endsInValues(cache.byteCount) }
    let region = try cache.read(0..<end)
    self = try ReservedValues(ArchiveValueRow.read(region, to: end), of: region)
  }
}
