import KeepsakeArchive

/// Where the parts of an archive lie, for tests that write over single fields.
///
/// It follows Spec/archive.md by itself and not by the library, and expects what a writer made.
struct ArchiveMap {
  struct Segment {
    /// Where its row of the segment directory lies.
    var row: Int
    var offset: Int
    var byteCount: Int
    var firstRecord: Int
    var recordCount: Int
    var recordsByteCount: Int

    var records: Int { offset + 64 }
    var directory: Int { (records + recordsByteCount + 7) & ~7 }
    var tables: Int { directory + (recordCount * 4 + 4 + 7) & ~7 }
  }

  struct Slot {
    var key: String
    var tag: ArchiveTag
    var isNullable: Bool
    /// Where the slot lies, from the start of its body; of a payload, which of them is its own.
    var offset: Int
    /// Where the byte with its nil bit lies.
    var nilOffset: Int?
    /// Where its row of the shape table lies.
    var row: Int
  }

  struct Shape {
    /// Where its row of the shape table lies.
    var row: Int
    var slots: [Slot]
    /// Where the ends of the payloads begin, from the start of the body.
    var ends: Int
    /// How many payloads there are.
    var payloadCount: Int

    /// How many payloads have an end of their own: all but the last.
    var endCount: Int { max(payloadCount - 1, 0) }
  }

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func word(_ offset: Int) -> Int { Int(number(in: bytes, at: offset, byteCount: 4)) }
  func long(_ offset: Int) -> Int { Int(number(in: bytes, at: offset, byteCount: 8)) }

  var tail: Int { bytes.count - 32 }
  var footer: Int { long(tail) }
  var keyTable: Int { footer + 64 }
  var typeTable: Int { keyTable + long(footer + 32) }
  var shapeTable: Int { typeTable + long(footer + 40) }
  var conditionals: Int { shapeTable + long(footer + 48) }
  var segmentDirectory: Int { conditionals + (word(footer + 28) * 4 + 7) & ~7 }

  var segments: [Segment] {
    (0..<word(footer + 4)).map { index in
      let row = segmentDirectory + 32 * index
      return Segment(
        row: row, offset: long(row), byteCount: long(row + 8), firstRecord: word(row + 16),
        recordCount: word(row + 20), recordsByteCount: long(row + 24))
    }
  }

  var keyNames: [String] {
    let count = word(footer + 16)
    var offset = keyTable + 16 * count
    return (0..<count).map { index in
      let length = word(keyTable + 16 * index + 4)
      defer { offset += length }
      return String(decoding: bytes[offset..<offset + length], as: UTF8.self)
    }
  }

  /// Where the name of an entry of the key table or the type table lies.
  func name(_ index: Int, in table: Int) -> Int {
    let count = table == keyTable ? word(footer + 16) : word(footer + 20)
    let lengths = (0..<index).map { word(table + 16 * $0 + (table == keyTable ? 4 : 0)) }
    return table + 16 * count + lengths.reduce(0, +)
  }

  var shapes: [Shape] {
    let names = keyNames
    var row = shapeTable
    return (0..<word(footer + 24)).map { _ in
      let count = word(row + 4)
      defer { row += 16 + 8 * count }
      return shape(at: row, count: count, names: names)
    }
  }

  private func shape(at row: Int, count: Int, names: [String]) -> Shape {
    var slots: [Slot] = []
    var end = 0
    var bits = (count: 0, offset: 0)
    var payloadCount = 0
    func takeBit() -> Int {
      if bits.count.isMultiple(of: 8) {
        bits.offset = end
        end += 1
      }
      bits.count += 1
      return bits.offset
    }
    for index in 0..<count {
      let slotRow = row + 16 + 8 * index
      let tag = ArchiveTag(rawValue: bytes[slotRow + 4])
      let isNullable = bytes[slotRow + 5] == 1
      let nilOffset = isNullable ? takeBit() : nil
      let isBit = tag.rawValue & 7 == 7
      slots.append(
        Slot(
          key: names[word(slotRow)], tag: tag, isNullable: isNullable,
          offset: isBit ? takeBit() : tag.hasPayload ? payloadCount : end, nilOffset: nilOffset,
          row: slotRow))
      end += [0, 1, 2, 4, 8, 16, 0, 0][Int(tag.rawValue & 7)]
      if tag.hasPayload { payloadCount += 1 }
    }
    return Shape(row: row, slots: slots, ends: end, payloadCount: payloadCount)
  }

  /// Where the entry of the record directory lies that says where a record begins.
  func directoryEntry(_ record: Int) -> Int {
    let segment = segments.last { $0.firstRecord <= record }
    return segment.map { $0.directory + 4 * (record - $0.firstRecord) } ?? -1
  }

  /// The bytes of a record.
  func record(_ number: Int) -> Range<Int> {
    let records = segments.last { $0.firstRecord <= number }?.records ?? -1
    return record(at: directoryEntry(number), behind: records)
  }

  /// The bytes of all records, those of record 0 first.
  var records: [Range<Int>] {
    segments.flatMap { segment in
      (0..<segment.recordCount).map {
        record(at: segment.directory + 4 * $0, behind: segment.records)
      }
    }
  }

  private func record(at entry: Int, behind records: Int) -> Range<Int> {
    records + word(entry)..<records + word(entry + 4)
  }

  /// The bytes of a record without the number of its shape, which is below 254.
  func body(_ record: Int = 1) -> Range<Int> { self.record(record).dropFirst() }

  /// The shape of a record.
  func shape(of record: Int) -> Shape { shapes[Int(bytes[self.record(record).lowerBound])] }

  /// The bytes of an end of a record.
  func endByteCount(of record: Int = 1) -> Int {
    let length = body(record).count
    return length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4
  }

  private func slotOfShape(_ key: String, of record: Int) -> Slot? {
    shape(of: record).slots.first { $0.key == key }
  }

  /// Where the slot of a key lies in the archive, or the end of its payload; the last payload has none.
  func slot(_ key: String, of record: Int = 1) -> Int {
    let start = body(record).lowerBound
    guard let slot = slotOfShape(key, of: record) else { return -1 << 40 }
    if !slot.tag.hasPayload { return start + slot.offset }
    return start + shape(of: record).ends + slot.offset * endByteCount(of: record)
  }

  /// Where the byte with the nil bit of a key lies in the archive.
  func nilByte(_ key: String, of record: Int = 1) -> Int {
    body(record).lowerBound + (slotOfShape(key, of: record)?.nilOffset ?? -1 << 40)
  }

  /// Where the payloads of a record begin.
  func tail(of record: Int = 1) -> Int {
    let shape = shape(of: record)
    return body(record).lowerBound + shape.ends + shape.endCount * endByteCount(of: record)
  }

  /// Where the payload of a key begins.
  func payload(_ key: String, of record: Int = 1) -> Int {
    let index = slotOfShape(key, of: record)?.offset ?? -1 << 40
    let width = endByteCount(of: record)
    let last = slot(key, of: record) - width
    return tail(of: record)
      + (index == 0 ? 0 : Int(number(in: bytes, at: last, byteCount: width)))
  }

  /// The archive with the end of the payload of a key written over.
  func patchingEnd(of key: String, _ value: Int, of record: Int = 1) -> [UInt8] {
    patched(
      bytes, at: slot(key, of: record), byteCount: endByteCount(of: record), UInt64(value))
  }

  /// Where the numbers of an array without nils lie that begins at an offset.
  func arraySlots(_ array: Int) -> Int {
    bytes[array] == 0x92 ? array + 3 + Int(bytes[array + 2]) : array + 1
  }

  /// The archive with other bytes in place of its last record, for archives of one segment.
  func replacingLastRecord(with record: [UInt8]) -> [UInt8] {
    guard let segment = segments.first else { return bytes }
    let old = self.record(segment.recordCount - 1)
    let length = segment.recordsByteCount + record.count - old.count
    let padding = [UInt8](repeating: 0, count: -length & 7)
    var changed = Array(bytes[..<old.lowerBound]) + record + padding + bytes[segment.directory...]
    let distance = changed.count - bytes.count
    let end = segment.directory + distance + 4 * segment.recordCount
    changed = patched(changed, at: end, byteCount: 4, UInt64(length))
    for (field, value) in [
      (segment.offset + 40, length), (segment.offset + 48, segment.byteCount + distance),
      (segment.row + distance + 8, segment.byteCount + distance),
      (segment.row + distance + 24, length), (tail + distance, footer + distance),
      (tail + distance + 16, bytes.count + distance),
    ] {
      changed = patched(changed, at: field, byteCount: 8, UInt64(value))
    }
    return changed
  }

  /// The archive with the same field of a table written over in the footer and in the segment that
  /// first declared it, for archives of one segment.
  func patchingTables(at offset: Int, byteCount: Int, _ value: UInt64) -> [UInt8] {
    let tables = segments.first?.tables ?? 0
    return patched(
      patched(bytes, at: offset, byteCount: byteCount, value),
      at: tables + offset - keyTable, byteCount: byteCount, value)
  }
}

extension ArchiveTag {
  /// Whether the width class is the one of payloads.
  fileprivate var hasPayload: Bool { rawValue & 7 == 6 }
}
