import KeepsakeArchive

extension NodeDecoder {
  /// An array of numbers or texts, if the archive holds exactly such: others are read one by one,
  /// with their conversions and errors.
  func row<Decoded>(_ type: Decoded.Type) -> Decoded? {
    if type == [String].self { return elements?.texts() as? Decoded }
    if let row = scalars(Double.self, .double, type) { return row }
    if type == [Int].self { return elements?.integers(Int.self) as? Decoded }
    if let row = scalars(Float.self, .float, type) { return row }
    if let row = scalars(Int32.self, .int32, type) { return row }
    if let row = scalars(UInt8.self, .uint8, type) { return row }
    if let row = scalars(UInt32.self, .uint32, type) { return row }
    if let row = scalars(Int64.self, .int64, type) { return row }
    if let row = scalars(UInt64.self, .uint64, type) { return row }
    if type == [UInt].self { return elements?.integers(UInt.self) as? Decoded }
    if let row = scalars(Int16.self, .int16, type) { return row }
    if let row = scalars(UInt16.self, .uint16, type) { return row }
    if let row = scalars(Int8.self, .int8, type) { return row }
    return nil
  }

  @inline(__always)
  private func scalars<Scalar: BitwiseCopyable, Decoded>(
    _ scalar: Scalar.Type, _ tag: ArchiveTag, _ type: Decoded.Type
  ) -> Decoded? {
    if type != [Scalar].self { return nil }
    return elements?.scalars(scalar, tag) as? Decoded
  }

  private var elements: StoredArray? {
    value.tag == .array && !value.isNil ? try? value.elements() : nil
  }
}
