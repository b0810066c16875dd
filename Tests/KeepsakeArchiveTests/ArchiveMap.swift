import KeepsakeArchive

/// The offsets of the parts of an archive, for tests that write over single fields.
///
/// It expects the bytes of a writer. It reads the tables with ``SpecificationReader``, a second reader that was
/// written from Spec/archive.md.
struct ArchiveMap {
  struct Segment {
    /// The offset of its row of the segment directory.
    var row: Int
    var offset: Int
    var firstObject: Int
    var objectCount: Int
    var bodiesByteCount: Int
    /// The shape that all objects share; nil if they have several.
    var shape: Int?
    var hasFixedWidth: Bool
    /// The width in bytes of a shape's number in the directory; 0 if the directory has no numbers.
    var shapeByteCount: Int
    /// The offset of the next segment or of the footer.
    var end: Int

    var bodies: Int { offset + 16 }
    var directory: Int { bodies + bodiesByteCount }
    /// The offset of the numbers of shapes, if there are any.
    var shapes: Int { directory + 1 }
    var ends: Int { shape == nil ? shapes + objectCount * shapeByteCount : directory }
    var endByteCount: Int { ArchiveMap.width(bodiesByteCount) }
    var tables: Int { hasFixedWidth ? ends : ends + (objectCount - 1) * endByteCount }
  }

  struct Slot {
    var key: String
    var tag: ArchiveTag
    var isNullable: Bool
    /// The offset of the slot from the start of its body; for a payload its index among the payloads.
    var offset: Int
    /// The offset of the byte with its nil bit, from the start of its body.
    var nilOffset: Int?
    /// The offset of its word in the shape table.
    var row: Int
  }

  struct Shape {
    /// The offset of its entry in the shape table.
    var row: Int
    var slots: [Slot]
    /// The offset of the ends of the payloads from the start of the body.
    var ends: Int
    var payloadCount: Int

    /// The number of payloads whose end is stored: all but the last.
    var endCount: Int { max(payloadCount - 1, 0) }
  }

  /// An entry of the table of keys or of types.
  struct Entry {
    var row: Int
    var name: String
    var nameOffset: Int

    fileprivate init(_ entry: SpecificationTables.Entry, _ name: [UInt8]) {
      row = entry.row
      self.name = String(decoding: name, as: UTF8.self)
      nameOffset = entry.name
    }
  }

  let bytes: [UInt8]
  /// The tables of the footer, as far as they can be read.
  private let tables: SpecificationTables

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var tables = SpecificationTables()
    let footer = Int(number(in: bytes, at: bytes.count - 8, byteCount: 8))
    _ = try? tables.read(from: SpecificationReader(bytes), at: footer)
    self.tables = tables
  }

  /// The width in bytes of the numbers in a container of a given length (Spec/archive.md, 1.1).
  static func width(_ length: Int) -> Int { length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4 }

  func word(_ offset: Int, _ byteCount: Int = 4) -> Int {
    Int(number(in: bytes, at: offset, byteCount: byteCount))
  }
  func long(_ offset: Int) -> Int { word(offset, 8) }

  /// The end of the archive values, where the first segment begins.
  var valuesEnd: Int { 20 + word(16) }
  var tail: Int { bytes.count - 24 }
  /// The offset of the tables, which begin with five counts.
  var footer: Int { long(tail + 16) }
  var keyTable: Int { footer + 20 }
  var typeTable: Int { tables.typeEntries.first?.row ?? shapeTable }
  var shapeTable: Int { tables.shapeEntries.first?.row ?? conditionals }
  var conditionals: Int { footer + 20 + word(footer + 16) }
  var segmentDirectory: Int { conditionals + word(footer + 12) * 4 }

  var segments: [Segment] {
    let count = word(tail + 4)
    return (0..<count).map { index in
      let row = segmentDirectory + 20 * index
      let first = word(row + 8)
      let next = index + 1 < count ? word(row + 28) : word(tail + 8) + 1
      let shape = word(row + 16)
      let several = shape == 0xFFFF_FFFF
      let directory = long(row) + 16 + word(row + 12)
      return Segment(
        row: row, offset: long(row), firstObject: first, objectCount: next - first,
        bodiesByteCount: word(row + 12), shape: several ? nil : shape & 0x7FFF_FFFF,
        hasFixedWidth: !several && shape >> 31 == 1,
        shapeByteCount: several ? Int(bytes[directory]) : 0,
        end: index + 1 < count ? long(row + 20) : footer)
    }
  }

  var keys: [Entry] { zip(tables.keyEntries, tables.keys).map { Entry($0, $1.name) } }
  var types: [Entry] { zip(tables.typeEntries, tables.types).map { Entry($0, $1.name) } }
  var keyNames: [String] { keys.map(\.name) }

  var shapes: [Shape] { tables.shapes.indices.map { shape(numbered: $0) } }

  private func shape(numbered number: Int) -> Shape {
    let shape = tables.shapes[number]
    let layout = tables.layout(of: number)
    // The words of an entry: the type, the case of an enumeration, and each slot with the shape of its cell.
    var row = tables.shapeEntries[number].row + (shape.enumerationCase == nil ? 4 : 8)
    var slots: [Slot] = []
    var payloadCount = 0
    for (slot, place) in zip(shape.slots, layout.places) {
      let offset = place.bit?.offset ?? (slot.tag.hasPayload ? payloadCount : place.slot.lowerBound)
      slots.append(
        Slot(
          key: String(decoding: tables.keys[slot.key].name, as: UTF8.self),
          tag: ArchiveTag(rawValue: slot.tag), isNullable: slot.isNullable,
          offset: offset, nilOffset: place.nilBit?.offset, row: row))
      row += slot.cell == nil ? 4 : 8
      if slot.tag.hasPayload { payloadCount += 1 }
    }
    return Shape(
      row: tables.shapeEntries[number].row, slots: slots, ends: layout.end,
      payloadCount: payloadCount)
  }

  private func segment(holding object: Int) -> Segment {
    let all = segments
    return all.last { $0.firstObject <= object } ?? all[0]
  }

  /// The offset of the number that says where an object's body ends; the last body of a segment has no such number.
  func directoryEntry(_ object: Int) -> Int {
    let segment = segment(holding: object)
    return segment.ends + (object - segment.firstObject) * segment.endByteCount
  }

  /// The offset of the number of an object's shape: in the directory, or in the row of a segment with one shape.
  func shapePlace(of object: Int) -> Int {
    let segment = segment(holding: object)
    if segment.shape != nil { return segment.row + 16 }
    return segment.shapes + (object - segment.firstObject) * segment.shapeByteCount
  }

  /// The body of an object.
  func record(_ object: Int) -> Range<Int> {
    record(object, in: segment(holding: object))
  }

  /// The bodies of all objects.
  var records: [Range<Int>] {
    segments.flatMap { segment in
      (0..<segment.objectCount).map { record(segment.firstObject + $0, in: segment) }
    }
  }

  private func record(_ object: Int, in segment: Segment) -> Range<Int> {
    let index = object - segment.firstObject
    func end(_ index: Int) -> Int {
      if index < 0 { return 0 }
      if segment.hasFixedWidth {
        return (index + 1) * segment.bodiesByteCount / segment.objectCount
      }
      if index + 1 == segment.objectCount { return segment.bodiesByteCount }
      return word(segment.ends + index * segment.endByteCount, segment.endByteCount)
    }
    return segment.bodies + end(index - 1)..<segment.bodies + end(index)
  }

  /// The body of an object.
  func body(_ object: Int = 1) -> Range<Int> { record(object) }

  /// The shape of an object.
  func shape(of object: Int) -> Shape {
    let segment = segment(holding: object)
    return shapes[segment.shape ?? word(shapePlace(of: object), segment.shapeByteCount)]
  }

  /// The width in bytes of the ends of a record's payloads.
  func endByteCount(of record: Int = 1) -> Int { Self.width(body(record).count) }

  private func slotOfShape(_ key: String, of record: Int) -> Slot? {
    shape(of: record).slots.first { $0.key == key }
  }

  /// The offset in the archive of the slot of a key, or of the number that says where its payload ends.
  ///
  /// The last payload has no such number.
  func slot(_ key: String, of record: Int = 1) -> Int {
    let start = body(record).lowerBound
    guard let slot = slotOfShape(key, of: record) else { return -1 << 40 }
    if !slot.tag.rawValue.hasPayload { return start + slot.offset }
    return start + shape(of: record).ends + slot.offset * endByteCount(of: record)
  }

  /// The offset in the archive of the byte with the nil bit of a key.
  func nilByte(_ key: String, of record: Int = 1) -> Int {
    body(record).lowerBound + (slotOfShape(key, of: record)?.nilOffset ?? -1 << 40)
  }

  /// The offset of the payloads of a record.
  func tail(of record: Int = 1) -> Int {
    let shape = shape(of: record)
    return body(record).lowerBound + shape.ends + shape.endCount * endByteCount(of: record)
  }

  /// The offset of the payload of a key.
  func payload(_ key: String, of record: Int = 1) -> Int {
    let index = slotOfShape(key, of: record)?.offset ?? -1 << 40
    let width = endByteCount(of: record)
    let last = slot(key, of: record) - width
    return tail(of: record)
      + (index == 0 ? 0 : Int(number(in: bytes, at: last, byteCount: width)))
  }

  /// The archive with another number for the end of a key's payload.
  func patchingEnd(of key: String, _ value: Int, of record: Int = 1) -> [UInt8] {
    patched(
      bytes, at: slot(key, of: record), byteCount: endByteCount(of: record), UInt64(value))
  }

  /// The offset of the numbers of an array without nils that begins at an offset.
  func arraySlots(_ array: Int) -> Int {
    bytes[array] == 0x92 ? array + 3 + Int(bytes[array + 2]) : array + 1
  }
}
