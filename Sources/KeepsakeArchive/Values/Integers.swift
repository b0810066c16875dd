// Integers are stored in the width of their type and read as any type that the value fits
// (Spec/archive.md, 6.1). `Int` and `UInt` are stored alike on every platform.

/// An integer that is stored in the width of its type.
@usableFromInline
protocol StoredInteger: StoredWord, FixedWidthInteger, BitwiseCopyable where Word == Self {}

extension StoredInteger {
  @inlinable static var storedTag: ArchiveTag {
    ArchiveTag(integerOf: bitWidth, isSigned: isSigned)
  }

  @inlinable var archiveWord: Self { self }

  @inlinable
  init(archiveWord word: Self) {
    self = word
  }

  @inlinable
  init(converting coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.convertedInteger()
  }

  @inlinable
  static func writeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeScalars(elements, tag: storedTag, at: place)
  }

  @usableFromInline
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Self] {
    let elements = try coder.value.storedElements()
    if let packed = coder.packed(Self.self, tag: storedTag, elements) { return packed }
    return try coder.values(of: elements)
  }
}

extension Int8: StoredInteger {}
extension Int16: StoredInteger {}
extension Int32: StoredInteger {}
extension Int64: StoredInteger {}
extension Int128: StoredInteger {}
extension UInt8: StoredInteger {}
extension UInt16: StoredInteger {}
extension UInt32: StoredInteger {}
extension UInt64: StoredInteger {}
extension UInt128: StoredInteger {}

/// An integer whose width in an archive depends on the values, so that it is the same on every platform.
@usableFromInline
protocol FlexibleInteger: LibraryValue, FixedWidthInteger, BitwiseCopyable {
  /// The type of the width that most values fit.
  associatedtype Narrow: StoredInteger
  /// The type of the width that all values fit.
  associatedtype Wide: StoredInteger
}

extension FlexibleInteger {
  // This tag is never stored: all such integers of a record get one width, and so do those of an array.
  @inlinable static var storedTag: ArchiveTag { isSigned ? .int : .uint }

  // Integers of a record have 32 bits if all such integers of the record fit, else 64. Those of an array have the
  // narrowest width that holds all.
  @inlinable
  @inline(__always)
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeInteger(Int64(truncatingIfNeeded: self), tag: Self.storedTag, at: place)
  }

  @inlinable
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    if coder.value.tag == Narrow.storedTag, !coder.value.isNil {
      self = Self(truncatingIfNeeded: coder.word(Narrow.self))
    } else {
      self = try coder.convertedInteger()
    }
  }

  @inlinable
  @inline(__always)
  init?(reading coder: borrowing ObjectDecoder, at slot: ArchiveSlot) {
    if let word: Narrow = coder.fields.word(slot, tag: Narrow.storedTag) {
      self.init(truncatingIfNeeded: word)
    } else if let word: Wide = coder.fields.word(slot, tag: Wide.storedTag),
      let value = Self(exactly: word)
    {
      self = value
    } else {
      return nil
    }
  }
}

extension Int: FlexibleInteger {
  @usableFromInline typealias Narrow = Int32
  @usableFromInline typealias Wide = Int64

  @usableFromInline
  static func writeElements(
    _ elements: [Int], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeIntegers(elements.archivedBits, tag: .int, at: place)
  }

  @usableFromInline
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Int] {
    let elements = try coder.value.storedElements()
    if let integers = elements.integers(Int.self, in: coder.value.view) { return integers }
    return try coder.values(of: elements)
  }
}

extension UInt: FlexibleInteger {
  @usableFromInline typealias Narrow = UInt32
  @usableFromInline typealias Wide = UInt64

  @usableFromInline
  static func writeElements(
    _ elements: [UInt], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeIntegers(elements.archivedBits, tag: .uint, at: place)
  }

  @usableFromInline
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [UInt] {
    let elements = try coder.value.storedElements()
    if let integers = elements.integers(UInt.self, in: coder.value.view) { return integers }
    return try coder.values(of: elements)
  }
}

extension Array where Element: FixedWidthInteger {
  /// The bits of integers of up to 64 bits as they are written.
  @inlinable package var archivedBits: [Int64] { map { Int64(truncatingIfNeeded: $0) } }
}
