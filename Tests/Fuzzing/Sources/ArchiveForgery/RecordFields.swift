/// The offsets of the fields of a record that a reader checks, and of everything nested in it
/// (Spec/archive.md, 4.4 and section 5), as far as the record can be followed.
struct RecordFields {
  /// The meaning of a field.
  enum Role {
    /// The number of the shape in front of a body.
    case shape
    case slot
    case nilBits
    /// The end of a payload or of the keys of a dictionary, as a length from `base`.
    case end
    /// The form of an array or the tag of its elements, and the number of zero bytes before the slots.
    case tag, zeroCount
    case count
  }

  struct Field {
    var role: Role
    var offset: Int
    var byteCount: Int
    var base = 0
  }

  /// Numbers that are aligned.
  struct Row {
    var range: Range<Int>
    var tag: UInt8
    var slots: Range<Int>
  }

  private(set) var fields: [Field] = []
  private(set) var rows: [Row] = []
  /// The number of slots that were visited, including those outside of the record.
  private var slotCount = 0
  private let bytes: [UInt8]
  private let shapes: [RecordShape]

  init(_ record: [UInt8], _ shapes: [RecordShape]) {
    bytes = record
    self.shapes = shapes
    addRecord(0..<record.count, depth: 0)
  }

  /// Bounds the time that an input takes.
  private func isTooMuch(_ depth: Int) -> Bool {
    depth > 64 || fields.count > 4096 || slotCount > 16_384
  }

  private mutating func add(_ role: Role, _ offset: Int, _ byteCount: Int, base: Int = 0) {
    // A shape may have slots beyond the end of the record.
    guard offset + byteCount <= bytes.count else { return }
    fields.append(Field(role: role, offset: offset, byteCount: byteCount, base: base))
  }

  /// A body after the number of its shape.
  private mutating func addRecord(_ range: Range<Int>, depth: Int) {
    guard !isTooMuch(depth), let (shape, body) = addShapeNumber(range) else { return }
    addBody(of: shape, body, depth: depth)
  }

  /// Reads the number of a shape, and the range after it; nil when there is no such shape.
  private mutating func addShapeNumber(_ range: Range<Int>) -> (RecordShape, Range<Int>)? {
    guard let first = bytes[range].first else { return nil }
    add(.shape, range.lowerBound, 1)
    let wide = first == 254 ? 2 : first == 255 ? 4 : 0
    guard range.count > wide else { return nil }
    let number = wide == 0 ? Int(first) : bytes.number(range.lowerBound + 1, byteCount: wide)
    guard number < shapes.count else { return nil }
    return (shapes[number], range.lowerBound + 1 + wide..<range.upperBound)
  }

  private mutating func addBody(of shape: RecordShape, _ body: Range<Int>, depth: Int) {
    guard !isTooMuch(depth) else { return }
    let offset = addSlots(of: shape, at: body.lowerBound, depth: depth)
    let tags = shape.slots.map(\.tag).filter { $0 & 7 == 6 }
    let width = Self.width(of: body.count)
    guard !tags.isEmpty, offset + (tags.count - 1) * width <= body.upperBound else { return }
    addPayloads(
      tags, endsAt: offset, width: width, tailAt: offset + (tags.count - 1) * width, in: body,
      depth: depth)
  }

  /// Adds the slots of a body and of its inline cells; returns the offset of their end.
  private mutating func addSlots(of shape: RecordShape, at start: Int, depth: Int) -> Int {
    var offset = start
    var bitCount = 0
    for slot in shape.slots where !isTooMuch(depth) {
      slotCount += 1
      for _ in 0..<slot.bitCount {
        if bitCount & 7 == 0 {
          add(.nilBits, offset, 1)
          offset += 1
        }
        bitCount += 1
      }
      if let cell = slot.cell {
        _ = addSlots(of: shapes[cell], at: offset, depth: depth + 1)
      } else if slot.width > 0 {
        add(.slot, offset, slot.width)
      }
      offset += slot.width
    }
    return offset
  }

  /// Adds the payloads after their ends; the last end is not stored.
  private mutating func addPayloads(
    _ tags: [UInt8], endsAt offset: Int, width: Int, tailAt tail: Int, in range: Range<Int>,
    depth: Int
  ) {
    addRanges(count: tags.count, endsAt: offset, width: width, tailAt: tail, in: range, depth) {
      $0.addPayload(tags[$1], $2, depth: depth + 1)
    }
  }

  /// Adds the ranges between ends; the last end is not stored.
  private mutating func addRanges(
    count: Int, endsAt offset: Int, width: Int, tailAt tail: Int, in range: Range<Int>,
    _ depth: Int, _ addRange: (inout RecordFields, Int, Range<Int>) -> Void
  ) {
    var last = tail
    for index in 0..<count where !isTooMuch(depth) {
      let isStored = index + 1 < count
      if isStored { add(.end, offset + index * width, width, base: tail) }
      let end =
        isStored
        ? tail + bytes.number(offset + index * width, byteCount: width) : range.upperBound
      guard last <= end, end <= range.upperBound else { return }
      addRange(&self, index, last..<end)
      last = end
    }
  }

  private mutating func addPayload(_ tag: UInt8, _ range: Range<Int>, depth: Int) {
    switch tag {
    case 0x66, 0x86: addRecord(range, depth: depth)
    case 0x6E, 0x7E: addArray(range, depth: depth)
    case 0x76:
      let width = Self.width(of: range.count)
      guard range.count >= width else { return }
      let first = range.lowerBound + width
      add(.end, range.lowerBound, width, base: first)
      let middle = first + bytes.number(range.lowerBound, byteCount: width)
      guard middle <= range.upperBound else { return }
      addArray(first..<middle, depth: depth)
      addArray(middle..<range.upperBound, depth: depth)
    default: break
    }
  }

  /// The width of numbers in a range of this length (Spec/archive.md, 1).
  private static func width(of length: Int) -> Int {
    length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4
  }

  private mutating func addArray(_ range: Range<Int>, depth: Int) {
    let start = range.lowerBound
    guard range.count > 1, !isTooMuch(depth) else { return }
    add(.tag, start, 1)
    let width = Self.width(of: range.count)
    let form = bytes[start]
    switch form {
    case 0x0F: add(.nilBits, range.upperBound - 1, 1)
    case 0x60, 0x80: addCells(start + 1..<range.upperBound, depth: depth)
    case 0x66, 0x86: addBodies(start + 1..<range.upperBound, width: width, depth: depth)
    case 0x90: addElements(range, tag: nil, width: width, depth: depth)
    case 0x91:
      guard range.count > 2 + width else { return }
      add(.tag, start + 1, 1)
      add(.count, start + 2, width)
      let count = bytes.number(start + 2, byteCount: width)
      guard count <= range.count * 8 else { return }
      let slots = start + 2 + width + (count + 7) / 8
      guard slots <= range.upperBound else { return }
      addNilBits(start + 2 + width..<slots)
      addRow(range, bytes[start + 1], slots..<range.upperBound)
    case 0x92:
      guard range.count > 3 else { return }
      add(.tag, start + 1, 1)
      add(.zeroCount, start + 2, 1)
      let tag = bytes[start + 1]
      let first = start + 3 + Int(bytes[start + 2])
      let end =
        range.upperBound - max(RecordShape.alignment(of: tag) - 1 - Int(bytes[start + 2]), 0)
      guard first <= end else { return }
      rows.append(Row(range: range, tag: tag, slots: first..<end))
      addRow(range, tag, first..<end)
    case 0x93:
      guard range.count > 2 + width else { return }
      add(.tag, start + 1, 1)
      add(.count, start + 2, width)
      addRow(range, bytes[start + 1], start + 2 + width..<range.upperBound)
    default:
      if form & 7 == 6 {
        addElements(range, tag: form, width: width, depth: depth)
      } else {
        addRow(range, form, start + 1..<range.upperBound)
      }
    }
  }

  /// Adds a slot of a fixed width.
  private mutating func addRow(_ range: Range<Int>, _ tag: UInt8, _ slots: Range<Int>) {
    let width = RecordShape.width(of: tag)
    if width > 0, slots.count >= width { add(.slot, slots.lowerBound, width) }
  }

  /// Adds records or enumerations of one shape that is a cell; only the fields of the first few.
  private mutating func addCells(_ range: Range<Int>, depth: Int) {
    guard let (shape, bodies) = addShapeNumber(range), shape.fixedByteCount > 0 else { return }
    for body in stride(from: bodies.lowerBound, to: bodies.upperBound, by: shape.fixedByteCount)
      .prefix(8)
    {
      _ = addSlots(of: shape, at: body, depth: depth)
    }
  }

  /// Adds records or enumerations of one shape, with ends.
  private mutating func addBodies(_ range: Range<Int>, width: Int, depth: Int) {
    guard let (shape, rest) = addShapeNumber(range), rest.count >= width else { return }
    add(.count, rest.lowerBound, width)
    let count = bytes.number(rest.lowerBound, byteCount: width)
    let ends = rest.lowerBound + width
    guard count > 0, count <= range.count, ends + (count - 1) * width <= range.upperBound
    else { return }
    addRanges(
      count: count, endsAt: ends, width: width, tailAt: ends + (count - 1) * width, in: range,
      depth
    ) {
      $0.addBody(of: shape, $2, depth: depth + 1)
      _ = $1
    }
  }

  /// Adds elements with ends, which share a tag or have their own.
  private mutating func addElements(_ range: Range<Int>, tag: UInt8?, width: Int, depth: Int) {
    let start = range.lowerBound
    guard range.count > 1 + width else { return }
    add(.count, start + 1, width)
    let count = bytes.number(start + 1, byteCount: width)
    let tags = start + 1 + width
    guard count > 0, count <= range.upperBound - tags + 1 else { return }
    let ends = tag == nil ? tags + count : tags
    let tail = ends + (count - 1) * width
    guard tail <= range.upperBound else { return }
    if tag == nil { for index in 0..<count { add(.tag, tags + index, 1) } }
    addPayloads(
      tag.map { Array(repeating: $0, count: count) } ?? Array(bytes[tags..<ends]), endsAt: ends,
      width: width, tailAt: tail, in: range, depth: depth)
  }

  private mutating func addNilBits(_ range: Range<Int>) {
    if !range.isEmpty { add(.nilBits, range.upperBound - 1, 1) }
  }
}

/// The layout of a shape's records.
struct RecordShape {
  struct Slot {
    var tag: UInt8
    var isNullable: Bool
    /// The size of the value before the ends, in bytes.
    var width: Int
    /// The number of the inline shape; nil for another slot.
    var cell: Int?

    var bitCount: Int { (isNullable ? 1 : 0) + (tag & 7 == 7 ? 1 : 0) }
  }

  var slots: [Slot] = []

  /// The size of every body in bytes if no slot has a payload, else 0.
  var fixedByteCount: Int {
    if slots.contains(where: { $0.tag & 7 == 6 }) { return 0 }
    let bits = slots.reduce(0) { $0 + $1.bitCount }
    return slots.reduce((bits + 7) / 8) { $0 + $1.width }
  }

  /// The size in bytes of a slot of a fixed width, or of a bit in an array.
  static func width(of tag: UInt8) -> Int { [0, 1, 2, 4, 8, 16, 0, 1][Int(tag & 7)] }

  /// The alignment of slots of numbers in an array (Spec/archive.md, 5.5).
  static func alignment(of tag: UInt8) -> Int {
    [2, 3, 4, 7].contains(tag >> 3) ? min(max(width(of: tag), 1), 8) : 1
  }
}

extension ArchiveParts {
  /// The shapes, as far as their table can be followed.
  var shapes: [RecordShape] {
    let bytes = tables[2].bytes
    var shapes: [RecordShape] = []
    for row in entryStarts(ofTable: 2) {
      let count = min(bytes.number(row + 2, byteCount: 2), (bytes.count - row) / 4)
      var shape = RecordShape()
      var isCellNumber = false
      for index in 0..<count where row + 8 + 4 * index <= bytes.count {
        let word = bytes.word(row + 4 + 4 * index)
        if isCellNumber {
          isCellNumber = false
          // A shape that is declared later, or never, is not a cell.
          let number = Int(word)
          guard number < shapes.count else { break }
          shape.slots.append(
            .init(
              tag: 0x60, isNullable: false, width: min(shapes[number].fixedByteCount, 1 << 16),
              cell: number))
          continue
        }
        let tag = UInt8(truncatingIfNeeded: word)
        // The word of a case is not a slot.
        if index == 0, tag == 0x80 { continue }
        isCellNumber = tag == 0x60
        if isCellNumber { continue }
        let width = tag & 7 >= 6 ? 0 : RecordShape.width(of: tag)
        shape.slots.append(.init(tag: tag, isNullable: word & 0x100 != 0, width: width))
      }
      shapes.append(shape)
    }
    return shapes
  }
}
