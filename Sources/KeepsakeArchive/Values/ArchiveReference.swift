extension ArchiveReference: ArchiveValue {
  /// The tag of a reference.
  @inlinable public static var archiveTag: ArchiveTag { .reference }

  /// Writes the id, or 0 for an empty reference.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeReference(objectID, at: place)
  }

  /// Reads a reference; a conditional reference is read as its object, if that was stored.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try coder.reference())
  }

  /// Reads references one after the other.
  public static func decodeElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [ArchiveReference] {
    let elements = try coder.value.storedElements()
    guard elements.tag == .reference, elements.nilBits == 0
    else { return try coder.values(of: elements) }
    let view = coder.value.view
    return try coder.value.storage.with { storage throws(ArchiveError) in
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
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeConditionalReference(number, at: place)
  }

  /// Reads the number.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try coder.conditionalNumber())
  }
}
