// Values, as section 5 of Spec/archive.md states them.

extension UInt8 {
  /// The bytes of a slot with this tag (5.1).
  var slotByteCount: Int { [0, 1, 2, 4, 8, 16, 4, 0][Int(self & 7)] }

  /// Whether the payload begins at a multiple of eight (5.2).
  var isContainer: Bool { self & 7 == 6 && ![5, 6, 9].contains(self >> 3) }

  /// Whether the class is one that the kind may have (5.1).
  var isTagOfValue: Bool {
    switch self >> 3 {
    case 0: self & 7 == 0
    case 1: self & 7 == 1
    case 2, 3: 1...5 ~= self & 7
    case 4: 2...4 ~= self & 7
    case 5, 6, 9, 12...16: self & 7 == 6
    case 7: self & 7 == 4
    case 8: self & 7 == 5
    case 10, 11: self & 7 == 3
    case 18: false
    default: self & 7 != 7
    }
  }
}

extension SpecificationReader {
  /// The value of a slot; `last` is where the payload before ends, and then where this one does.
  mutating func readValue(
    _ tag: UInt8, _ isNil: Bool, slot: Int, tail: Int, last: inout Int
  ) throws -> PlainValue {
    var range = slot..<slot + tag.slotByteCount
    if tag & 7 == 6 {
      let start = tag.isContainer ? padded(last) : last
      let end = try tail + number(slot, 4)
      try require(end >= start && end <= bytes.count, "5.2", slot)
      try requireZero(last..<start, "5.2")
      last = end
      range = start..<end
    }
    if isNil {
      try require(tag & 7 != 6 || range.isEmpty, "5.3", slot)
      try requireZero(range, "5.3")
      return .null
    }
    return try readValue(tag, range)
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
      return .record(try readRecord(range, isObject: false, hasCase: tag >> 3 == 16))
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
    let tag = bytes[start]
    let hasNilBits = bytes[start + 1] == 1
    try requireZero(start + (hasNilBits ? 2 : 1)..<start + 4, "5.5")
    let count = try number(start + 4, 4)
    let isMixed = tag == 0x90
    try require(!isMixed || !hasNilBits, "5.5", start)
    try require(isMixed || tag.isTagOfValue && tag.slotByteCount > 0, "5.5", start)
    let perElement = isMixed ? 5 : tag.slotByteCount
    try require(count >= 1 && count <= (range.count - 8) / perElement, "5.5", start + 4)
    let slots = start + 8 + (isMixed ? count : 0)
    let nilBits = slots + count * (isMixed ? 4 : tag.slotByteCount)
    var offset = nilBits + (hasNilBits ? (count + 7) / 8 : 0)
    try require(offset <= range.upperBound, "5.5", start)
    if hasNilBits, count % 8 != 0 {
      try require(bytes[offset - 1] >> (count % 8) == 0, "5.5", offset)
    }
    let tail = isMixed || tag.isContainer ? padded(offset) : offset
    try requireZero(offset..<tail, "5.5")
    offset = tail
    var values: [PlainValue] = []
    var tags: Set<UInt8> = []
    for index in 0..<count {
      let elementTag = isMixed ? bytes[start + 8 + index] : tag
      try require(elementTag.isTagOfValue, "5.5", start + 8 + index)
      var isNil = elementTag == 0
      if hasNilBits { isNil = bytes[nilBits + index / 8] >> (index % 8) & 1 == 1 }
      if !isNil { tags.insert(elementTag) }
      var slot = slots + index * (isMixed ? 4 : tag.slotByteCount)
      if isMixed, elementTag & 7 != 6 {
        // The bytes of a fixed width lie in the tail, and the end behind them.
        let end = try tail + number(slot, 4)
        try require(end == offset + elementTag.slotByteCount, "5.5", slot)
        slot = offset
        offset = end
      }
      values.append(try readValue(elementTag, isNil, slot: slot, tail: tail, last: &offset))
    }
    try require(offset == range.upperBound, "5.5", start)
    // There is one form for these elements.
    let isShared = tags.count == 1 && tags.allSatisfy { $0 & 7 != 0 }
    try require(isMixed != isShared, "5.5", start)
    try require(hasNilBits == (!isMixed && values.contains(.null)), "5.5", start)
    return values
  }

  /// The keys and the values of a dictionary (5.6).
  private mutating func readDictionary(_ range: Range<Int>) throws -> PlainValue {
    if range.isEmpty { return .dictionary(keys: [], values: []) }
    let keysStart = range.lowerBound + 8
    let keysEnd = try keysStart + number(range.lowerBound, 4)
    try requireZero(range.lowerBound + 4..<keysStart, "5.6")
    try require(padded(keysEnd) <= range.upperBound, "5.6", range.lowerBound)
    let keys = try readElements(keysStart..<keysEnd)
    try requireZero(keysEnd..<padded(keysEnd), "5.6")
    let values = try readElements(padded(keysEnd)..<range.upperBound)
    try require(keys.count == values.count && !keys.isEmpty, "5.6", range.lowerBound)
    try requireOrder(keys, keysStart)
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
