extension ArchiveReference: LibraryValue {
  @inlinable static var storedTag: ArchiveTag { .reference }

  @usableFromInline
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeReference(objectID, at: place)
  }

  @usableFromInline
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    // A conditional reference is read as its object, if that was stored.
    self.init(try coder.reference())
  }

  @usableFromInline
  static func readElements(
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

extension ArchiveConditionalReference: LibraryValue {
  @inlinable static var storedTag: ArchiveTag { .conditionalReference }

  @usableFromInline
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeConditionalReference(number, at: place)
  }

  @usableFromInline
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try coder.conditionalNumber())
  }
}
