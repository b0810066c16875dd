// Integers are stored in the width of their type and read as any type that the value fits
// (Spec/archive.md, 6.1). `Int` and `UInt` are stored in 64 bits on every platform.

extension UInt: ArchiveValue {
  /// The tag of 64 bits.
  public static var archiveTag: ArchiveTag { .uint64 }

  /// Writes the integer in 64 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .uint64, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try decoder.integer()
  }

  /// Writes the integers side by side in one copy.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - encoder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  public static func encodeElements(
    _ elements: [UInt], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements.map { UInt64($0) }, tag: .uint64, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [UInt] {
    try decoder.integerElements()
  }
}

extension UInt8: ArchiveValue {
  /// The tag of 8 bits.
  public static var archiveTag: ArchiveTag { .uint8 }

  /// Writes the integer in 8 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .uint8, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try decoder.integer()
  }

  /// Writes the integers side by side in one copy.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - encoder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  public static func encodeElements(
    _ elements: [UInt8], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .uint8, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [UInt8] {
    try decoder.integerElements()
  }
}

extension UInt16: ArchiveValue {
  /// The tag of 16 bits.
  public static var archiveTag: ArchiveTag { .uint16 }

  /// Writes the integer in 16 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .uint16, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try decoder.integer()
  }

  /// Writes the integers side by side in one copy.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - encoder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  public static func encodeElements(
    _ elements: [UInt16], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .uint16, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [UInt16] {
    try decoder.integerElements()
  }
}

extension UInt32: ArchiveValue {
  /// The tag of 32 bits.
  public static var archiveTag: ArchiveTag { .uint32 }

  /// Writes the integer in 32 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .uint32, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try decoder.integer()
  }

  /// Writes the integers side by side in one copy.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - encoder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  public static func encodeElements(
    _ elements: [UInt32], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .uint32, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [UInt32] {
    try decoder.integerElements()
  }
}

extension UInt64: ArchiveValue {
  /// The tag of 64 bits.
  public static var archiveTag: ArchiveTag { .uint64 }

  /// Writes the integer in 64 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .uint64, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try decoder.integer()
  }

  /// Writes the integers side by side in one copy.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - encoder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  public static func encodeElements(
    _ elements: [UInt64], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .uint64, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [UInt64] {
    try decoder.integerElements()
  }
}
