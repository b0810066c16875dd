/// A value with several parts, each under its own key.
///
/// The keys of a record cannot collide with the keys of the object that contains it. A record is a value, not an
/// object: it has no identity, and storing it twice stores it twice (Spec/archive.md, 5.4).
///
/// ```swift
/// struct Point: ArchiveRecord {
///   var x: Double
///   var y: Double
///   func encode(to coder: inout ObjectEncoder) {
///     coder.encode(x, forKey: "x")
///     coder.encode(y, forKey: "y")
///   }
///   init(from coder: borrowing ObjectDecoder)
///     throws(ArchiveError)
///   {
///     let x = try coder.decode(Double.self, forKey: "x")
///     let y = try coder.decode(Double.self, forKey: "y")
///     self.init(x: x, y: y)
///   }
/// }
/// ```
public protocol ArchiveRecord: ArchiveValue, ArchiveDecodableRecord {
  /// The stable name that inspectors show, empty by default.
  static var archiveTypeName: String { get }

  /// The version of the set of keys, 0 by default.
  static var archiveSchemaVersion: UInt32 { get }

  /// Writes the parts.
  ///
  /// - Parameter coder: A coder whose keys are this value's own.
  func encode(to coder: inout ObjectEncoder)
}

extension ArchiveRecord {
  /// No name.
  @inlinable public static var archiveTypeName: String { "" }

  /// The first version.
  @inlinable public static var archiveSchemaVersion: UInt32 { 0 }

  /// The tag of a record.
  @inlinable public static var archiveTag: ArchiveTag { .record }

  /// Writes the parts as one nested record.
  @inlinable
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    guard coder.enters(.record, at: place) else { return }
    let isInSlot = coder.beginInSlot(
      at: place, typeName: Self.archiveTypeName, schemaVersion: Self.archiveSchemaVersion,
      writer: Self.archiveWriter)
    if !isInSlot { return encodeBody(to: &coder, at: place) }
    encode(to: &coder)
    coder.endBodyInSlot(tag: .record, at: place)
  }

  /// Does the same as ``ObjectEncoder/encodeNested(case:typeName:schemaVersion:at:_:)``, without a closure.
  @inlinable
  @inline(never)
  func encodeBody(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.beginBody(
      tag: .record, typeName: Self.archiveTypeName, schemaVersion: Self.archiveSchemaVersion,
      writer: Self.archiveWriter, at: place)
    encode(to: &coder)
    coder.endBody(tag: .record, at: place)
  }

  /// A number that distinguishes types without a name while they are written.
  @inlinable static var archiveWriter: UInt32 {
    UInt32(truncatingIfNeeded: UInt(bitPattern: ObjectIdentifier(Self.self)))
  }

  /// Writes nested records one after the other, without a copy of any.
  @inlinable
  public static func encodeElements(
    _ elements: [Self], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    if elements.isEmpty { return coder.encodeNoElements(at: place) }
    let outer = coder.beginElements(count: elements.count, at: place)
    elements.forEachInPlace { $0.encode(to: &coder, at: .element) }
    coder.endElements(outer, at: place)
  }

  /// Reads the parts of a nested record.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    try self.init(from: coder.lentRecord())
  }

  /// Reads the parts of a nested record.
  @inlinable
  @inline(__always)
  public init?(
    asWrittenIn coder: borrowing ObjectDecoder, at slot: ArchiveSlot
  ) throws(ArchiveError) {
    let row = slot.row
    guard row.tag == .record, !coder.fields.isNil(row) else { return nil }
    try self.init(from: coder.lentRecord(slot))
  }

  /// Reads records one after the other; records of one shape share one decoder.
  @inlinable
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Self] {
    let elements = try coder.value.storedElements()
    guard var element = coder.lentElements(elements) else { return try coder.values(of: elements) }
    let shape = element.shapeReference
    return try elements.map { index throws(ArchiveError) in
      let record = try elements.openedRecord(index, shape, coder.value.view)
      element.move(to: record, in: coder.value.view)
      return try Self(from: element)
    }
  }
}

extension BorrowedElement where Value: ArchiveRecord {
  @inlinable
  borrowing func encode(to coder: inout ObjectEncoder) {
    value.encode(to: &coder)
  }

  @inlinable
  @inline(__always)
  borrowing func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    value.encode(to: &coder, at: place)
  }
}
