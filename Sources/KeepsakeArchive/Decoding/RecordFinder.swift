/// Finds records of an archive, many of them in one segment after the other.
struct RecordFinder {
  private let storage: ArchiveStorage
  /// The segment that held the last one.
  private var row: SegmentRow?

  init(_ storage: ArchiveStorage) {
    self.storage = storage
  }

  /// The record of an object, opened, and the storage that holds it.
  mutating func openedObject(
    _ number: UInt32
  ) throws(ArchiveError) -> (storage: ArchiveStorage, record: OpenedRecord) {
    guard storage.isWhole else { return try storage.openedObject(number) }
    do {
      let row = try segmentRow(holding: number)
      let range = try storage.recordRange(Int(number - row.firstRecord), in: row)
      return (storage, try storage.openedRecord(range))
    } catch {
      throw error.inObject(ArchiveObjectID(number))
    }
  }

  private mutating func segmentRow(holding number: UInt32) throws(ArchiveError) -> SegmentRow {
    if let row, number >= row.firstRecord, number - row.firstRecord < row.recordCount {
      return row
    }
    let found = try storage.segmentRow(holding: number)
    row = found
    return found
  }
}
