/// Everything that an archive holds, as plain numbers and bytes.
struct PlainArchive: Equatable {
  /// The records in the order of their numbers; the first is the archive's own.
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
/// It reads all of an archive and takes only what the verdict of section 7.5 calls canonical.
struct SpecificationReader {
  /// A rule that the archive breaks: the section that states it.
  struct Breach: Error {
    var section: String
    var offset: Int
  }

  let bytes: [UInt8]
  var tables = SpecificationTables()
  var archive = PlainArchive()
  /// The number of the next shape to be used for the first time (4.4).
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

  func padded(_ offset: Int) -> Int { (offset + 7) / 8 * 8 }

  func requireZero(_ range: Range<Int>, _ section: String) throws {
    try require(range.upperBound <= bytes.count, section, range.lowerBound)
    try require(bytes[range].allSatisfy { $0 == 0 }, section, range.lowerBound)
  }

  private mutating func read() throws {
    // 3.1 and 3.3
    try require(
      Array(bytes.prefix(8)) == [0x89, 0x4B, 0x53, 0x41, 0x0D, 0x0A, 0x1A, 0x0A], "3.1", 0)
    try require(number(8, 2) == 0 && number(12, 4) == 0, "3.1", 8)
    try requireZero(20..<64, "3.1")
    let tail = bytes.count - 32
    let footer = try number(tail, 8)
    try require(
      number(tail + 8, 8) == tail - footer && footer >= 64 && footer % 8 == 0, "3.3", tail)
    try require(number(tail + 16, 8) == bytes.count && bytes.count % 8 == 0, "3.3", tail + 16)
    try require(number(tail + 28, 4) == 0x6454_534B, "3.3", tail + 28)
    // 3.2
    try require(number(footer, 4) == 0x7846_534B && number(footer + 56, 8) == 0, "3.2", footer)
    let words = try (0..<8).map { try number(footer + 4 * $0, 4) }
    let (segments, objects) = (words[1], words[2])
    try require(segments >= 1 && number(tail + 24, 4) == segments, "3.2", footer + 4)
    archive.root = words[3]
    try require(1...max(objects, 1) ~= archive.root && objects >= 1, "3.2", footer + 12)
    let lengths = try (0..<3).map { try number(footer + 32 + 8 * $0, 8) }
    var complete = SpecificationTables()
    let list = try complete.read(
      from: self, at: footer + 64, keys: words[4], types: words[5], shapes: words[6],
      lengths: lengths)
    // 4.5
    for index in 0..<words[7] {
      archive.conditionals.append(try number(list + 4 * index, 4))
      try require(archive.conditionals[index] <= objects, "4.5", list + 4 * index)
    }
    let rows = padded(list + 4 * words[7])
    try requireZero(list + 4 * words[7]..<rows, "3.2")
    try require(rows + 32 * segments == tail, "3.2", rows)
    var offset = 64
    for index in 0..<segments {
      offset = try readSegment(
        index, row: rows + 32 * index, at: offset, isLast: index == segments - 1)
    }
    try require(offset == footer && archive.records.count == objects + 1, "3.2", footer)
    try require(tables == complete, "3.2", footer + 64)
  }

  /// A segment, from its own tables and not from those of the footer (4.1).
  private mutating func readSegment(
    _ index: Int, row: Int, at start: Int, isLast: Bool
  ) throws -> Int {
    let words = try (0..<8).map { try number(start + 4 * $0, 4) }
    try require(words[0] == 0x6745_534B && words[1] == index && words[7] == 0, "4.1", start)
    let (first, count) = (words[2], words[3])
    let lengths = try (4..<8).map { try number(start + 8 * $0, 8) }
    let (length, end) = (lengths[1], start + lengths[2])
    try require(first == archive.records.count && count >= 1 && lengths[3] == 0, "4.1", start)
    for (field, value) in [(0, start), (8, lengths[2]), (24, length)] {
      try require(number(row + field, 8) == value, "3.2", row + field)
    }
    try require(number(row + 16, 4) == first && number(row + 20, 4) == count, "3.2", row + 16)
    let records = start + 64
    let directory = padded(records + length)
    try requireZero(records + length..<directory, "4.1")
    let entries = try (0...count).map { try number(directory + 4 * $0, 4) }
    try require(entries[0] == 0 && entries[count] == length, "4.1", directory)
    try require(isLast || length >= 262_144, "4.1", start)
    try require(entries[count - 1] < 262_144, "4.1", start)
    let newTables = padded(directory + 4 * count + 4)
    try requireZero(directory + 4 * count + 4..<newTables, "4.1")
    let endOfTables = try tables.read(
      from: self, at: newTables, keys: words[4], types: words[5], shapes: words[6], lengths: nil)
    try require(endOfTables == end && end - newTables == lengths[0], "4.1", newTables)
    for (from, to) in zip(entries, entries.dropFirst()) {
      try require(from < to, "4.1", directory)
      let record = try readRecord(records + from..<records + to, hasCase: false)
      try require(record.typeName.isEmpty == archive.records.isEmpty, "4.3", records + from)
      try require(
        !archive.records.isEmpty || record.schemaVersion == 0, "4.3", records + from)
      archive.records.append(record)
    }
    try require(nextShape == tables.shapes.count, "4.4", newTables)
    return end
  }

  /// The number of a shape, and where the body after it begins (5.4).
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

  /// A record of an object, or one that is nested (4.4).
  mutating func readRecord(_ range: Range<Int>, hasCase: Bool) throws -> PlainRecord {
    let (shape, body) = try readShapeNumber(range)
    return try readBody(body..<range.upperBound, shape: shape, hasCase: hasCase)
  }

  /// The body of a record whose shape is known (4.4).
  mutating func readBody(
    _ range: Range<Int>, shape shapeNumber: Int, hasCase: Bool
  ) throws -> PlainRecord {
    let start = range.lowerBound
    let firstSlot = start
    try require(shapeNumber < tables.shapes.count, "4.4", start)
    let shape = tables.shapes[shapeNumber]
    try require((shape.enumerationCase != nil) == hasCase, "5.4", start)
    var record = PlainRecord(
      typeName: tables.types[shape.type].name, schemaVersion: tables.types[shape.type].version,
      caseName: shape.enumerationCase.map { tables.keys[$0].name })
    var offset = firstSlot
    var bits = (rest: 0, count: 0)
    func nextBit() throws -> Bool {
      if bits.count % 8 == 0 {
        try require(bits.rest == 0 && offset < range.upperBound, "4.4", offset)
        bits.rest = try number(offset, 1)
        offset += 1
      }
      defer { bits = (bits.rest / 2, bits.count + 1) }
      return bits.rest % 2 == 1
    }
    var places: [(slot: Range<Int>, isNil: Bool, bit: Bool?)] = []
    for slot in shape.slots {
      let isNil = try slot.isNullable && nextBit()
      let bit = slot.tag.isBit ? try nextBit() : nil
      let length = slot.tag.isBit ? 0 : slot.tag.slotByteCount
      places.append((offset..<offset + length, isNil, bit))
      offset += length
    }
    try require(bits.rest == 0, "4.4", offset)
    let payloads = try readEnds(
      at: offset, count: shape.slots.filter { $0.tag.hasPayload }.count,
      firstSlot..<range.upperBound)
    var nextPayload = payloads.makeIterator()
    for (slot, place) in zip(shape.slots, places) {
      // 5.3: a nil of no kind is one by its tag and by its bit.
      try require(slot.tag != 0 || place.isNil, "5.3", place.slot.lowerBound)
      let range = slot.tag.hasPayload ? nextPayload.next() : place.slot
      let value: PlainValue
      if let bit = place.bit {
        try require(!place.isNil || !bit, "5.3", place.slot.lowerBound)
        value = place.isNil ? .null : .simple(slot.tag, [bit ? 1 : 0])
      } else {
        value = try readValue(slot.tag, place.isNil, range ?? place.slot)
      }
      let key = tables.keys[slot.key]
      record.fields.append(
        .init(
          scopes: tables.scopes(of: slot.key), isReserved: key.space == 1, name: key.name,
          value: value))
    }
    // Shapes are numbered as the first record of each is completed.
    try require(shapeNumber <= nextShape, "4.4", start)
    nextShape = max(nextShape, shapeNumber + 1)
    return record
  }

  /// Where the payloads of a body lie, by the ends of all but the last (4.4), which are as narrow as the
  /// length of the body allows.
  private func readEnds(at ends: Int, count: Int, _ body: Range<Int>) throws -> [Range<Int>] {
    func width(_ length: Int) -> Int { length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4 }
    let width = width(body.count)
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
