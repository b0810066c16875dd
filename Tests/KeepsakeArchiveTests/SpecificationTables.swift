/// The tables of keys, types and shapes (Spec/archive.md, 4), with the offsets of their entries.
struct SpecificationTables {
  struct Key: Hashable {
    var scope: Int
    var space: Int
    var name: [UInt8]
  }

  struct TypeName: Hashable {
    var name: [UInt8]
    var version: Int
  }

  struct Slot: Hashable {
    var key: Int
    var tag: UInt8
    var isNullable: Bool
    /// The shape of an inline record.
    var cell: Int?
    var omitsNil = false
  }

  struct Shape: Hashable {
    var type: Int
    var enumerationCase: Int?
    var slots: [Slot]
  }

  /// The offset of an entry, and for a key or a type that of its name.
  struct Entry {
    var row: Int
    var name = 0
  }

  var keys: [Key] = []
  var types: [TypeName] = []
  var shapes: [Shape] = []
  private(set) var keyEntries: [Entry] = []
  private(set) var typeEntries: [Entry] = []
  private(set) var shapeEntries: [Entry] = []

  /// True when all entries are the same, at whatever offsets.
  func declaresSame(as other: SpecificationTables) -> Bool {
    keys == other.keys && types == other.types && shapes == other.shapes
  }

  /// The number of bytes of the body of a cell; 0 for a shape that cannot be one.
  func cellByteCount(of shape: Int) -> Int {
    let width = fixedWidth(of: shape)
    let hasReservedKey = shapes[shape].slots.contains { keys[$0.key].space == 1 }
    return hasReservedKey || width > 65_535 || depth(of: shape) > 8 ? 0 : width
  }

  /// The number of records that are inline in each other.
  private func depth(of shape: Int) -> Int {
    1 + (shapes[shape].slots.compactMap(\.cell).map(depth).max() ?? 0)
  }

  /// The number of bytes of each body of a shape; 0 if they differ or are empty (4.3).
  func fixedWidth(of shape: Int) -> Int {
    let slots = shapes[shape].slots
    if slots.contains(where: { $0.tag.hasPayload }) { return 0 }
    let bits = slots.reduce(0) { $0 + ($1.isNullable ? 1 : 0) + ($1.tag.isBit ? 1 : 0) }
    return slots.reduce((bits + 7) / 8) {
      $0 + ($1.cell.map(fixedWidth) ?? ($1.tag.isBit ? 0 : $1.tag.slotByteCount))
    }
  }

  /// The offsets of the parts of a body, from its start (4.4).
  struct Layout {
    /// The byte and the mask of a bit.
    struct Bit {
      var offset: Int
      var mask: UInt8
    }

    /// The place of one slot; it is empty for a payload and for a value of one bit.
    struct Place {
      var slot: Range<Int>
      var nilBit: Bit?
      var bit: Bit?
    }

    var places: [Place] = []
    /// The end of the slots, where the ends of the payloads begin.
    var end = 0
    private var bitCount = 0
    private var bits = 0

    /// The unused bits of the last byte of bits.
    var unusedBits: Bit? {
      let used = bitCount % 8
      return used == 0 ? nil : Bit(offset: bits, mask: .max << UInt8(used))
    }

    mutating func takeBit() -> Bit {
      if bitCount % 8 == 0 {
        bits = end
        end += 1
      }
      defer { bitCount += 1 }
      return Bit(offset: bits, mask: 1 << UInt8(bitCount % 8))
    }
  }

  /// The layout of a shape's records (4.4).
  func layout(of shape: Int) -> Layout {
    var layout = Layout()
    for slot in shapes[shape].slots {
      let nilBit = slot.isNullable ? layout.takeBit() : nil
      let bit = slot.tag.isBit ? layout.takeBit() : nil
      let start = layout.end
      layout.end +=
        slot.cell.map(cellByteCount) ?? (slot.tag.isBit ? 0 : slot.tag.slotByteCount)
      layout.places.append(.init(slot: start..<layout.end, nilBit: nilBit, bit: bit))
    }
    return layout
  }

  /// The names of the scopes of an entry, from the outermost.
  func scopes(of entry: Int) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var scope = keys[entry].scope
    while scope > 0 {
      names.insert(keys[scope - 1].name, at: 0)
      scope = keys[scope - 1].scope
    }
    return names
  }

  /// Reads new entries, which begin with their counts; returns their end and their number of conditional references
  /// (4).
  mutating func read(
    from reader: SpecificationReader, at start: Int
  ) throws -> (end: Int, conditionalCount: Int) {
    let counts = try (0..<5).map { try reader.number(start + 4 * $0, 4) }
    let firstShape = shapes.count
    var offset = start + 20
    for _ in 0..<counts[0] { try readKey(reader, &offset) }
    try reader.require(Set(keys).count == keys.count, "4.1", start)
    for _ in 0..<counts[1] { try readType(reader, &offset) }
    try reader.require(Set(types).count == types.count, "4.2", start)
    for _ in 0..<counts[2] { try readShape(reader, &offset) }
    try reader.require(Set(shapes).count == shapes.count, "4.3", start)
    try reader.require(offset == start + 20 + counts[4], "4", start + 16)
    try requireOrderOfFirstUse(reader, from: firstShape, new: (counts[0], counts[1]), start)
    return (offset, counts[3])
  }

  private mutating func readKey(_ reader: SpecificationReader, _ offset: inout Int) throws {
    let start = offset
    let flags = try reader.number(start, 1)
    try reader.require(flags < 16, "4.1", start)
    let length = try readLength(reader, &offset, isLong: flags & 8 != 0)
    var scope = 0
    if flags & 4 != 0 {
      scope = try reader.number(offset, 4) + 1
      offset += 4
      try reader.require(
        scope <= keys.count && keys[scope - 1].space == 2 && flags & 3 != 3, "4.1", start)
    }
    keyEntries.append(Entry(row: start, name: offset))
    keys.append(
      Key(scope: scope, space: flags & 3, name: try readName(reader, &offset, length)))
  }

  private mutating func readType(_ reader: SpecificationReader, _ offset: inout Int) throws {
    let start = offset
    let flags = try reader.number(start, 1)
    try reader.require(flags & ~9 == 0, "4.2", start)
    let length = try readLength(reader, &offset, isLong: flags & 8 != 0)
    var version = 0
    if flags & 1 != 0 {
      version = try reader.number(offset, 4)
      offset += 4
      try reader.require(version != 0, "4.2", start)
    }
    typeEntries.append(Entry(row: start, name: offset))
    types.append(TypeName(name: try readName(reader, &offset, length), version: version))
  }

  private func readLength(
    _ reader: SpecificationReader, _ offset: inout Int, isLong: Bool
  ) throws -> Int {
    let length = try reader.number(offset + 1, isLong ? 2 : 1)
    try reader.require(isLong == (length > 255), "4.1", offset)
    offset += isLong ? 3 : 2
    return length
  }

  private func readName(
    _ reader: SpecificationReader, _ offset: inout Int, _ length: Int
  ) throws -> [UInt8] {
    try reader.require(length <= reader.bytes.count - offset, "4.1", offset)
    let name = Array(reader.bytes[offset..<offset + length])
    try reader.require(String(validating: name, as: UTF8.self) != nil, "1", offset)
    offset += length
    return name
  }

  private mutating func readShape(_ reader: SpecificationReader, _ offset: inout Int) throws {
    let type = try reader.number(offset, 2)
    let count = try reader.number(offset + 2, 2)
    try reader.require(type < types.count, "4.3", offset)
    shapeEntries.append(Entry(row: offset))
    offset += 4
    var shape = Shape(type: type, enumerationCase: nil, slots: [])
    let first = offset
    while offset < first + 4 * count {
      let index = offset - first
      let word = try reader.number(offset, 4)
      let key = word >> 12
      let tag = UInt8(word & 0xFF)
      try reader.require(word & 0xC00 == 0 && key < keys.count, "4.3", offset)
      if tag == 0x80 {
        try reader.require(
          index == 0 && word & 0x300 == 0 && keys[key].space == 3, "4.3", offset)
        shape.enumerationCase = key
      } else if tag == 0x60 {
        offset += 4
        let cell = try reader.number(offset, 4)
        try reader.require(offset < first + 4 * count && word & 0x100 == 0, "4.3", offset)
        try reader.require(keys[key].space < 2 && cell < shapes.count, "4.3", offset)
        try reader.require(
          cellByteCount(of: cell) > 0 && shapes[cell].enumerationCase == nil, "4.3", offset)
        shape.slots.append(Slot(key: key, tag: tag, isNullable: false, cell: cell))
      } else {
        try reader.require(keys[key].space < 2 && tag.isTagOfValue, "4.3", offset)
        try reader.require(tag != 0 && word & 0x200 == 0 || word & 0x100 != 0, "4.3", offset)
        shape.slots.append(
          Slot(
            key: key, tag: tag, isNullable: word & 0x100 != 0, omitsNil: word & 0x200 != 0))
      }
      offset += 4
    }
    let hasReservedKey = shape.slots.contains { keys[$0.key].space == 1 }
    try reader.require(shape.enumerationCase == nil || !hasReservedKey, "4.3", offset)
    try reader.require(Set(shape.slots.map(\.key)).count == shape.slots.count, "4.3", offset)
    shapes.append(shape)
  }

  /// The new shapes use the new keys and types for the first time, in their order (4).
  private func requireOrderOfFirstUse(
    _ reader: SpecificationReader, from firstShape: Int, new: (keys: Int, types: Int), _ start: Int
  ) throws {
    var nextKey = keys.count - new.keys
    var nextType = types.count - new.types
    func use(_ entry: Int, _ next: inout Int) throws {
      try reader.require(entry <= next, "4.2", start)
      next = max(next, entry + 1)
    }
    for shape in shapes[firstShape...] {
      if let entry = shape.enumerationCase { try use(entry, &nextKey) }
      for slot in shape.slots {
        var path = [slot.key]
        while let scope = path.first.map({ keys[$0].scope }), scope > 0 {
          path.insert(scope - 1, at: 0)
        }
        for entry in path { try use(entry, &nextKey) }
      }
      try use(shape.type, &nextType)
    }
    try reader.require(nextKey == keys.count && nextType == types.count, "4.2", start)
  }
}
