import KeepsakeArchive

// Arrays of numbers or texts are read at once if the archive holds exactly that kind; others are read element by
// element, with their conversions and errors.

extension NodeDecoder {
  /// The elements of an array, nil if another kind is stored.
  var elements: ArrayView? {
    value.tag == .array && !value.isNil ? try? value.elements() : nil
  }

  /// Decodes an array of numbers, or of truth values.
  ///
  /// Each kind returns separately, because an optional of the generic type would be looked up in the runtime.
  func decodeNumbers<Decoded: Decodable>(
    _ kind: ScalarKind, as type: Decoded.Type
  ) throws -> Decoded {
    guard let elements else { return try Decoded(from: self) }
    switch kind {
    case .bool: if let row = try? value.read([Bool].self) { return identical(row, as: type) }
    case .double:
      if let row = elements.scalars(Double.self, .double) { return identical(row, as: type) }
    case .float:
      if let row = elements.scalars(Float.self, .float) { return identical(row, as: type) }
    case .int: if let row = elements.integers() { return identical(row, as: type) }
    case .int8:
      if let row = elements.scalars(Int8.self, .int8) { return identical(row, as: type) }
    case .int16:
      if let row = elements.scalars(Int16.self, .int16) { return identical(row, as: type) }
    case .int32:
      if let row = elements.scalars(Int32.self, .int32) { return identical(row, as: type) }
    case .int64:
      if let row = elements.scalars(Int64.self, .int64) { return identical(row, as: type) }
    case .uint: if let row = elements.unsignedIntegers() { return identical(row, as: type) }
    case .uint8:
      if let row = elements.scalars(UInt8.self, .uint8) { return identical(row, as: type) }
    case .uint16:
      if let row = elements.scalars(UInt16.self, .uint16) { return identical(row, as: type) }
    case .uint32:
      if let row = elements.scalars(UInt32.self, .uint32) { return identical(row, as: type) }
    case .uint64:
      if let row = elements.scalars(UInt64.self, .uint64) { return identical(row, as: type) }
    }
    return try Decoded(from: self)
  }
}
