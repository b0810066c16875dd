extension ReaderTables {
  /// The bytes that a segment's tables must have if it adds these entries, or nil when the tables
  /// do not have so many.
  func deltaBytes(from start: TableCounts, adding delta: TableCounts) -> [UInt8]? {
    guard delta.keys <= keys.count - start.keys, delta.types <= types.count - start.types,
      delta.shapes <= shapes.count - start.shapes
    else { return nil }
    var bytes = ByteBuffer()
    let newKeys = keys[start.keys..<start.keys + delta.keys]
    for key in newKeys {
      bytes.append(UInt32(key.scope + 1))
      bytes.append(UInt32(key.name.utf8.count))
      bytes.append(UInt64(key.space.rawValue))
    }
    for key in newKeys { bytes.append(utf8: key.name) }
    bytes.pad()
    let newTypes = types[start.types..<start.types + delta.types]
    for type in newTypes {
      bytes.append(UInt32(type.name.utf8.count))
      bytes.append(type.schemaVersion)
      bytes.append(UInt64(0))
    }
    for type in newTypes { bytes.append(utf8: type.name) }
    bytes.pad()
    for shape in shapes[start.shapes..<start.shapes + delta.shapes] {
      bytes.append(UInt32(shape.type))
      bytes.append(UInt32(shape.slots.count))
      for slot in slots[shape.slots] {
        bytes.append(UInt32(slot.key))
        bytes.append(slot.tag.rawValue)
        bytes.append(UInt8(slot.nilBit >= 0 ? 1 : 0))
        bytes.append(UInt16(0))
      }
    }
    var result: [UInt8] = []
    bytes.copy(into: &result)
    return result
  }
}
