/// A value of a type that this module stores itself.
///
/// The public interface of all such types is stated once, in the extension below.
@usableFromInline
protocol LibraryValue: ArchiveValue {
  static var storedTag: ArchiveTag { get }

  func write(to coder: inout ObjectEncoder, at place: ArchivePlace)

  init(reading coder: borrowing ValueDecoder) throws(ArchiveError)

  /// Reads a value that is stored as the type writes it; nil for any other, which `init(reading:)` reads.
  init?(reading coder: borrowing ObjectDecoder, at slot: ArchiveSlot) throws(ArchiveError)

  static func writeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace)

  static func readElements(from coder: borrowing ValueDecoder) throws(ArchiveError) -> [Self]
}

extension LibraryValue {
  /// The tag of the type; an optional has that of the wrapped type.
  ///
  /// `Int` and `UInt` have tags that are never stored: all such integers of a record get one width, and so do those of
  /// an array.
  @inlinable @inline(__always) public static var archiveTag: ArchiveTag { storedTag }

  /// Writes the value as Spec/archive.md states for its tag.
  @inlinable
  @inline(__always)
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    write(to: &coder, at: place)
  }

  /// Reads a value, or a number of another type that it can be converted from (Spec/archive.md, section 6).
  @inlinable
  @inline(__always)
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try self.init(reading: coder)
  }

  /// Reads a value out of its slot.
  @inlinable
  @inline(__always)
  public init?(
    asWrittenIn coder: borrowing ObjectDecoder, at slot: ArchiveSlot
  ) throws(ArchiveError) {
    try self.init(reading: coder, at: slot)
  }

  /// Writes an array: numbers and truth values side by side, other values one after the other.
  @inlinable
  @inline(__always)
  public static func encodeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    writeElements(elements, to: &coder, at: place)
  }

  /// Reads an array: numbers in one copy when they are stored in the width of the type.
  @inlinable
  @inline(__always)
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Self] {
    try readElements(from: coder)
  }

  @inlinable
  @inline(__always)
  init?(reading coder: borrowing ObjectDecoder, at slot: ArchiveSlot) throws(ArchiveError) {
    return nil
  }

  @inlinable
  static func writeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encodeOneByOne(elements, to: &coder, at: place)
  }

  @inlinable
  static func readElements(from coder: borrowing ValueDecoder) throws(ArchiveError) -> [Self] {
    try coder.values(of: coder.value.storedElements())
  }
}
