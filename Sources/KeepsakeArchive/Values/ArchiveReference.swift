/// A reference to an object by its id, or to none.
///
/// Engines that write objects through ``ArchiveWriter`` store these; the object itself may be
/// written before or after.
public struct ArchiveReference: Hashable, Sendable {
  /// The object, or nil for none.
  public var objectID: ArchiveObjectID?

  /// Makes a reference.
  ///
  /// - Parameter id: The object, or nil for none.
  public init(_ id: ArchiveObjectID?) {
    objectID = id
  }
}

extension ArchiveReference: ArchiveValue {
  /// The tag of a reference.
  @inlinable public static var archiveTag: ArchiveTag { .reference }

  /// Writes the id, or 0 for none.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeReference(objectID, at: place)
  }

  /// Reads a reference; of a conditional one the object, if it was stored.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when it is no reference, or one to an object that does not exist.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try decoder.reference())
  }
}
