extension Optional: ArchiveValue where Wrapped: ArchiveValue {
  /// The tag of the wrapped type.
  @inlinable public static var archiveTag: ArchiveTag { Wrapped.archiveTag }

  /// Writes the value, or a nil that takes one bit.
  ///
  /// Optionals of optionals are stored as one optional: every nil reads back as the outer nil.
  @inlinable
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .some(let value): value.encode(to: &coder, at: place.nullable)
    case .none: coder.encodeNil(tag: Wrapped.archiveTag, at: place)
    }
  }

  /// Reads a value or a nil.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    if coder.value.isNil {
      self = nil
    } else {
      self = .some(try Wrapped(from: coder))
    }
  }

  /// Reads a value or a nil out of its slot.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) throws(ArchiveError) {
    if coder.fields.isNil(slot.row) {
      if coder.fields.isAbsent(slot.row) { return nil }
      self = .none
      return
    }
    guard let value = try Wrapped(from: coder, at: slot) else { return nil }
    self = .some(value)
  }
}

extension Array: ArchiveValue where Element: ArchiveValue {
  /// The tag of an array.
  @inlinable public static var archiveTag: ArchiveTag { .array }

  /// Writes the elements in their order.
  @inlinable
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    if coder.enters(.array, at: place) { Element.encodeElements(self, to: &coder, at: place) }
  }

  /// Reads the elements in their order.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try Element.decodeElements(from: coder)
  }

  /// Reads arrays one after the other.
  ///
  /// Rows of numbers are read at once.
  @inlinable
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [[Element]] {
    let elements = try coder.value.storedElements()
    if let rows = coder.rows(elements, of: Element.self) { return rows }
    return try coder.values(of: elements)
  }
}
