extension ArchiveForger {
  mutating func changeRecord(of parts: inout ArchiveParts) {
    let segment = below(parts.segments.count)
    let index = below(parts.segments[segment].count)
    let record = parts.segments[segment][index]
    let other = parts.segments[below(parts.segments.count)].first ?? []
    let fields = RecordFields(record, parts.shapes)
    parts.segments[segment][index] =
      below(4) == 0 ? changed(record, other) : changed(record, other, fields)
  }

  /// A record with one change anywhere; the rest is not adapted to it.
  private mutating func changed(_ record: [UInt8], _ other: [UInt8]) -> [UInt8] {
    var record = record
    let offset = below(record.count + 1)
    let length = min(1 + below(16), record.count - offset)
    switch below(5) {
    case 0: changeWord(of: &record, at: offset)
    case 1 where offset < record.count: record[offset] = tag(record[offset])
    case 2: record.insert(contentsOf: fewBytes(), at: offset)
    case 3: record.removeSubrange(offset..<offset + length)
    default: record.insert(contentsOf: piece(of: other), at: offset)
    }
    return record
  }

  /// A record with one changed field, or with a change that its fields are adapted to.
  private mutating func changed(
    _ record: [UInt8], _ other: [UInt8], _ fields: RecordFields
  ) -> [UInt8] {
    guard !fields.fields.isEmpty else { return changed(record, other) }
    let offset = 1 + below(max(record.count, 1))
    guard offset <= record.count else { return changed(record, other) }
    switch below(7) {
    case 0: return fields.inserting(fewBytes(), at: offset, in: record)
    case 1: return fields.inserting(piece(of: other), at: offset, in: record)
    case 2:
      let length = min(1 + below(16), record.count - offset)
      return fields.removing(offset..<offset + length, from: record)
    case 3 where !fields.rows.isEmpty:
      // One more element.
      let row = fields.rows[below(fields.rows.count)]
      let width = RecordShape.width(of: row.tag)
      let element = (0..<width).map { _ in UInt8(truncatingIfNeeded: next()) }
      return fields.inserting(element, at: row.slots.upperBound, in: record)
    default: return changed(fields.fields[below(fields.fields.count)], of: record)
    }
  }

  private mutating func changed(_ field: RecordFields.Field, of record: [UInt8]) -> [UInt8] {
    var record = record
    let old = record.number(field.offset, byteCount: field.byteCount)
    switch field.role {
    case .tag: record[field.offset] = tag(record[field.offset])
    case .nilBits: record[field.offset] ^= 1 << UInt8(below(8))
    case .zeroCount: record[field.offset] = UInt8(below(10))
    case .shape:
      record[field.offset] = UInt8(truncatingIfNeeded: word(near: UInt32(old), size: 32))
    case .slot, .end, .count:
      let near = word(near: UInt32(truncatingIfNeeded: old), size: record.count)
      record.store(Int(near), byteCount: field.byteCount, at: field.offset)
    }
    return record
  }

  private mutating func fewBytes() -> [UInt8] {
    (0..<[1, 4, 8, 16][below(4)]).map { _ in UInt8(truncatingIfNeeded: next() & 3) }
  }

  private mutating func piece(of record: [UInt8]) -> [UInt8] {
    let start = below(record.count + 1)
    return Array(record[start..<min(record.count, start + below(72))])
  }
}
