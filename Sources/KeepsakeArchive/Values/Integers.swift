// Integers are stored in the width of their type and read as any type that the value fits
// (Spec/archive.md, 6.1). `Int` and `UInt` are stored in 64 bits on every platform.

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
    var values: [Self] = []
    values.reserveCapacity(elements.initialCapacity)
    for index in 0..<elements.count {
      do {
        values.append(try coder.element(index, of: elements).convertedInteger())
      } catch {
        throw error.atElement(index)
      }
    }
    return values
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
  /// The tag of 64 bits.
  @inlinable public static var archiveTag: ArchiveTag { .int64 }

  /// Writes the integer in 64 bits.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeFixed(Int64(self), tag: .int64, at: place)
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

  /// Writes the integers side by side in 64 bits each.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - coder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  @inlinable
  public static func encodeElements(
    _ elements: [Int], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    #if _pointerBitWidth(_64)
      coder.encodeScalars(elements, tag: .int64, at: place)
    #else
      coder.encodeScalars(elements.map { Int64($0) }, tag: .int64, at: place)
    #endif
  }
}

extension UInt: ArchiveValue {
  /// The tag of 64 bits.
  @inlinable public static var archiveTag: ArchiveTag { .uint64 }

  /// Writes the integer in 64 bits.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeFixed(UInt64(self), tag: .uint64, at: place)
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

  /// Writes the integers side by side in 64 bits each.
  ///
  /// - Parameters:
  ///   - elements: The values.
  ///   - coder: The coder of the object that the array is part of.
  ///   - place: Where the array belongs.
  @inlinable
  public static func encodeElements(
    _ elements: [UInt], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    #if _pointerBitWidth(_64)
      coder.encodeScalars(elements, tag: .uint64, at: place)
    #else
      coder.encodeScalars(elements.map { UInt64($0) }, tag: .uint64, at: place)
    #endif
  }
}
