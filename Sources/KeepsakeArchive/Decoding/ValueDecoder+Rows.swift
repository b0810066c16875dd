// Rows of numbers (Spec/archive.md, 5.5), where a decoder for each would cost as much as the array itself.

extension ValueDecoder {
  /// The elements of an array that lie in rows of numbers of just this type; nil for any others, and for few of
  /// them, which are read one by one sooner than it is found out what they are.
  @inline(never)
  @usableFromInline
  func rows<Number>(_ elements: StoredElements, of type: Number.Type) -> [[Number]]? {
    guard elements.areRows, elements.count > 8, Int(depth) + 1 < storage.with({ $0.nestingDepth })
    else { return nil }
    switch ArchiveTag(rawValue: UInt8(truncatingIfNeeded: elements.content)) {
    case .double: return rows(elements, Double.self, of: type)
    case .float: return rows(elements, Float.self, of: type)
    case .int8: return rows(elements, Int8.self, of: type)
    case .int16: return rows(elements, Int16.self, of: type)
    case .int32: return rows(elements, Int32.self, of: type)
    case .int64: return rows(elements, Int64.self, of: type)
    case .uint8: return rows(elements, UInt8.self, of: type)
    case .uint16: return rows(elements, UInt16.self, of: type)
    case .uint32: return rows(elements, UInt32.self, of: type)
    case .uint64: return rows(elements, UInt64.self, of: type)
    default: return nil
    }
  }

  /// In the caller, so that the code for each type of numbers is made.
  @inline(__always)
  private func rows<Stored: BitwiseCopyable, Number>(
    _ elements: StoredElements, _ stored: Stored.Type, of type: Number.Type
  ) -> [[Number]]? {
    guard type == stored else { return nil }
    let rows = view.rows(stored, in: elements.slotRange, byteCount: elements.stride)
    return identical(rows, as: [[Number]].self)
  }
}
