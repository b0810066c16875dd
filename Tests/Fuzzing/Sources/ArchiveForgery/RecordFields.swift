/// Where the fields of a record lie that a reader looks at, with those of everything nested in it
/// (Spec/archive.md, 4.4 and section 5), as far as the record can be followed.
struct RecordFields {
  /// What a field says.
  enum Role {
    /// The number of the shape in front of a body.
    case shape
    case slot
    case nilBits
    /// Where a payload ends, or the keys of a dictionary: a length from `base` on.
    case end
    /// The tag of elements, the flags and how many zero bytes come before the slots.
    case tag, flags, zeroCount
    case count
  }

  struct Field {
    var role: Role
    var offset: Int
    var byteCount: Int
    var base = 0
  }

  /// Elements of a fixed width that lie side by side.
  struct Row {
    var range: Range<Int>
    var tag: UInt8
    var slots: Range<Int>
  }

  private(set) var fields: [Field] = []
  private(set) var rows: [Row] = []
  private let bytes: [UInt8]
  private let shapes: [RecordShape]

  init(_ record: [UInt8], _ shapes: [RecordShape]) {
    bytes = record
    self.shapes = shapes
    addRecord(0..<record.count, depth: 0)
  }

  /// So that an input takes bounded time, whatever it says.
  private func isTooMuch(_ depth: Int) -> Bool { depth > 64 || fields.count > 4096 }

  private mutating func add(_ role: Role, _ offset: Int, _ byteCount: Int, base: Int = 0) {
    // A shape may say that its slots go on behind the record.
    guard offset + byteCount <= bytes.count else { return }
    fields.append(Field(role: role, offset: offset, byteCount: byteCount, base: base))
  }

  private mutating func addRecord(_ range: Range<Int>, depth: Int) {
    guard let first = bytes[range].first, !isTooMuch(depth) else { return }
    add(.shape, range.lowerBound, 1)
    let wide = first == 254 ? 2 : first == 255 ? 4 : 0
    guard range.count > wide else { return }
    let shape = wide == 0 ? Int(first) : bytes.number(range.lowerBound + 1, byteCount: wide)
    guard shape < shapes.count else { return }
    let body = range.lowerBound + 1 + wide..<range.upperBound
    var offset = body.lowerBound
    var bitCount = 0
    for slot in shapes[shape].slots {
      for _ in 0..<(slot.isNullable ? 1 : 0) + (slot.tag & 7 == 7 ? 1 : 0) {
        if bitCount & 7 == 0 {
          add(.nilBits, offset, 1)
          offset += 1
        }
        bitCount += 1
      }
      if slot.width > 0 { add(.slot, offset, slot.width) }
      offset += slot.width
    }
    let tags = shapes[shape].slots.map(\.tag).filter { $0 & 7 == 6 }
    let width = body.count < 1 << 8 ? 1 : body.count < 1 << 16 ? 2 : 4
    guard !tags.isEmpty, offset + (tags.count - 1) * width <= body.upperBound else { return }
    addPayloads(
      tags, endsAt: offset, width: width, tailAt: offset + (tags.count - 1) * width, in: body,
      hasLastEnd: false, depth: depth)
  }

  /// Payloads behind their ends, or behind what lies between these and them.
  private mutating func addPayloads(
    _ tags: [UInt8], endsAt offset: Int, width: Int, tailAt tail: Int? = nil, in range: Range<Int>,
    hasLastEnd: Bool = true, depth: Int
  ) {
    let tail = tail ?? offset + tags.count * width
    var last = tail
    for (index, tag) in tags.enumerated() where !isTooMuch(depth) {
      let isStored = hasLastEnd || index + 1 < tags.count
      if isStored { add(.end, offset + index * width, width, base: tail) }
      let end =
        isStored
        ? tail + bytes.number(offset + index * width, byteCount: width) : range.upperBound
      guard last <= end, end <= range.upperBound else { return }
      addPayload(tag, last..<end, depth: depth + 1)
      last = end
    }
  }

  private mutating func addPayload(_ tag: UInt8, _ range: Range<Int>, depth: Int) {
    switch tag {
    case 0x66, 0x86: addRecord(range, depth: depth)
    case 0x6E, 0x7E: addArray(range, depth: depth)
    case 0x76:
      guard range.count >= 4 else { return }
      add(.end, range.lowerBound, 4, base: range.lowerBound + 4)
      let middle = range.lowerBound + 4 + bytes.number(range.lowerBound, byteCount: 4)
      guard middle <= range.upperBound else { return }
      addArray(range.lowerBound + 4..<middle, depth: depth)
      addArray(middle..<range.upperBound, depth: depth)
    default: break
    }
  }

  private mutating func addArray(_ range: Range<Int>, depth: Int) {
    let start = range.lowerBound
    guard range.count > 8, !isTooMuch(depth) else { return }
    add(.tag, start, 1)
    add(.flags, start + 1, 1)
    add(.zeroCount, start + 2, 1)
    add(.count, start + 4, 4)
    let tag = bytes[start]
    let count = Int(bytes.word(start + 4))
    let width = RecordShape.width(of: tag)
    if tag == 0x90 {
      guard count <= (range.count - 8) / 5 else { return }
      for index in 0..<count { add(.tag, start + 8 + index, 1) }
      // A field of a fixed width lies among the payloads.
      let tags = Array(bytes[start + 8..<start + 8 + count])
      addPayloads(tags, endsAt: start + 8 + count, width: 4, in: range, depth: depth)
    } else if tag & 7 == 6 {
      let nilBytes = bytes[start + 1] & 1 == 0 ? 0 : (count + 7) / 8
      guard count <= (range.count - 8 - nilBytes) / 4 else { return }
      let tail = start + 8 + count * 4 + nilBytes
      addNilBits(tail - nilBytes..<tail)
      addPayloads(
        Array(repeating: tag, count: count), endsAt: start + 8, width: 4, tailAt: tail, in: range,
        depth: depth)
    } else if width > 0 {
      let first = start + 8 + Int(bytes[start + 2])
      guard first <= range.upperBound, count <= (range.upperBound - first) / width else { return }
      let slots = first..<first + count * width
      rows.append(Row(range: range, tag: tag, slots: slots))
      if count > 0 { add(.slot, first, width) }
      if bytes[start + 1] & 1 != 0 {
        addNilBits(slots.upperBound..<min(range.upperBound, slots.upperBound + (count + 7) / 8))
      }
    }
  }

  private mutating func addNilBits(_ range: Range<Int>) {
    if !range.isEmpty { add(.nilBits, range.upperBound - 1, 1) }
  }
}

/// What a shape says about where the values of its records lie.
struct RecordShape {
  struct Slot {
    var tag: UInt8
    var isNullable: Bool

    /// The bytes that the value takes in front of the ends.
    var width: Int { tag & 7 >= 6 ? 0 : RecordShape.width(of: tag) }
  }

  var slots: [Slot] = []

  /// The bytes of a slot of a fixed width, or of a bit in an array.
  static func width(of tag: UInt8) -> Int { [0, 1, 2, 4, 8, 16, 0, 1][Int(tag & 7)] }

  /// What slots of numbers are aligned to in an array (Spec/archive.md, 5.5).
  static func alignment(of tag: UInt8) -> Int {
    [2, 3, 4, 7].contains(tag >> 3) ? min(max(width(of: tag), 1), 8) : 1
  }
}

extension ArchiveParts {
  /// The shapes, as far as their table can be followed.
  var shapes: [RecordShape] {
    let bytes = tables[2].bytes
    var shapes: [RecordShape] = []
    var row = 0
    while row + 16 <= bytes.count, shapes.count < min(Int(tables[2].count), 4096) {
      let count = Int(bytes.word(row + 4))
      guard count <= (bytes.count - row - 16) / 8 else { break }
      shapes.append(
        RecordShape(
          slots: (0..<count).map { index in
            let slot = row + 16 + 8 * index
            return .init(tag: bytes[slot + 4], isNullable: bytes[slot + 5] & 1 != 0)
          }))
      row += 16 + 8 * count
    }
    return shapes
  }
}
