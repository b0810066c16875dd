/// Everything that an archive holds, as plain numbers and bytes.
struct PlainArchive: Equatable {
  struct Value: Equatable {
    var number: Int
    var tag: UInt8
    var bytes: [UInt8]
  }

  /// The number, the tag and the bytes of each archive value.
  var values: [Value] = []
  /// The objects in the order of their numbers.
  var records: [PlainRecord] = []
  var root = 0
  /// The objects of the conditional references, 0 for none.
  var conditionals: [Int] = []
}

struct PlainRecord: Equatable {
  struct Field: Equatable {
    var scopes: [[UInt8]]
    var isReserved: Bool
    var name: [UInt8]
    var value: PlainValue
  }

  var typeName: [UInt8]
  var schemaVersion: Int
  var caseName: [UInt8]?
  var fields: [Field] = []
}

indirect enum PlainValue: Equatable {
  case null
  /// The tag with the bytes of the slot, or of the payload.
  case simple(UInt8, [UInt8])
  case array([PlainValue])
  case set([PlainValue])
  case dictionary(keys: [PlainValue], values: [PlainValue])
  case record(PlainRecord)
}

/// A reader that was written from Spec/archive.md alone and does not use the library.
///
/// It reads a whole archive and accepts only canonical ones (7.5).
struct SpecificationReader {
  /// The section whose rule the archive breaks, and the offset.
  struct Breach: Error {
    var section: String
    var offset: Int
  }

  let bytes: [UInt8]
  var tables = SpecificationTables()
  var archive = PlainArchive()
  /// The number of the shape that is next to be used for the first time (4.4).
  private var nextShape = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  static func read(_ bytes: [UInt8]) throws -> PlainArchive {
    var reader = SpecificationReader(bytes)
    try reader.read()
    return reader.archive
  }

  func require(_ condition: Bool, _ section: String, _ offset: Int) throws {
    guard condition else { throw Breach(section: section, offset: offset) }
  }

  /// A little-endian number of up to eight bytes; one that is too large for any offset is a breach.
  func number(_ offset: Int, _ width: Int) throws -> Int {
    try require(offset >= 0 && offset <= bytes.count - width, "1", offset)
    let value = (0..<width).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    try require(value < 1 << 62, "1", offset)
    return Int(value)
  }

  func requireZero(_ range: Range<Int>, _ section: String) throws {
    try require(range.upperBound <= bytes.count, section, range.lowerBound)
    try require(bytes[range].allSatisfy { $0 == 0 }, section, range.lowerBound)
  }

  /// The offset of the tail (3.5).
  private var tail: Int { bytes.count - 24 }
  /// The number of objects by the tail, which is known before any body is read.
  var objectCount: Int {
    get throws { try number(tail + 8, 4) }
  }

  private mutating func read() throws {
    // 3.1 and 3.5
    try require(
      Array(bytes.prefix(8)) == [0x89, 0x4B, 0x53, 0x41, 0x0D, 0x0A, 0x1A, 0x0A], "3.1", 0)
    try require(number(8, 2) == 1 && number(12, 4) == 0, "3.1", 8)
    let end = try 20 + number(16, 4)
    try require(end <= tail && number(tail, 4) == 0x6454_534B, "3.5", tail)
    let (segments, objects) = (try number(tail + 4, 4), try objectCount)
    archive.root = try number(tail + 12, 4)
    try require(segments >= 1 && 1...max(objects, 1) ~= archive.root, "3.5", tail + 4)
    let footer = try number(tail + 16, 8)
    try require(end <= footer && footer <= tail - 20, "3.5", tail + 16)
    try readValues(upTo: end)
    // 3.4
    var complete = SpecificationTables()
    let (list, count) = try complete.read(from: self, at: footer)
    let rows = list + 4 * count
    try require(rows + 20 * segments == tail, "3.4", rows)
    for index in 0..<count {
      archive.conditionals.append(try number(list + 4 * index, 4))
      try require(archive.conditionals[index] <= objects, "4.4", list + 4 * index)
    }
    var offset = end
    for index in 0..<segments {
      try require(
        number(rows + 20 * index, 8) == offset
          && number(rows + 20 * index + 8, 4) == archive.records.count + 1, "3.4", rows)
      offset = try readSegment(
        row: rows + 20 * index, at: offset, isLast: index == segments - 1, complete)
    }
    try require(offset == footer && archive.records.count == objects, "3.4", footer)
    try require(tables.declaresSame(as: complete), "3.4", footer)
  }

  /// The archive values (3.2).
  private mutating func readValues(upTo end: Int) throws {
    var offset = 20
    while offset < end {
      let (key, tag) = (try number(offset, 1), UInt8(try number(offset + 1, 1)))
      let length = try number(offset + 2, 4)
      let range = offset + 6..<offset + 6 + length
      try require(range.upperBound <= end, "3.2", offset)
      try require(archive.values.allSatisfy { $0.number < key }, "3.2", offset)
      let known: [UInt8] = [0x2E, 0x14, 0x3C, 0x2E]
      try require(!(1...4 ~= key) || known[key - 1] == tag, "3.2", offset)
      try require(
        tag.isTagOfValue && 1...6 ~= tag & 7 && !(10...16 ~= tag >> 3), "3.2", offset)
      try require(tag.hasPayload || tag.slotByteCount == length, "3.2", offset)
      if 1...4 ~= key, tag == 0x2E {
        try require(String(validating: bytes[range], as: UTF8.self) != nil, "1", offset)
      }
      archive.values.append(.init(number: key, tag: tag, bytes: Array(bytes[range])))
      offset = range.upperBound
    }
  }

  /// The number of bytes and of objects of the segment before.
  private var last: (byteCount: Int, objectCount: Int)?

  /// Reads a segment by its own tables; the last one has those of the footer (3.3).
  private mutating func readSegment(
    row: Int, at start: Int, isLast: Bool, _ complete: SpecificationTables
  ) throws -> Int {
    try require(number(start, 4) == (isLast ? 0x7A45_534B : 0x6745_534B), "3.3", start)
    let (length, count) = (try number(start + 4, 4), try number(start + 8, 4))
    let shape = try number(start + 12, 4)
    try require(number(row + 12, 4) == length && number(row + 16, 4) == shape, "3.4", row)
    try require(1...65_535 ~= count && (length <= 65_535 || count == 1), "3.3", start)
    var offset = start + 16 + length
    var shapes = [Int](repeating: shape & 0x7FFF_FFFF, count: count)
    let isMixed = shape == 0xFFFF_FFFF
    if isMixed {
      let width = try number(offset, 1)
      shapes = try (0..<count).map { try number(offset + 1 + width * $0, width) }
      try require(Set(shapes).count > 1, "3.3", offset)
      try require(width == self.width(shapes.max() ?? 0), "3.3", offset)
      offset += 1 + width * count
    }
    let hasEnds = isMixed || shape >> 31 == 0
    var ends = (1...count).map { $0 * (length / count) }
    if hasEnds {
      let width = self.width(length)
      ends = try (0..<count - 1).map { try number(offset + width * $0, width) } + [length]
      offset += width * (count - 1)
    }
    let newTables = offset
    if isLast {
      tables = complete
    } else {
      let (end, conditionals) = try tables.read(from: self, at: offset)
      try require(conditionals == 0, "4", offset)
      offset = end
    }
    for (index, end) in ends.enumerated() {
      let from = index == 0 ? 0 : ends[index - 1]
      try require(from <= end && end <= length, "3.3", newTables)
      if index == 0, let last {
        try require(
          last.byteCount + end > 65_535 || last.objectCount == 65_535, "3.3", start)
      }
      try require(shapes[index] < tables.shapes.count, "4.3", newTables)
      let fixed = tables.fixedWidth(of: shapes[index])
      try require(hasEnds == (isMixed || fixed == 0), "3.3", start + 12)
      try require(hasEnds || fixed * count == length, "3.3", start + 12)
      let record = try readBody(
        start + 16 + from..<start + 16 + end, shape: shapes[index], hasCase: false,
        isObject: true)
      try require(!record.typeName.isEmpty, "4.2", start + 16 + from)
      archive.records.append(record)
    }
    try require(nextShape == tables.shapes.count, "4", newTables)
    last = (length, count)
    return offset
  }

  /// The number of a shape, and the offset of the body after it (5.4).
  func readShapeNumber(_ range: Range<Int>) throws -> (shape: Int, body: Int) {
    let start = range.lowerBound
    try require(!range.isEmpty, "5.4", start)
    let first = try number(start, 1)
    if first < 254 { return (first, start + 1) }
    let width = first == 254 ? 2 : 4
    try require(range.count > width, "5.4", start)
    let shape = try number(start + 1, width)
    try require(shape >= (width == 2 ? 254 : 1 << 16), "5.4", start)
    return (shape, start + 1 + width)
  }

  /// A record that is nested, after the number of its shape.
  mutating func readRecord(_ range: Range<Int>, hasCase: Bool) throws -> PlainRecord {
    let (shape, body) = try readShapeNumber(range)
    return try readBody(body..<range.upperBound, shape: shape, hasCase: hasCase)
  }

  /// The body of a record whose shape is known (5.2).
  mutating func readBody(
    _ range: Range<Int>, shape shapeNumber: Int, hasCase: Bool, isObject: Bool = false
  ) throws -> PlainRecord {
    let start = range.lowerBound
    try require(shapeNumber < tables.shapes.count, "4.3", start)
    let shape = tables.shapes[shapeNumber]
    try require((shape.enumerationCase != nil) == hasCase, "5.4", start)
    let hasReservedKey = shape.slots.contains { tables.keys[$0.key].space == 1 }
    try require(isObject || !hasReservedKey, "4.3", start)
    var record = PlainRecord(
      typeName: tables.types[shape.type].name, schemaVersion: tables.types[shape.type].version,
      caseName: shape.enumerationCase.map { tables.keys[$0].name })
    let layout = tables.layout(of: shapeNumber)
    try require(layout.end <= range.count, "4.4", start)
    func isSet(_ bit: SpecificationTables.Layout.Bit) -> Bool {
      bytes[start + bit.offset] & bit.mask != 0
    }
    try require(layout.unusedBits.map(isSet) != true, "4.4", start)
    let payloads = try readEnds(
      at: start + layout.end, count: shape.slots.filter { $0.tag.hasPayload }.count, range)
    var nextPayload = payloads.makeIterator()
    for (slot, place) in zip(shape.slots, layout.places) {
      let isNil = place.nilBit.map(isSet) == true
      let slotRange = start + place.slot.lowerBound..<start + place.slot.upperBound
      // 5.3: a nil of the null kind has its nil bit set.
      try require(slot.tag != 0 || isNil, "5.3", slotRange.lowerBound)
      let range = slot.tag.hasPayload ? nextPayload.next() : slotRange
      let value: PlainValue
      if let bit = place.bit.map(isSet) {
        try require(!isNil || !bit, "5.3", slotRange.lowerBound)
        value = isNil ? .null : .simple(slot.tag, [bit ? 1 : 0])
      } else if let cell = slot.cell {
        value = .record(try readBody(slotRange, shape: cell, hasCase: false))
      } else {
        if slot.tag == 0x66, !slot.isNullable, let range, nextShape < 4_096 {
          // 5.4: a record of fixed width is stored inline.
          let cell = try readShapeNumber(range).shape
          try require(
            cell >= tables.shapes.count || tables.cellByteCount(of: cell) == 0, "5.4",
            range.lowerBound)
        }
        value = try readValue(slot.tag, isNil, range ?? slotRange)
      }
      // A nil that is left out is no value (5.3).
      if isNil, slot.omitsNil { continue }
      let key = tables.keys[slot.key]
      record.fields.append(
        .init(
          scopes: tables.scopes(of: slot.key), isReserved: key.space == 1, name: key.name,
          value: value))
    }
    // Shapes are numbered in the order in which their first records are complete.
    try require(shapeNumber <= nextShape, "4.4", start)
    nextShape = max(nextShape, shapeNumber + 1)
    return record
  }

  /// The payloads of a body, by the ends of all but the last (4.4), which are as narrow as the length of the body
  /// allows.
  private func readEnds(at ends: Int, count: Int, _ body: Range<Int>) throws -> [Range<Int>] {
    let width = self.width(body.count)
    let endCount = max(count - 1, 0)
    let tail = ends + endCount * width
    try require(
      count == 0 ? tail == body.upperBound : tail <= body.upperBound, "4.4", body.lowerBound)
    let others = body.count - endCount * width
    let narrowest =
      others + endCount < 1 << 8 ? 1 : others + endCount * 2 < 1 << 16 ? 2 : 4
    try require(width == narrowest, "4.4", ends)
    var last = tail
    var payloads: [Range<Int>] = []
    for index in 0..<count {
      let place = ends + index * width
      let end = index == endCount ? body.upperBound : try tail + number(place, width)
      try require(last <= end && end <= body.upperBound, "4.4", place)
      payloads.append(last..<end)
      last = end
    }
    return payloads
  }
}
