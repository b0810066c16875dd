// Integers are stored in the width of their type and read as any type that the value fits
// (Spec/archive.md, 6.1). `Int` and `UInt` are stored alike on every platform.

extension ArchiveValue where Self: FixedWidthInteger & BitwiseCopyable {
  /// Writes the integer in the width of its type.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeFixed(self, tag: Self.archiveTag, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.integer(tag: Self.archiveTag)
  }

  /// Reads an integer of any width out of its slot.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object.
  ///   - slot: The slot of the key that was asked for.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    if let word: Self = coder.word(slot, tag: Self.archiveTag) {
      self = word
    } else {
      return nil
    }
  }

  /// Writes the integers side by side in one copy.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - coder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  @inlinable
  public static func encodeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeScalars(elements, tag: archiveTag, at: place)
  }

  /// Reads the integers, in one copy when they are stored in this width.
  ///
  /// - Parameter coder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Self] {
    let elements = try coder.elements()
    if let packed = coder.packed(Self.self, tag: archiveTag, elements) { return packed }
    return try coder.values(of: elements) { element throws(ArchiveError) in
      try element.convertedInteger()
    }
  }
}

extension Int8: ArchiveValue {
  /// The tag of 8 bits.
  @inlinable public static var archiveTag: ArchiveTag { .int8 }
}

extension Int16: ArchiveValue {
  /// The tag of 16 bits.
  @inlinable public static var archiveTag: ArchiveTag { .int16 }
}

extension Int32: ArchiveValue {
  /// The tag of 32 bits.
  @inlinable public static var archiveTag: ArchiveTag { .int32 }
}

extension Int64: ArchiveValue {
  /// The tag of 64 bits.
  @inlinable public static var archiveTag: ArchiveTag { .int64 }
}

extension Int128: ArchiveValue {
  /// The tag of 128 bits.
  @inlinable public static var archiveTag: ArchiveTag { .int128 }
}

extension UInt8: ArchiveValue {
  /// The tag of 8 bits.
  @inlinable public static var archiveTag: ArchiveTag { .uint8 }
}

extension UInt16: ArchiveValue {
  /// The tag of 16 bits.
  @inlinable public static var archiveTag: ArchiveTag { .uint16 }
}

extension UInt32: ArchiveValue {
  /// The tag of 32 bits.
  @inlinable public static var archiveTag: ArchiveTag { .uint32 }
}

extension UInt64: ArchiveValue {
  /// The tag of 64 bits.
  @inlinable public static var archiveTag: ArchiveTag { .uint64 }
}

extension UInt128: ArchiveValue {
  /// The tag of 128 bits.
  @inlinable public static var archiveTag: ArchiveTag { .uint128 }
}

extension Int: ArchiveValue {
  /// A tag that is never stored: all such integers of a record get one width, and so do those of an array.
  @inlinable public static var archiveTag: ArchiveTag { .int }

  /// Writes the integer in 32 bits if all such integers of the record fit, else in 64; as an element of an
  /// array in the narrowest width that holds all.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeInteger(Int64(self), tag: .int, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    #if _pointerBitWidth(_64)
      self = try coder.integer(tag: .int64)
    #else
      self = try coder.convertedInteger()
    #endif
  }

  /// Reads an integer of any width out of its slot.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object.
  ///   - slot: The slot of the key that was asked for.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    if let word: Int32 = coder.word(slot, tag: .int32) {
      self.init(word)
    } else if let word: Int64 = coder.word(slot, tag: .int64), let value = Int(exactly: word) {
      self = value
    } else {
      return nil
    }
  }

  /// Writes the integers side by side, in the narrowest width that holds all.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - coder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  public static func encodeElements(
    _ elements: [Int], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeIntegers(elements.archivedBits, tag: .int, at: place)
  }

  /// Reads the integers, however wide they are.
  ///
  /// - Parameter coder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Int] {
    let elements = try coder.elements()
    if let integers = coder.view.integers(Int.self, elements) { return integers }
    return try coder.values(of: elements) { element throws(ArchiveError) in
      try element.convertedInteger()
    }
  }
}

extension UInt: ArchiveValue {
  /// A tag that is never stored: all such integers of a record get one width, and so do those of an array.
  @inlinable public static var archiveTag: ArchiveTag { .uint }

  /// Writes the integer in 32 bits if all such integers of the record fit, else in 64; as an element of an
  /// array in the narrowest width that holds all.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeInteger(Int64(bitPattern: UInt64(self)), tag: .uint, at: place)
  }

  /// Reads an integer of any width.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no integer, or does not fit.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    #if _pointerBitWidth(_64)
      self = try coder.integer(tag: .uint64)
    #else
      self = try coder.convertedInteger()
    #endif
  }

  /// Reads an integer of any width out of its slot.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object.
  ///   - slot: The slot of the key that was asked for.
  @inlinable
  @inline(__always)
  public init?(from coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    if let word: UInt32 = coder.word(slot, tag: .uint32) {
      self.init(word)
    } else if let word: UInt64 = coder.word(slot, tag: .uint64), let value = UInt(exactly: word) {
      self = value
    } else {
      return nil
    }
  }

  /// Writes the integers side by side, in the narrowest width that holds all.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - coder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  public static func encodeElements(
    _ elements: [UInt], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeIntegers(elements.archivedBits, tag: .uint, at: place)
  }

  /// Reads the integers, however wide they are.
  ///
  /// - Parameter coder: The stored array.
  /// - Returns: The values in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of integers that fit.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [UInt] {
    let elements = try coder.elements()
    if let integers = coder.view.integers(UInt.self, elements) { return integers }
    return try coder.values(of: elements) { element throws(ArchiveError) in
      try element.convertedInteger()
    }
  }
}

extension [Int] {
  /// The integers as they are written.
  package var archivedBits: [Int64] { map { Int64($0) } }
}

extension [UInt] {
  /// The bits of the integers as they are written.
  package var archivedBits: [Int64] { map { Int64(bitPattern: UInt64($0)) } }
}
