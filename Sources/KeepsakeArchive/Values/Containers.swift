extension Optional: ArchiveValue where Wrapped: ArchiveValue {
  /// The tag of the wrapped type.
  @inlinable public static var archiveTag: ArchiveTag { Wrapped.archiveTag }

  /// Writes the value, or a nil that takes one bit.
  ///
  /// Optionals of optionals are stored as one optional: every nil reads back as the outer nil.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .some(let value): value.encode(to: &encoder, at: place.nullable)
    case .none: encoder.encodeNil(tag: Wrapped.archiveTag, at: place)
    }
  }

  /// Reads a value or a nil.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when a value is stored that is none of the wrapped type.
  @inlinable
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    if decoder.isNil {
      try decoder.checkNil()
      self = nil
    } else {
      self = .some(try Wrapped(from: decoder))
    }
  }

  /// Reads a value or a nil out of its slot.
  ///
  /// - Parameters:
  ///   - decoder: The decoder of the object.
  ///   - slot: The slot of the key that was asked for.
  @inlinable
  @inline(__always)
  public init?(from decoder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    if decoder.isProperNil(slot) {
      self = .none
      return
    }
    guard let value = Wrapped(from: decoder, at: slot) else { return nil }
    self = .some(value)
  }
}

extension Array: ArchiveValue where Element: ArchiveValue {
  /// The tag of an array.
  @inlinable public static var archiveTag: ArchiveTag { .array }

  /// Writes the elements in their order.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    if encoder.enterDepth(at: place) {
      Element.encodeElements(self, to: &encoder, at: place)
    } else {
      encoder.encodeNil(tag: .array, at: place)
    }
  }

  /// Reads the elements in their order.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of such elements.
  @inlinable
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try Element.decodeElements(from: decoder)
  }
}
