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
    for number in start.shapes..<start.shapes + delta.shapes {
      let shape = shapes[number]
      bytes.append(UInt32(shape.type))
      bytes.append(UInt32(shape.slots.count))
      bytes.append(UInt32(shape.enumerationCase + 1))
      bytes.append(UInt32(0))
      for index in 0..<shape.slots.count {
        let slot = shape.slots[index]
        bytes.append(slot.key)
        bytes.append(slot.tag.rawValue)
        bytes.append(UInt8(slot.placement.nilOffset != 0 ? 1 : 0))
        bytes.append(UInt16(0))
      }
    }
    return bytes.take()
  }
}
