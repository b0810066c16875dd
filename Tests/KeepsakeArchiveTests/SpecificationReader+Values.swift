// Values, as section 5 of Spec/archive.md states them.

extension UInt8 {
  /// The bytes of a slot of a record with this tag (5.1).
  var slotByteCount: Int { [0, 1, 2, 4, 8, 16, 0, 1][Int(self & 7)] }

  /// The bytes of a slot of an array with this tag (5.1).
  var elementByteCount: Int { hasPayload ? 4 : slotByteCount }

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

  /// The elements of an array (5.5).
  private mutating func readElements(_ range: Range<Int>) throws -> [PlainValue] {
    if range.isEmpty { return [] }
    let start = range.lowerBound
    try require(range.count > 8, "5.5", start)
    return try bytes[start] == 0x90 ? readMixedElements(range) : readPackedElements(range)
  }

  /// Elements that share a tag.
  private mutating func readPackedElements(_ range: Range<Int>) throws -> [PlainValue] {
    let start = range.lowerBound
    let (tag, flags, before) = (bytes[start], bytes[start + 1], Int(bytes[start + 2]))
    try require(tag.isTagOfValue && tag.elementByteCount > 0 && flags <= 1, "5.5", start)
    try requireZero(start + 3..<start + 4, "5.5")
    let count = try number(start + 4, 4)
    let room = (range.count - 8) / tag.elementByteCount
    try require(count >= 1 && count <= room, "5.5", start + 4)
    // The slots are aligned, and of the zero bytes there are as many wherever the array lies.
    let slots = start + 8 + before
    try require(before < tag.alignment && slots % tag.alignment == 0, "5.5", start + 2)
    try requireZero(start + 8..<slots, "5.5")
    let endOfSlots = slots + count * tag.elementByteCount
    let tail = endOfSlots + (flags == 1 ? (count + 7) / 8 : 0)
    try require(tail <= range.upperBound, "5.5", start)
    if flags == 1, count % 8 != 0 { try require(bytes[tail - 1] >> (count % 8) == 0, "5.5", tail) }
    var values: [PlainValue] = []
    var last = tail
    for index in 0..<count {
      let slot = slots + index * tag.elementByteCount
      var element = slot..<slot + tag.slotByteCount
      if tag.hasPayload {
        let end = try tail + number(slot, 4)
        try require(last <= end && end <= range.upperBound, "5.2", slot)
        element = last..<end
        last = end
      }
      let isNil = flags == 1 && bytes[endOfSlots + index / 8] >> (index % 8) & 1 == 1
      values.append(try readValue(tag, isNil, element))
    }
    try require(last + tag.alignment - 1 - before == range.upperBound, "5.5", start)
    try requireZero(last..<range.upperBound, "5.5")
    // There is one form for these elements.
    let nils = values.filter { $0 == .null }.count
    try require(nils < count && (flags == 1) == (nils > 0), "5.5", start)
    return values
  }

  /// Elements that have tags of their own.
  private mutating func readMixedElements(_ range: Range<Int>) throws -> [PlainValue] {
    let start = range.lowerBound
    try requireZero(start + 1..<start + 4, "5.5")
    let count = try number(start + 4, 4)
    try require(count >= 1 && count <= (range.count - 8) / 5, "5.5", start + 4)
    let ends = start + 8 + count
    let tail = ends + 4 * count
    var values: [PlainValue] = []
    var tags: Set<UInt8> = []
    var last = tail
    for index in 0..<count {
      let tag = bytes[start + 8 + index]
      try require(tag.isTagOfValue, "5.5", start + 8 + index)
      if tag != 0 { tags.insert(tag) }
      let end = try tail + number(ends + 4 * index, 4)
      try require(last <= end && end <= range.upperBound, "5.5", ends + 4 * index)
      try require(
        tag.hasPayload || end - last == tag.slotByteCount, "5.5", ends + 4 * index)
      values.append(try readValue(tag, tag == 0, last..<end))
      last = end
    }
    try require(last == range.upperBound, "5.5", start)
    // There is one form for these elements.
    try require(tags.count != 1 || tags.contains { $0 & 7 == 0 }, "5.5", start)
    return values
  }

  /// The keys and the values of a dictionary (5.6).
  private mutating func readDictionary(_ range: Range<Int>) throws -> PlainValue {
    if range.isEmpty { return .dictionary(keys: [], values: []) }
    let start = range.lowerBound
    try require(range.count >= 4, "5.6", start)
    let middle = try start + 4 + number(start, 4)
    try require(middle <= range.upperBound, "5.6", start)
    let keys = try readElements(start + 4..<middle)
    let values = try readElements(middle..<range.upperBound)
    try require(keys.count == values.count && !keys.isEmpty, "5.6", start)
    try requireOrder(keys, start + 4)
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
