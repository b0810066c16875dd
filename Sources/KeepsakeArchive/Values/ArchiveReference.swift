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
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: The place of the value.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeReference(objectID, at: place)
  }

  /// Reads a reference; of a conditional one the object, if it was stored.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when it is no reference, or one to an object that does not exist.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try coder.reference())
  }

  /// Reads references one after the other.
  ///
  /// - Parameter coder: The stored array.
  /// - Returns: The references in their order.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of references, or one of them leads to an object
  ///   that does not exist.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [ArchiveReference] {
    let elements = try coder.elements()
    guard elements.tag == .reference, elements.nilBits == 0 else {
      return try coder.values(of: elements) { element throws(ArchiveError) in
        try ArchiveReference(from: element)
      }
    }
    let view = coder.view
    return try coder.storage.with { storage throws(ArchiveError) in
      try elements.map { index throws(ArchiveError) in
        let range = elements.range(of: index, view)
        return ArchiveReference(
          try storage.object(view.reference(range), at: range.lowerBound))
      }
    }
  }
}

/// A reference that does not by itself make its object part of the archive.
///
/// Engines that write objects through ``ArchiveWriter`` number such references from 1 and tell the
/// writer at the end which object each number stands for, if that object was written
/// (``ArchiveWriter/conditionalObjects``). Object graphs use
/// ``ObjectEncoder/encodeConditionalReference(_:forKey:)`` instead. Spec/archive.md, 4.4.
public struct ArchiveConditionalReference: Hashable, Sendable {
  /// The number among the conditional references, or 0 for a reference to none.
  public var number: UInt32

  /// Makes a conditional reference.
  ///
  /// - Parameter number: The number among the conditional references, 0 for none.
  public init(_ number: UInt32) {
    self.number = number
  }
}

extension ArchiveConditionalReference: ArchiveValue {
  /// The tag of a conditional reference.
  @inlinable public static var archiveTag: ArchiveTag { .conditionalReference }

  /// Writes the number.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: The place of the value.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeConditionalReference(number, at: place)
  }

  /// Reads the number.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no conditional reference, or one that the
  ///   archive does not list.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try coder.conditionalNumber())
  }
}
