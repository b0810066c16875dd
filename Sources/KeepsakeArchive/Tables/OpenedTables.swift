import Synchronization

/// The tables of a footer, shared by all archives whose tables have the same bytes.
///
/// Small archives usually have types that were read before. Reading their tables would take longer than reading
/// everything else, and has the same result each time (Spec/Decisions/reading.md).
@usableFromInline
final class OpenedTables: Sendable {
  @usableFromInline let tables: ReaderTables
  private let limits: ArchiveLimits
  private let bytes: [UInt8]

  /// A cache of the tables that were read last, in no order.
  private static let known = Mutex<(tables: [OpenedTables], next: Int)>(([], 0))
  private static var mostKnown: Int { 8 }
  /// Longer tables are not cached, so that the cache stays small, whoever made the archives.
  private static var mostBytes: Int { 4096 }

  /// Tables with the limits that they were read under and the bytes of their entries; those that no other
  /// archive shares need neither.
  init(
    _ tables: consuming ReaderTables, limits: ArchiveLimits = .init(), bytes: [UInt8] = []
  ) {
    self.tables = tables
    self.limits = limits
    self.bytes = bytes
  }

  /// Reads the tables of a footer, which begin with their head, unless they were read before.
  static func read(
    _ region: ByteRegion, at offset: Int, _ head: TablesHead, limits: ArchiveLimits
  ) throws(ArchiveError) -> OpenedTables {
    let first = offset + TablesHead.byteCount
    if head.entriesByteCount > mostBytes {
      return OpenedTables(try ReaderTables(region, at: offset, head, limits: limits))
    }
    // Reading the tables is faster than waiting for the lock.
    let shared = known.withLockIfAvailable { known in
      known.tables.first {
        $0.tables.counts == head.counts && $0.bytes.count == head.entriesByteCount
          && $0.limits == limits && region.holds($0.bytes, at: first)
      }
    }
    if let shared = shared ?? nil { return shared }
    let tables = try ReaderTables(region, at: offset, head, limits: limits)
    let opened = OpenedTables(
      tables, limits: limits, bytes: region.copy(first..<first + head.entriesByteCount))
    _ = known.withLockIfAvailable { known in
      if known.tables.count < mostKnown {
        known.tables.append(opened)
      } else {
        known.tables[known.next] = opened
        known.next = (known.next + 1) % mostKnown
      }
    }
    return opened
  }
}
