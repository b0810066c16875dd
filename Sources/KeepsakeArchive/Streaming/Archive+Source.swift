extension Archive {
  /// Opens an archive that is not in memory.
  ///
  /// Opening reads header, tail, footer and the archive's own record. Each object that is asked for
  /// costs a search of the segment directory, two words of a record directory and its record; what
  /// is small is read in blocks, of which up to 1 MiB, or four, are kept. Everything else is as with an
  /// archive in memory.
  ///
  /// ```swift
  /// let archive = try Archive(source: SealedFile.open(path, with: [.key(key)]))
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
    let offset = frame.tablesOffset
    let tables = try ReaderTables(
      try cache.read(offset..<offset + frame.lengths.total), at: offset, counts: frame.counts,
      lengths: frame.lengths, limits: limits)
    let index = ArchiveIndex(limits: limits, frame: frame, tables: tables, source: cache)
    let empty = ArchiveStorage(ByteRegion([]), index, start: nil)
    let record = try empty.recordRange(0)
    let start = ArchiveStart(storage: try empty.part(record), record: record)
    storage = ArchiveStorage(ByteRegion([]), index, start: start)
    reserved = try ReservedValues(storage)
  }
}
