/// Optionals of optionals are stored as one optional: every nil reads back as the outer nil.
extension Optional: ArchiveValue, LibraryValue where Wrapped: ArchiveValue {
  @inlinable static var storedTag: ArchiveTag { Wrapped.archiveTag }

  @inlinable
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .some(let value): value.encode(to: &coder, at: place.nullable)
    case .none: coder.encodeNil(tag: Wrapped.archiveTag, at: place)
    }
  }

  @inlinable
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    if coder.value.isNil {
      self = nil
    } else {
      self = .some(try Wrapped(from: coder))
    }
  }

  @inlinable
  @inline(__always)
  init?(reading coder: borrowing ObjectDecoder, at slot: ArchiveSlot) throws(ArchiveError) {
    if coder.fields.isNil(slot.row) {
      if coder.fields.isAbsent(slot.row) { return nil }
      self = .none
      return
    }
    guard let value = try Wrapped(asWrittenIn: coder, at: slot) else { return nil }
    self = .some(value)
  }
}

extension Array: ArchiveValue, LibraryValue where Element: ArchiveValue {
  @inlinable static var storedTag: ArchiveTag { .array }

  @inlinable
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    if coder.enters(.array, at: place) { Element.encodeElements(self, to: &coder, at: place) }
  }

  @inlinable
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try Element.decodeElements(from: coder)
  }

  @inlinable
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [[Element]] {
    let elements = try coder.value.storedElements()
    if let rows = coder.rows(elements, of: Element.self) { return rows }
    return try coder.values(of: elements)
  }
}
