/// What all parts of an opened archive share: its tables, and where its other bytes are.
final class ArchiveIndex: Sendable {
  let limits: ArchiveLimits
  let frame: ArchiveFrame
  let tables: ReaderTables
  /// Where bytes come from that are not there; nil for an archive in memory.
  let source: BlockCache?

  init(
    limits: ArchiveLimits, frame: ArchiveFrame, tables: consuming ReaderTables,
    source: BlockCache? = nil
  ) {
    self.limits = limits
    self.frame = frame
    self.tables = tables
    self.source = source
  }
}
