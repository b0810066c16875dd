extension Bool: ArchiveValue {
  /// The tag of a truth value.
  @inlinable public static var archiveTag: ArchiveTag { .bool }

  /// Writes 1 for true and 0 for false.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: The place of the value.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeBit(self, tag: .bool, at: place)
  }

  /// Reads a truth value.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no truth value; in an array also when it is a byte
  ///   other than 0 and 1.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.bool()
  }

  /// Writes truth values as bits.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - coder: The coder of the object that the array is part of.
  ///   - place: The place of the array.
  public static func encodeElements(
    _ elements: [Bool], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeScalars(elements, tag: .bool, at: place)
  }

  /// Reads truth values that are bits, without a decoder for each.
  ///
  /// - Parameter coder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of truth values.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Bool] {
    let elements = try coder.elements()
    guard elements.tag == .bool, elements.nilBits == 0 else {
      return try coder.values(of: elements) { element throws(ArchiveError) in
        try Bool(from: element)
      }
    }
    return coder.view.bits(at: elements.slots, count: elements.count)
  }

  /// Reads a truth value out of its slot.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object.
  ///   - slot: The slot of the requested key.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let bit = coder.bit(slot, tag: .bool) else { return nil }
    self = bit
  }
}

extension String: ArchiveValue {
  /// The tag of a string.
  @inlinable public static var archiveTag: ArchiveTag { .string }

  /// Writes the UTF-8 bytes, without normalisation.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: The place of the value.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeText(self, tag: .string, at: place)
  }

  /// Reads a string.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no string, or not well-formed UTF-8.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try coder.require(.string, for: "a string")
    self = try coder.text()
  }

  /// Writes strings one after the other.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - coder: The coder of the object that the array is part of.
  ///   - place: The place of the array.
  public static func encodeElements(
    _ elements: [String], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeTexts(elements, at: place)
  }

  /// Reads strings one after the other.
  ///
  /// - Parameter coder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of strings, or one is not well-formed
  ///   UTF-8.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [String] {
    let elements = try coder.elements()
    guard elements.tag == .string else {
      return try coder.values(of: elements) { element throws(ArchiveError) in
        try String(from: element)
      }
    }
    return try elements.map { index throws(ArchiveError) in
      let range = elements.range(of: index, coder.view)
      guard let text = coder.view.string(range) else { throw ArchiveError.badText(range) }
      return text
    }
  }

  /// Reads a string out of its slot.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object.
  ///   - slot: The slot of the requested key.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    guard let text = coder.text(slot) else { return nil }
    self = text
  }
}
