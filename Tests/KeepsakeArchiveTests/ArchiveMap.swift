import KeepsakeArchive

/// Where the parts of an archive lie, for tests that write over single fields.
///
/// It expects what a writer made, and takes from the reader that was made of Spec/archive.md what the tables say.
struct ArchiveMap {
  struct Segment {
    /// Where its row of the segment directory lies.
    var row: Int
    var offset: Int
    var firstObject: Int
    var objectCount: Int
    var bodiesByteCount: Int
    /// The one shape of all objects, nil if they have several.
    var shape: Int?
    var hasFixedWidth: Bool
    /// The bytes of the number of a shape in the directory, 0 if there are none.
    var shapeByteCount: Int
    /// Where the next segment or the footer begins.
    var end: Int

    var bodies: Int { offset + 16 }
    var directory: Int { bodies + bodiesByteCount }
    /// Where the numbers of shapes lie, if there are any.
    var shapes: Int { directory + 1 }
    var ends: Int { shape == nil ? shapes + objectCount * shapeByteCount : directory }
    var endByteCount: Int { ArchiveMap.width(bodiesByteCount) }
    var tables: Int { hasFixedWidth ? ends : ends + (objectCount - 1) * endByteCount }
  }

  struct Slot {
    var key: String
    var tag: ArchiveTag
    var isNullable: Bool
    /// Where the slot lies, from the start of its body; of a payload, which of them is its own.
    var offset: Int
    /// Where the byte with its nil bit lies.
    var nilOffset: Int?
    /// Where its word of the shape table lies.
    var row: Int
  }

  struct Shape {
    /// Where its entry of the shape table lies.
    var row: Int
    var slots: [Slot]
    /// Where the ends of the payloads begin, from the start of the body.
    var ends: Int
    /// How many payloads there are.
    var payloadCount: Int

    /// How many payloads have an end of their own: all but the last.
    var endCount: Int { max(payloadCount - 1, 0) }
  }

  /// An entry of the table of keys or of types.
  struct Entry {
    var row: Int
    var name: String
    /// Where the name lies.
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

  /// The width for a length (1).
  static func width(_ length: Int) -> Int { length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4 }

  func word(_ offset: Int, _ byteCount: Int = 4) -> Int {
    Int(number(in: bytes, at: offset, byteCount: byteCount))
  }
  func long(_ offset: Int) -> Int { word(offset, 8) }

  /// Where the archive values end and the first segment begins.
  var valuesEnd: Int { 20 + word(16) }
  var tail: Int { bytes.count - 24 }
  /// Where the tables begin, with their five counts.
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
    // Words of the table: of the type, of a case, of each slot, and of the shape of a cell after it.
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

  /// Where the end of an object's body is stated; the last one of a segment has none.
  func directoryEntry(_ object: Int) -> Int {
    let segment = segment(holding: object)
    return segment.ends + (object - segment.firstObject) * segment.endByteCount
  }

  /// Where the number of an object's shape lies: in the directory, or the one of the segment in its row.
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

  /// The bytes of an end of a record.
  func endByteCount(of record: Int = 1) -> Int { Self.width(body(record).count) }

  private func slotOfShape(_ key: String, of record: Int) -> Slot? {
    shape(of: record).slots.first { $0.key == key }
  }

  /// Where the slot of a key lies in the archive, or the end of its payload; the last payload has none.
  func slot(_ key: String, of record: Int = 1) -> Int {
    let start = body(record).lowerBound
    guard let slot = slotOfShape(key, of: record) else { return -1 << 40 }
    if !slot.tag.rawValue.hasPayload { return start + slot.offset }
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
}
