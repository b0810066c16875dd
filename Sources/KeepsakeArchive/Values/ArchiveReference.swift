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
