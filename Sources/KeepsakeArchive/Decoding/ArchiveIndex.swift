/// What all parts of an opened archive share: its tables, and where its other bytes are.
final class ArchiveIndex: Sendable {
  let limits: ArchiveLimits
  let frame: ArchiveFrame
  let tables: ReaderTables
  /// Where bytes come from that are not there; nil for an archive in memory.
  let source: BlockCache?
  /// Whether the archive is read forward, so that what comes behind a segment is not known.
  let isStream: Bool

  init(
    limits: ArchiveLimits, frame: ArchiveFrame, tables: consuming ReaderTables,
    source: BlockCache? = nil, isStream: Bool = false
  ) {
    self.limits = limits
    self.frame = frame
    self.tables = tables
    self.source = source
    self.isStream = isStream
  }
}
