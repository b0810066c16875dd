/// The tables of an archive that is read forward: each segment adds the entries that are new in it.
struct GrowingTables: ~Copyable {
  private var tables = ReaderTables()
  /// All keys and types so far, by which a second declaration of one is found.
  ///
  /// So the cost of a segment does not grow with those before it.
  private var keys: Set<WriterTables.KeyEntry> = []
  private var types: Set<EncodingPlan.TypeName> = []

  var counts: TableCounts { tables.counts }

  /// The tables as they are now; they do not change when entries are added.
  func copy() -> ReaderTables { ReaderTables(tables) }

  /// The bytes that the tables of the footer must have.
  func bytes() -> (bytes: [UInt8], lengths: TableLengths) {
    func table(_ counts: TableCounts) -> [UInt8] {
      tables.deltaBytes(from: TableCounts(), adding: counts) ?? []
    }
    let parts = [
      table(TableCounts(keys: counts.keys)), table(TableCounts(types: counts.types)),
      table(TableCounts(shapes: counts.shapes)),
    ]
    let lengths = TableLengths(
      keys: parts[0].count, types: parts[1].count, shapes: parts[2].count)
    return (Array(parts.joined()), lengths)
  }

  /// Adds the new entries of a segment (Spec/archive.md, 4.1).
  mutating func add(
    _ delta: TableCounts, from bytes: ByteRegion, at range: Range<Int>, limits: ArchiveLimits
  ) throws(ArchiveError) {
    let old = counts
    var cursor = TableCursor(bytes, range: range)
    try tables.readKeys(&cursor, count: delta.keys, limits: limits)
    for entry in tables.keys[old.keys...] {
      let key = WriterTables.KeyEntry(
        scope: UInt32(entry.scope + 1), space: entry.space, name: ArchiveKey(entry.name))
      guard keys.insert(key).inserted else {
        throw cursor.error(.duplicateKey, "the key \"\(entry.name)\" is declared twice")
      }
    }
    if old.keys == 0 { try tables.rankKeys(offset: range.lowerBound) }
    try cursor.skipPadding()
    try tables.readTypes(&cursor, count: delta.types, limits: limits)
    for entry in tables.types[old.types...] {
      let type = EncodingPlan.TypeName(
        key: ArchiveKey(entry.name), schemaVersion: entry.schemaVersion)
      guard types.insert(type).inserted else {
        throw cursor.error(.damaged, "the type \"\(entry.name)\" is declared twice")
      }
    }
    try cursor.skipPadding()
    try tables.readShapes(&cursor, count: delta.shapes, limits: limits)
    guard cursor.rest == 0 else {
      throw cursor.error(.damaged, "the tables of a segment are longer than their entries")
    }
  }
}
