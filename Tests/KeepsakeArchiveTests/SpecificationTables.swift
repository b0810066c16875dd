/// The tables of keys, types and shapes, as sections 4.2 to 4.4 of Spec/archive.md state them.
struct SpecificationTables: Equatable {
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
  }

  struct Shape: Hashable {
    var type: Int
    var enumerationCase: Int?
    var slots: [Slot]
  }

  var keys: [Key] = []
  var types: [TypeName] = []
  var shapes: [Shape] = []

  /// The bytes of the body of a shape that is a cell; 0 of others.
  func cellByteCount(of shape: Int) -> Int {
    var (length, bits) = (0, 0)
    for slot in shapes[shape].slots {
      if slot.tag.hasPayload || keys[slot.key].space == 1 { return 0 }
      if slot.isNullable { bits += 1 }
      if slot.tag.isBit { bits += 1 } else { length += slot.tag.slotByteCount }
    }
    length += (bits + 7) / 8
    return length > 65_535 ? 0 : length
  }

  /// The names of the scopes that an entry lies in, from the outermost.
  func scopes(of entry: Int) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var scope = keys[entry].scope
    while scope > 0 {
      names.insert(keys[scope - 1].name, at: 0)
      scope = keys[scope - 1].scope
    }
    return names
  }

  /// Reads as many new entries of each table, and returns where the last table ends.
  mutating func read(
    from reader: SpecificationReader, at start: Int, keys keyCount: Int, types typeCount: Int,
    shapes shapeCount: Int, lengths: [Int]?
  ) throws -> Int {
    let firstShape = shapes.count
    let types = try readKeys(reader, start, keyCount)
    let shapes = try readTypes(reader, types, typeCount)
    let end = try readShapes(reader, shapes, shapeCount)
    if let lengths {
      try reader.require(lengths == [types - start, shapes - types, end - shapes], "3.2", start)
    }
    try requireOrderOfFirstUse(reader, from: firstShape, new: (keyCount, typeCount), start)
    return end
  }

  private mutating func readKeys(
    _ reader: SpecificationReader, _ start: Int, _ count: Int
  ) throws -> Int {
    var name = start + 16 * count
    for index in 0..<count {
      let row = start + 16 * index
      let words = try [reader.number(row, 4), reader.number(row + 4, 4), reader.number(row + 8, 8)]
      try reader.require(words[2] <= 3, "4.2", row + 8)
      let scope = words[0]
      try reader.require(
        scope == 0 || scope <= keys.count && keys[scope - 1].space == 2 && words[2] != 3, "4.2", row
      )
      keys.append(Key(scope: scope, space: words[2], name: try readName(reader, &name, words[1])))
    }
    try reader.require(Set(keys).count == keys.count, "4.2", start)
    try reader.requireZero(name..<reader.padded(name), "4.2")
    return reader.padded(name)
  }

  private mutating func readTypes(
    _ reader: SpecificationReader, _ start: Int, _ count: Int
  ) throws -> Int {
    var name = start + 16 * count
    for index in 0..<count {
      let row = start + 16 * index
      try reader.requireZero(row + 8..<row + 16, "4.3")
      let version = try reader.number(row + 4, 4)
      types.append(
        TypeName(name: try readName(reader, &name, reader.number(row, 4)), version: version))
    }
    try reader.require(Set(types).count == types.count, "4.3", start)
    try reader.requireZero(name..<reader.padded(name), "4.3")
    return reader.padded(name)
  }

  private func readName(
    _ reader: SpecificationReader, _ offset: inout Int, _ length: Int
  ) throws -> [UInt8] {
    try reader.require(length <= reader.bytes.count - offset, "4.2", offset)
    let name = Array(reader.bytes[offset..<offset + length])
    try reader.require(String(validating: name, as: UTF8.self) != nil, "1", offset)
    offset += length
    return name
  }

  private mutating func readShapes(
    _ reader: SpecificationReader, _ start: Int, _ count: Int
  ) throws -> Int {
    var offset = start
    for _ in 0..<count {
      let words = try (0..<4).map { try reader.number(offset + 4 * $0, 4) }
      try reader.require(words[0] < types.count && words[3] == 0, "4.4", offset)
      try reader.require(words[2] <= keys.count, "4.4", offset + 8)
      let enumerationCase = words[2] == 0 ? nil : words[2] - 1
      if let enumerationCase {
        try reader.require(keys[enumerationCase].space == 3, "4.4", offset + 8)
      }
      offset += 16
      var slots: [Slot] = []
      for _ in 0..<words[1] {
        let key = try reader.number(offset, 4)
        let tag = UInt8(try reader.number(offset + 4, 1))
        let flags = try reader.number(offset + 5, 3)
        try reader.require(key < keys.count && keys[key].space < 2, "4.4", offset)
        try reader.require(tag.isTagOfValue && flags <= 1, "4.4", offset + 4)
        slots.append(Slot(key: key, tag: tag, isNullable: flags == 1))
        offset += 8
      }
      try reader.require(Set(slots.map(\.key)).count == slots.count, "4.4", offset)
      shapes.append(Shape(type: words[0], enumerationCase: enumerationCase, slots: slots))
    }
    try reader.require(Set(shapes).count == shapes.count, "4.4", start)
    return offset
  }

  /// The new shapes use the new keys and types for the first time, in their order (4.2 and 4.3).
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
