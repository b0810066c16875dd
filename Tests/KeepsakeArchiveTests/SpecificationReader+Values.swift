// Values, as section 5 of Spec/archive.md states them.

extension UInt8 {
  /// The bytes of a slot of a record with this tag (5.1).
  var slotByteCount: Int { [0, 1, 2, 4, 8, 16, 0, 1][Int(self & 7)] }

  /// True when the value is one bit of a record (5.1).
  var isBit: Bool { self & 7 == 7 }

  /// True when the value has a payload (5.1).
  var hasPayload: Bool { self & 7 == 6 }

  /// The offset of a slot in an array is a multiple of this (5.5).
  var alignment: Int { [2, 3, 4, 7].contains(self >> 3) ? Swift.min(slotByteCount, 8) : 1 }

  /// True when the kind may have this class of width (5.1).
  var isTagOfValue: Bool {
    switch self >> 3 {
    case 0: self & 7 == 0
    case 1: self & 7 == 7
    case 2, 3: 1...5 ~= self & 7
    case 4: 2...4 ~= self & 7
    case 5, 6, 9, 12...16: self & 7 == 6
    case 7: self & 7 == 4
    case 8: self & 7 == 5
    case 10, 11: self & 7 == 3
    case 18: false
    default: self & 7 != 0
    }
  }
}

extension SpecificationReader {
  /// The value whose slot or payload is a range, or a nil there.
  mutating func readValue(_ tag: UInt8, _ isNil: Bool, _ range: Range<Int>) throws -> PlainValue {
    if !isNil { return try readValue(tag, range) }
    try require(!tag.hasPayload || range.isEmpty, "5.3", range.lowerBound)
    try requireZero(range, "5.3")
    return .null
  }

  /// The value whose slot or payload is a range.
  private mutating func readValue(_ tag: UInt8, _ range: Range<Int>) throws -> PlainValue {
    try require(range.upperBound <= bytes.count, "5.2", range.lowerBound)
    switch tag >> 3 {
    case 1: try require(bytes[range.lowerBound] <= 1, "5.1", range.lowerBound)
    case 5, 9:
      try require(
        String(validating: bytes[range], as: UTF8.self) != nil, "1", range.lowerBound)
    case 10:
      let isObject = try number(range.lowerBound, range.count) <= objectCount
      try require(isObject, "4.5", range.lowerBound)
    case 11:
      let isListed = try number(range.lowerBound, range.count) <= archive.conditionals.count
      try require(isListed, "4.5", range.lowerBound)
    case 12, 16:
      return .record(try readRecord(range, hasCase: tag >> 3 == 16))
    case 13:
      if isKept(range.first) { return .simple(tag, Array(bytes[range])) }
      return .array(try readElements(range))
    case 14:
      let length = try range.isEmpty ? 0 : number(range.lowerBound, width(range.count))
      if isKept(range.dropFirst(width(range.count) + length).first) {
        return .simple(tag, Array(bytes[range]))
      }
      return try readDictionary(range)
    case 15:
      let members = try readElements(range)
      try requireOrder(members, range.lowerBound)
      return .set(members)
    default: break
    }
    if tag >> 3 == 10 || tag >> 3 == 11 {
      // A reference gets the same tag, whatever its width in an array.
      let padding = [UInt8](repeating: 0, count: 4 - range.count)
      return .simple(tag & ~7 | 3, Array(bytes[range]) + padding)
    }
    return .simple(tag, Array(bytes[range]))
  }

  /// True when an array begins with a form that is reserved for later versions.
  private func isKept(_ offset: Int?) -> Bool { offset.map { 0x94...0x97 ~= bytes[$0] } ?? false }

  /// The width for a length (1).
  func width(_ length: Int) -> Int { length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4 }

  /// Checks that the numbers of a range are as narrow as possible (1).
  private func requireNarrowest(_ count: Int, in range: Range<Int>) throws {
    let others = range.count - count * width(range.count)
    let narrowest = others + count < 1 << 8 ? 1 : others + 2 * count < 1 << 16 ? 2 : 4
    try require(narrowest == width(range.count), "1", range.lowerBound)
  }

  /// The elements of an array (5.5).
  private mutating func readElements(_ range: Range<Int>) throws -> [PlainValue] {
    if range.isEmpty { return [] }
    let start = range.lowerBound
    let first = bytes[start]
    switch first {
    case 0x90: return try readElementsWithEnds(range, tag: nil)
    case 0x60, 0x80: return try readCells(range, hasCase: first == 0x80)
    case 0x93: return try readRows(range)
    case 0x91: return try readElementsWithNils(range)
    case 0x92:
      let tag = try UInt8(number(start + 1, 1))
      let (before, alignment) = (try number(start + 2, 1), tag.alignment)
      let slots = start + 3 + before
      try require(tag.isTagOfValue && before < alignment && alignment > 1, "5.5", start)
      try require(slots % alignment == 0, "5.5", start + 2)
      let end = range.upperBound - (alignment - 1 - before)
      try require(end - slots >= 256, "5.5", start)
      try requireZero(start + 3..<slots, "5.5")
      try requireZero(end..<range.upperBound, "5.5")
      return try readSlots(slots..<end, tag)
    default:
      let isNarrow = [0x51, 0x52, 0x59, 0x5A].contains(first)
      try require(first.isTagOfValue && first != 0 || isNarrow, "5.5", start)
      if first.isBit { return try readBits(range, first) }
      if first.hasPayload { return try readElementsWithEnds(range, tag: first) }
      try require(first.alignment == 1 || range.count - 1 < 256, "5.5", start)
      return try readSlots(start + 1..<range.upperBound, first)
    }
  }

  /// Elements of a fixed width, side by side.
  private mutating func readSlots(_ range: Range<Int>, _ tag: UInt8) throws -> [PlainValue] {
    let width = tag.slotByteCount
    try require(!range.isEmpty && range.count % width == 0, "5.5", range.lowerBound)
    var values: [PlainValue] = []
    try requireNarrowestReferences(tag, range)
    for slot in stride(from: range.lowerBound, to: range.upperBound, by: width) {
      values.append(try readValue(tag, false, slot..<slot + width))
    }
    return values
  }

  /// Checks that references have the narrowest width that holds all of them.
  private func requireNarrowestReferences(_ tag: UInt8, _ range: Range<Int>) throws {
    guard tag >> 3 == 10 || tag >> 3 == 11 else { return }
    let slots = stride(from: range.lowerBound, to: range.upperBound, by: tag.slotByteCount)
    let largest = try slots.map { try number($0, tag.slotByteCount) }.max() ?? 0
    try require(width(largest) == tag.slotByteCount, "5.5", range.lowerBound)
  }

  /// Elements of a bit each, and a bit 1 after the last.
  private mutating func readBits(_ range: Range<Int>, _ tag: UInt8) throws -> [PlainValue] {
    var bits = bytes[range].dropFirst().flatMap { byte in (0..<8).map { byte >> $0 & 1 } }
    try require(range.count > 1 && bytes[range.upperBound - 1] != 0, "5.5", range.lowerBound)
    while bits.last == 0 { bits.removeLast() }
    bits.removeLast()
    try require(!bits.isEmpty, "5.5", range.lowerBound)
    return bits.map { .simple(tag, [$0]) }
  }

  /// Records of one shape of a fixed width.
  private mutating func readCells(_ range: Range<Int>, hasCase: Bool) throws -> [PlainValue] {
    let (shape, first) = try readShapeNumber(range.dropFirst())
    try require(shape < tables.shapes.count, "4.4", first)
    let width = tables.cellByteCount(of: shape)
    let length = range.upperBound - first
    try require(width > 0 && length > 0 && length % width == 0, "5.5", range.lowerBound)
    var values: [PlainValue] = []
    for start in stride(from: first, to: range.upperBound, by: width) {
      values.append(
        .record(try readBody(start..<start + width, shape: shape, hasCase: hasCase)))
    }
    return values
  }

  /// Arrays of numbers, all of one length.
  private mutating func readRows(_ range: Range<Int>) throws -> [PlainValue] {
    let start = range.lowerBound
    let tag = try UInt8(number(start + 1, 1))
    let width = self.width(range.count)
    let row = try number(start + 2, width) * tag.slotByteCount
    let first = start + 2 + width
    try require(tag.isTagOfValue && 1...5 ~= tag & 7, "5.5", start + 1)
    try require(tag >> 3 != 10 && tag >> 3 != 11 && 1..<256 ~= row, "5.5", start + 1)
    try require((range.upperBound - first) % row == 0, "5.5", start)
    try require(range.upperBound - first >= 2 * row, "5.5", start)
    try requireNarrowest(1, in: range)
    var values: [PlainValue] = []
    for start in stride(from: first, to: range.upperBound, by: row) {
      values.append(.array(try readSlots(start..<start + row, tag)))
    }
    return values
  }

  /// Reads elements of a fixed width; at least one element is nil.
  private mutating func readElementsWithNils(_ range: Range<Int>) throws -> [PlainValue] {
    let start = range.lowerBound
    let tag = try UInt8(number(start + 1, 1))
    let isNarrow = [0x51, 0x52, 0x59, 0x5A].contains(tag)
    try require(tag.isTagOfValue && 1...5 ~= tag & 7 || isNarrow, "5.5", start + 1)
    let width = self.width(range.count)
    let count = try number(start + 2, width)
    let bits = start + 2 + width
    let slots = bits + (count + 7) / 8
    try require(
      count >= 1 && slots + count * tag.slotByteCount == range.upperBound, "5.5", start + 2)
    try requireNarrowest(1, in: range)
    if count % 8 != 0 { try require(bytes[slots - 1] >> (count % 8) == 0, "5.5", slots - 1) }
    var values: [PlainValue] = []
    try requireNarrowestReferences(tag, slots..<range.upperBound)
    for index in 0..<count {
      let slot = slots + index * tag.slotByteCount
      let isNil = bytes[bits + index / 8] >> (index % 8) & 1 == 1
      values.append(try readValue(tag, isNil, slot..<slot + tag.slotByteCount))
    }
    let nils = values.filter { $0 == .null }.count
    try require(nils > 0 && nils < count, "5.5", start)
    return values
  }

  /// Elements with ends, which share a tag or have one each.
  private mutating func readElementsWithEnds(
    _ range: Range<Int>, tag shared: UInt8?
  ) throws -> [PlainValue] {
    let start = range.lowerBound
    let width = self.width(range.count)
    let isRecord = shared == 0x66 || shared == 0x86
    let (shape, head) =
      isRecord ? try readShapeNumber(range.dropFirst()) : (shape: -1, body: start + 1)
    try require(shape < tables.shapes.count, "4.4", start)
    if isRecord { try require(tables.cellByteCount(of: shape) == 0, "5.5", start) }
    let count = try number(head, width)
    let tags = head + width
    let ends = shared == nil ? tags + count : tags
    let tail = ends + (count - 1) * width
    try require(count >= 1 && tail <= range.upperBound, "5.5", start + 1)
    try requireNarrowest(count, in: range)
    var values: [PlainValue] = []
    var seen: Set<UInt8> = []
    var shapes: Set<Int> = []
    var last = tail
    for index in 0..<count {
      let tag = shared ?? bytes[tags + index]
      try require(tag.isTagOfValue, "5.5", start)
      seen.insert(tag)
      let end =
        index + 1 == count ? range.upperBound : try tail + number(ends + index * width, width)
      try require(last <= end && end <= range.upperBound, "5.2", ends + index * width)
      try require(tag.hasPayload || end - last == tag.slotByteCount, "5.5", start)
      if isRecord {
        values.append(
          .record(try readBody(last..<end, shape: shape, hasCase: shared == 0x86)))
      } else {
        if tag == 0x66 || tag == 0x86 {
          shapes.insert(try readShapeNumber(last..<end).shape)
        }
        values.append(try readValue(tag, tag == 0, last..<end))
      }
      last = end
    }
    // Only one form is canonical: elements have a tag each if they are of several kinds, if a nil is among payloads,
    // or if all are nil.
    if shared == nil {
      let tags = seen.subtracting([0])
      let isMixed = tags.count > 1 || tags.isEmpty || shapes.count > 1
      let hasNil = seen.contains(0) && tags.contains { $0.hasPayload || $0.isBit }
      try require(isMixed || hasNil, "5.5", start)
    } else if shared == 0x6E {
      try require(!areRows(values), "5.5", start)
    }
    return values
  }

  /// True when arrays must be stored as rows.
  private func areRows(_ arrays: [PlainValue]) -> Bool {
    var kinds: Set<[Int]> = []
    for case .array(let elements) in arrays {
      var tags: Set<UInt8> = []
      for element in elements {
        guard case .simple(let tag, _) = element, 1...5 ~= tag & 7, tag >> 3 != 10, tag >> 3 != 11
        else { return false }
        tags.insert(tag)
      }
      guard tags.count == 1, let tag = tags.first, elements.count * tag.slotByteCount < 256
      else { return false }
      kinds.insert([Int(tag), elements.count])
    }
    return kinds.count == 1 && arrays.count > 1
  }

  /// The keys and the values of a dictionary (5.6).
  private mutating func readDictionary(_ range: Range<Int>) throws -> PlainValue {
    if range.isEmpty { return .dictionary(keys: [], values: []) }
    let start = range.lowerBound
    let first = start + width(range.count)
    let middle = try first + number(start, width(range.count))
    try require(middle <= range.upperBound, "5.6", start)
    try requireNarrowest(1, in: range)
    let keys = try readElements(first..<middle)
    let values = try readElements(middle..<range.upperBound)
    try require(keys.count == values.count && !keys.isEmpty, "5.6", start)
    try requireOrder(keys, first)
    return .dictionary(keys: keys, values: values)
  }

  private func requireOrder(_ keys: [PlainValue], _ offset: Int) throws {
    var last: (tag: UInt8, bytes: [UInt8])?
    for key in keys {
      guard case .simple(let tag, let bytes) = key, 1...9 ~= tag >> 3 else {
        throw Breach(section: "5.6", offset: offset)
      }
      if let last {
        let isLater =
          last.tag == tag ? last.bytes.lexicographicallyPrecedes(bytes) : last.tag < tag
        try require(isLater, "5.6", offset)
      }
      last = (tag, bytes)
    }
  }
}
