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
    var directory: Int { records + recordsByteCount }
    var tables: Int { directory + (recordCount * 4 + 4 + 7) & ~7 }
  }

  struct Slot {
    var key: String
    var tag: ArchiveTag
    var isNullable: Bool
    /// Where the slot lies, from the start of its record.
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
    /// Where the payloads begin, from the start of the record.
    var tail: Int
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
    var end = 4
    var nullable = 0
    var nilOffset = 0
    var hasContainer = false
    for index in 0..<count {
      let slotRow = row + 16 + 8 * index
      let tag = bytes[slotRow + 4]
      let isNullable = bytes[slotRow + 5] == 1
      if isNullable {
        if nullable.isMultiple(of: 8) {
          nilOffset = end
          end += 1
        }
        nullable += 1
      }
      slots.append(
        Slot(
          key: names[word(slotRow)], tag: ArchiveTag(rawValue: tag), isNullable: isNullable,
          offset: end, nilOffset: isNullable ? nilOffset : nil, row: slotRow))
      end += [0, 1, 2, 4, 8, 16, 4][Int(tag & 7)]
      if tag & 7 == 6, ![ArchiveTag.string, .bytes, .url].contains(ArchiveTag(rawValue: tag)) {
        hasContainer = true
      }
    }
    return Shape(row: row, slots: slots, tail: hasContainer ? (end + 7) & ~7 : end)
  }

  /// Where the word of the record directory lies that says where a record begins.
  func directoryWord(_ record: Int) -> Int {
    let segment = segments.last { $0.firstRecord <= record }
    return segment.map { $0.directory + 4 * (record - $0.firstRecord) } ?? -1
  }

  /// The bytes of a record of the first segment, with its padding.
  func record(_ number: Int) -> Range<Int> {
    let word = directoryWord(number)
    let records = segments.last { $0.firstRecord <= number }?.records ?? -1
    return records + self.word(word) * 8..<records + self.word(word + 4) * 8
  }

  /// The shape of a record.
  func shape(of record: Int) -> Shape { shapes[word(self.record(record).lowerBound)] }

  /// Where the slot of a key lies in the archive.
  func slot(_ key: String, of record: Int = 1) -> Int {
    let slot = shape(of: record).slots.first { $0.key == key }
    return self.record(record).lowerBound + (slot?.offset ?? -1 << 40)
  }

  /// Where the byte with the nil bit of a key lies in the archive.
  func nilByte(_ key: String, of record: Int = 1) -> Int {
    let slot = shape(of: record).slots.first { $0.key == key }
    return self.record(record).lowerBound + (slot?.nilOffset ?? -1 << 40)
  }

  /// Where the payloads of a record begin.
  func tail(of record: Int = 1) -> Int { self.record(record).lowerBound + shape(of: record).tail }

  /// Where the payload of a key begins.
  func payload(_ key: String, of record: Int = 1) -> Int {
    let start = self.record(record).lowerBound
    var last = 0
    for slot in shape(of: record).slots where slot.tag.rawValue & 7 == 6 {
      if ![.string, .bytes, .url].contains(slot.tag) { last = (last + 7) & ~7 }
      if slot.key == key { break }
      last = word(start + slot.offset)
    }
    return tail(of: record) + last
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
