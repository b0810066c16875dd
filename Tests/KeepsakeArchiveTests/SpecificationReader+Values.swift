// Values, as section 5 of Spec/archive.md states them.

extension UInt8 {
  /// The bytes of a slot of a record with this tag (5.1).
  var slotByteCount: Int { [0, 1, 2, 4, 8, 16, 0, 1][Int(self & 7)] }

  /// Whether the value is one bit of a record (5.1).
  var isBit: Bool { self & 7 == 7 }

  /// Whether the value has a payload (5.1).
  var hasPayload: Bool { self & 7 == 6 }

  /// What the place of a slot in an array is a multiple of (5.5).
  var alignment: Int { [2, 3, 4, 7].contains(self >> 3) ? Swift.min(slotByteCount, 8) : 1 }

  /// Whether the class is one that the kind may have (5.1).
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
      let isObject = try number(range.lowerBound, 4) <= objectCount
      try require(isObject, "4.5", range.lowerBound)
    case 11:
      let isListed = try number(range.lowerBound, 4) <= archive.conditionals.count
      try require(isListed, "4.5", range.lowerBound)
    case 12, 16:
      return .record(try readRecord(range, hasCase: tag >> 3 == 16))
    case 13: return .array(try readElements(range))
    case 14: return try readDictionary(range)
    case 15:
      let members = try readElements(range)
      try requireOrder(members, range.lowerBound)
      return .set(members)
    default: break
    }
    return .simple(tag, Array(bytes[range]))
  }

  /// What the footer says, which comes before any record is read.
  private var objectCount: Int {
    get throws { try number(number(bytes.count - 32, 8) + 8, 4) }
  }

  /// The width for a length (1).
  private func width(_ length: Int) -> Int { length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4 }

  /// Checks that so many numbers in a range are as narrow as they can be (1).
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
      try require(first.isTagOfValue && first != 0, "5.5", start)
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
    for slot in stride(from: range.lowerBound, to: range.upperBound, by: width) {
      values.append(try readValue(tag, false, slot..<slot + width))
    }
    return values
  }

  /// Elements of a fixed width, one of which is nil at least.
  private mutating func readElementsWithNils(_ range: Range<Int>) throws -> [PlainValue] {
    let start = range.lowerBound
    let tag = try UInt8(number(start + 1, 1))
    try require(tag.isTagOfValue && tag.slotByteCount > 0, "5.5", start + 1)
    let width = self.width(range.count)
    let count = try number(start + 2, width)
    let bits = start + 2 + width
    let slots = bits + (count + 7) / 8
    try require(
      count >= 1 && slots + count * tag.slotByteCount == range.upperBound, "5.5", start + 2)
    try requireNarrowest(1, in: range)
    if count % 8 != 0 { try require(bytes[slots - 1] >> (count % 8) == 0, "5.5", slots - 1) }
    var values: [PlainValue] = []
    for index in 0..<count {
      let slot = slots + index * tag.slotByteCount
      let isNil = bytes[bits + index / 8] >> (index % 8) & 1 == 1
      values.append(try readValue(tag, isNil, slot..<slot + tag.slotByteCount))
    }
    let nils = values.filter { $0 == .null }.count
    try require(nils > 0 && nils < count, "5.5", start)
    return values
  }

  /// Elements with ends, which share a tag or have tags of their own.
  private mutating func readElementsWithEnds(
    _ range: Range<Int>, tag shared: UInt8?
  ) throws -> [PlainValue] {
    let start = range.lowerBound
    let width = self.width(range.count)
    let count = try number(start + 1, width)
    let tags = start + 1 + width
    let ends = shared == nil ? tags + count : tags
    let tail = ends + (count - 1) * width
    try require(count >= 1 && tail <= range.upperBound, "5.5", start + 1)
    try requireNarrowest(count, in: range)
    var values: [PlainValue] = []
    var seen: Set<UInt8> = []
    var last = tail
    for index in 0..<count {
      let tag = shared ?? bytes[tags + index]
      try require(tag.isTagOfValue, "5.5", start)
      seen.insert(tag)
      let end =
        index + 1 == count ? range.upperBound : try tail + number(ends + index * width, width)
      try require(last <= end && end <= range.upperBound, "5.2", ends + index * width)
      try require(tag.hasPayload || end - last == tag.slotByteCount, "5.5", start)
      values.append(try readValue(tag, tag == 0, last..<end))
      last = end
    }
    // There is one form for these elements: tags of their own have those that are of several, or a nil among
    // payloads, or nothing but nils.
    if shared == nil {
      let tags = seen.subtracting([0])
      let isMixed = tags.count > 1 || tags.isEmpty
      try require(isMixed || seen.contains(0) && tags.contains { $0.hasPayload }, "5.5", start)
    }
    return values
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
