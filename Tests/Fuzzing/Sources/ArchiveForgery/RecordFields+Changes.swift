// Changes of a record that keep the rest of it consistent.

extension RecordFields {
  /// The record with inserted bytes; the payloads around them are lengthened.
  func inserting(_ fresh: [UInt8], at offset: Int, in record: [UInt8]) -> [UInt8] {
    var record = record
    for field in fields where field.role == .end && field.base <= offset {
      let length = record.number(field.offset, byteCount: field.byteCount)
      if field.base + length >= offset {
        record.store(length + fresh.count, byteCount: field.byteCount, at: field.offset)
      }
    }
    record.insert(contentsOf: fresh, at: offset)
    return record
  }

  /// The record without some of its bytes; the payloads around them are shortened.
  func removing(_ range: Range<Int>, from record: [UInt8]) -> [UInt8] {
    var record = record
    for field in fields where field.role == .end && field.base <= range.lowerBound {
      let end = field.base + record.number(field.offset, byteCount: field.byteCount)
      if end > range.lowerBound {
        let length = max(end - range.count, range.lowerBound) - field.base
        record.store(length, byteCount: field.byteCount, at: field.offset)
      }
    }
    record.removeSubrange(range)
    return record
  }

  /// The record with its arrays of numbers aligned for the offset at which it starts.
  func aligned(_ record: [UInt8], at offset: Int) -> [UInt8] {
    var record = record
    for row in rows {
      let alignment = RecordShape.alignment(of: row.tag)
      let first = row.range.lowerBound + 3
      let before = Int(record[row.range.lowerBound + 2])
      let wanted = -(offset + first) & (alignment - 1)
      guard wanted != before, before < alignment, row.range.upperBound - first >= alignment - 1
      else { continue }
      let end = row.range.upperBound - (alignment - 1 - before)
      guard first + before <= end else { continue }
      let elements = record[first + before..<end]
      record.replaceSubrange(
        first..<row.range.upperBound,
        with: [UInt8](repeating: 0, count: wanted) + elements
          + [UInt8](repeating: 0, count: alignment - 1 - wanted))
      record[row.range.lowerBound + 2] = UInt8(wanted)
    }
    return record
  }
}
