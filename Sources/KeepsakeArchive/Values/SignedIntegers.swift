// Integers are stored in the width of their type and read as any type that the value fits
// (Spec/archive.md, 6.1). `Int` and `UInt` are stored in 64 bits on every platform.

extension Int: ArchiveValue {
  /// The tag of 64 bits.
  public static var archiveTag: ArchiveTag { .int64 }

  /// Writes the integer in 64 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .int64, at: place)
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
    _ elements: [Int], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements.map { Int64($0) }, tag: .int64, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Int] {
    try decoder.integerElements()
  }
}

extension Int8: ArchiveValue {
  /// The tag of 8 bits.
  public static var archiveTag: ArchiveTag { .int8 }

  /// Writes the integer in 8 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .int8, at: place)
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
    _ elements: [Int8], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .int8, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Int8] {
    try decoder.integerElements()
  }
}

extension Int16: ArchiveValue {
  /// The tag of 16 bits.
  public static var archiveTag: ArchiveTag { .int16 }

  /// Writes the integer in 16 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .int16, at: place)
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
    _ elements: [Int16], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .int16, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Int16] {
    try decoder.integerElements()
  }
}

extension Int32: ArchiveValue {
  /// The tag of 32 bits.
  public static var archiveTag: ArchiveTag { .int32 }

  /// Writes the integer in 32 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .int32, at: place)
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
    _ elements: [Int32], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .int32, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Int32] {
    try decoder.integerElements()
  }
}

extension Int64: ArchiveValue {
  /// The tag of 64 bits.
  public static var archiveTag: ArchiveTag { .int64 }

  /// Writes the integer in 64 bits.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeBits(UInt64(truncatingIfNeeded: self), tag: .int64, at: place)
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
    _ elements: [Int64], to encoder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encoder.encodeScalars(elements, tag: .int64, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter decoder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from decoder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Int64] {
    try decoder.integerElements()
  }
}
