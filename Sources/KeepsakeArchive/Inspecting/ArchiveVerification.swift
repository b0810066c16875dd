extension Archive {
  /// Reads every byte and checks what lazy reading leaves unread (Spec/archive.md, 7.4 and 7.5).
  ///
  /// Call it where an archive comes from an untrusted source and has to be whole, or to tell damage from
  /// a defect. Reading objects does not need it: each is checked when it is opened.
  ///
  /// - Throws: ``ArchiveError`` for what contradicts the format; when all can be read but is not as
  ///   a writer writes it, an error with the code `nonCanonical`.
  /// - Complexity: As that of ``verdict()``.
  public func verify() throws(ArchiveError) {
    if case .notCanonical(let error) = try verdict() { throw error }
  }

  /// Reads every byte and says whether the archive is what a writer makes of its values
  /// (Spec/archive.md, 7.5).
  ///
  /// - Returns: The verdict. The order of the objects is left open: it is the writer's.
  /// - Throws: ``ArchiveError`` for what contradicts the format and cannot be read.
  /// - Complexity: In proportion to the size of the archive, which is read once for damage and then written
  ///   anew segment by segment. It goes through the objects in their order and never from object to object.
  public func verdict() throws(ArchiveError) -> ArchiveVerdict {
    let hasUnknown = try checkForDamage()
    if let difference = try differenceFromRewriting() { return .notCanonical(difference) }
    return hasUnknown ? .canonicalWithUnknownKinds : .canonical
  }

  /// Reads the whole archive once, segment by segment (Spec/archive.md, 7.4).
  ///
  /// - Returns: True when there is a value of an unknown kind.
  private func checkForDamage() throws(ArchiveError) -> Bool {
    var segments = SegmentVerification(storage)
    var offset = storage.frame.valuesEnd
    for index in 0..<storage.frame.segmentCount {
      let segment = try storage.segment(index)
      guard segment.row.offset == offset else {
        throw ArchiveError(
          .damaged, "segment \(index) does not follow the one before it",
          offset: segment.row.offset)
      }
      try segment.checkLength(storage.limits)
      offset = try segments.verify(
        segment, isLast: index == storage.frame.segmentCount - 1,
        in: try storage.part(offset..<segment.limit))
    }
    guard offset == storage.frame.footerOffset else {
      throw ArchiveError(
        .damaged, "the last segment does not end where the footer begins", offset: offset)
    }
    for number in 0..<storage.frame.conditionalCount {
      _ = try storage.conditionalObject(UInt32(number + 1))
    }
    return segments.records.hasUnknown
  }
}

/// Whether an archive is byte for byte what a writer makes of its values (Spec/archive.md, 7.5).
public enum ArchiveVerdict: Equatable, Sendable {
  /// There is one way to write these values, and this is it.
  case canonical
  /// As far as this version of the library can tell: the archive holds kinds of value that it does
  /// not know.
  case canonicalWithUnknownKinds
  /// The archive can be read, but no writer of the format makes it; the error says where the bytes first
  /// differ from a writer's.
  case notCanonical(ArchiveError)
}
