extension Bool: ArchiveValue {
  /// The tag of a truth value.
  @inlinable public static var archiveTag: ArchiveTag { .bool }

  /// Writes 1 for true and 0 for false.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeBit(self, tag: .bool, at: place)
  }

  /// Reads a truth value.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.bool()
  }

  /// Writes truth values as bits.
  public static func encodeElements(
    _ elements: [Bool], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeScalars(elements, tag: .bool, at: place)
  }

  /// Reads truth values that are bits, without a decoder for each.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Bool] {
    let elements = try coder.value.storedElements()
    guard elements.tag == .bool, elements.nilBits == 0
    else { return try coder.values(of: elements) }
    return coder.value.view.bits(at: elements.slots, count: elements.count)
  }

  /// Reads a truth value out of its slot.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let bit = coder.fields.bit(slot, tag: .bool) else { return nil }
    self = bit
  }
}

extension String: ArchiveValue {
  /// The tag of a string.
  @inlinable public static var archiveTag: ArchiveTag { .string }

  /// Writes the UTF-8 bytes, without normalisation.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeText(self, tag: .string, at: place)
  }

  /// Reads a string.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.value.require(.string, for: "a string")
    self = try coder.text()
  }

  /// Writes strings one after the other.
  public static func encodeElements(
    _ elements: [String], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeTexts(elements, at: place)
  }

  /// Reads strings one after the other.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [String] {
    let elements = try coder.value.storedElements()
    guard elements.tag == .string else { return try coder.values(of: elements) }
    return try elements.map { index throws(ArchiveError) in
      let range = elements.range(of: index, coder.value.view)
      guard let text = coder.value.view.string(range) else { throw ArchiveError.badText(range) }
      return text
    }
  }

  /// Reads a string out of its slot.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let text = coder.fields.text(slot) else { return nil }
    self = text
  }
}
