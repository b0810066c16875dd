/// A type whose values are stored under a key.
///
/// The numbers, strings, dates, arrays and dictionaries of this module conform. To store a type of
/// your own, take the first of these that fits:
///
/// - a type with a raw value that conforms: declare the conformance, nothing else;
/// - a value with several parts: conform to ``ArchiveRecord`` and give each part a key;
/// - a type that stands for one that conforms, as Foundation's `Date` stands for ``ArchiveDate``:
///   implement ``archiveTag``, ``encode(to:at:)`` and ``init(from:)`` by handing on to it.
public protocol ArchiveValue {
  /// How values of the type are written, so that a nil among them takes one bit.
  static var archiveTag: ArchiveTag { get }

  /// Writes the value in one place.
  ///
  /// Hand on to the same method of a type that conforms, exactly once.
  func encode(to coder: inout ObjectEncoder, at place: ArchivePlace)

  /// Reads a value.
  ///
  /// - Throws: ``ArchiveError`` when what is stored is not a value of this type.
  init(from coder: borrowing ValueDecoder) throws(ArchiveError)

  /// Reads a value that is stored just as the type writes it, and returns nil for any other.
  ///
  /// The quick way for the values that are read most; you do not need to implement it. After a nil, the decoder reads
  /// the slot with ``init(from:)``, which converts the value or throws the error of a value of another type.
  ///
  /// - Throws: ``ArchiveError`` when a part of the value is not as expected.
  init?(asWrittenIn coder: borrowing ObjectDecoder, at slot: ArchiveSlot) throws(ArchiveError)

  /// Writes an array of such values; fixed-width numbers do it in one copy.
  static func encodeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace)

  /// Reads an array of such values; fixed-width numbers do it in one copy.
  ///
  /// - Throws: ``ArchiveError`` when what is stored is not an array of such values.
  static func decodeElements(from coder: borrowing ValueDecoder) throws(ArchiveError) -> [Self]
}

extension ArchiveValue {
  /// Returns nil, which leaves each value to ``init(from:)``.
  @inlinable
  @inline(__always)
  public init?(
    asWrittenIn coder: borrowing ObjectDecoder, at slot: ArchiveSlot
  ) throws(ArchiveError) {
    return nil
  }

  /// Writes the values one after the other.
  @inlinable
  public static func encodeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    encodeOneByOne(elements, to: &coder, at: place)
  }

  @inlinable
  @inline(__always)
  static func encodeOneByOne(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    if elements.isEmpty { return coder.encodeNoElements(at: place) }
    let outer = coder.beginElements(count: elements.count, at: place)
    for element in elements { element.encode(to: &coder, at: .element) }
    coder.endElements(outer, at: place)
  }

  /// Reads the values one after the other.
  @inlinable
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Self] {
    try coder.values(of: coder.value.storedElements())
  }
}

extension ArchiveValue where Self: RawRepresentable, RawValue: ArchiveValue {
  /// The tag of the raw value.
  @inlinable
  public static var archiveTag: ArchiveTag { RawValue.archiveTag }

  /// Writes the raw value.
  @inlinable
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    rawValue.encode(to: &coder, at: place)
  }

  /// Reads the raw value.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let raw = try RawValue(from: coder)
    guard let value = Self(rawValue: raw) else {
      throw ArchiveError(
        .invalidValue, "\(Self.self) has no case with the raw value \(raw)",
        offset: coder.value.offset)
    }
    self = value
  }

  /// Reads the raw value.
  @inlinable
  @inline(__always)
  public init?(
    asWrittenIn coder: borrowing ObjectDecoder, at slot: ArchiveSlot
  ) throws(ArchiveError) {
    guard let raw = try RawValue(asWrittenIn: coder, at: slot) else { return nil }
    self.init(rawValue: raw)
  }
}
