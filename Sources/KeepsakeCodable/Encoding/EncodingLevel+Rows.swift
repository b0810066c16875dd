import KeepsakeArchive

extension EncodingLevel {
  /// Writes an array of numbers or texts, as its elements would be one by one; false when the value
  /// is no such array.
  func encodeRow<Value>(_ value: Value, of serial: Int) -> Bool {
    if Value.self == [String].self, let row = value as? [String] {
      accept(assembler.set(row, of: serial), serial)
      return true
    }
    return setRow(Double.self, .double, value, serial) || setRow(Int.self, .int64, value, serial)
      || setRow(Float.self, .float, value, serial) || setRow(Int32.self, .int32, value, serial)
      || setRow(UInt8.self, .uint8, value, serial) || setRow(UInt32.self, .uint32, value, serial)
      || setRow(Int64.self, .int64, value, serial) || setRow(UInt64.self, .uint64, value, serial)
      || setRow(UInt.self, .uint64, value, serial) || setRow(Int16.self, .int16, value, serial)
      || setRow(UInt16.self, .uint16, value, serial) || setRow(Int8.self, .int8, value, serial)
      || setRow(Bool.self, .bool, value, serial)
  }

  @inline(__always)
  private func setRow<Scalar: BitwiseCopyable, Value>(
    _ type: Scalar.Type, _ tag: ArchiveTag, _ value: Value, _ serial: Int
  ) -> Bool {
    guard Value.self == [Scalar].self, let row = value as? [Scalar] else { return false }
    accept(assembler.set(row, tag, of: serial), serial)
    return true
  }
}
