public import KeepsakeArchive

// The canonical form (Spec/archive.md, 7.5). The format leaves a writer no choice, so the archive is rewritten,
// and the bytes are compared.

/// Whether an archive is byte for byte what a writer makes of its values (Spec/archive.md, 7.5).
public enum ArchiveVerdict: Equatable, Sendable {
  /// The archive is the only way to write its values.
  case canonical
  /// The archive is canonical as far as this version can tell: it contains kinds of value that it does not know.
  case canonicalWithUnknownKinds
  /// The archive can be read, but no writer of the format makes it; the error says where the bytes first
  /// differ from a writer's.
  case notCanonical(ArchiveError)
}

extension Archive {
  /// Reads every byte and checks it for damage, also where lazy reading does not look (Spec/archive.md, 7.4).
  ///
  /// Call it when an archive from an untrusted source has to be whole, or to tell damage from a bug. Reading objects
  /// does not need it: each is checked when it is opened. ``verdict()`` also says whether the archive is what a writer
  /// makes of its values, which takes several times as long.
  ///
  /// - Throws: `ArchiveError` for what contradicts the format.
  /// - Complexity: In proportion to the size of the archive, without making a value.
  public func verify() throws(ArchiveError) { _ = try storage.checkForDamage() }

  /// Reads every byte and says whether the archive is what a writer makes of its values
  /// (Spec/archive.md, 7.5).
  ///
  /// - Returns: The verdict, which does not depend on the order of the objects: the writer chooses it.
  /// - Throws: `ArchiveError` for what contradicts the format and cannot be read.
  /// - Complexity: In proportion to the size of the archive, which is read once for damage and then rewritten
  ///   segment by segment. It goes through the objects in their order, and follows no reference.
  public func verdict() throws(ArchiveError) -> ArchiveVerdict {
    let hasUnknown = try storage.checkForDamage()
    if let difference = try differenceFromRewriting() { return .notCanonical(difference) }
    return hasUnknown ? .canonicalWithUnknownKinds : .canonical
  }

  /// The first place where the archive differs from what a writer makes of its values; nil when there is no difference.
  ///
  /// The archive was checked for damage. It is copied object by object, and each segment is released after its
  /// comparison: so a forged archive takes no more memory than one of its segments and its tables.
  private func differenceFromRewriting() throws(ArchiveError) -> ArchiveError? {
    do {
      return try difference(conditionalObjects)
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError(.sourceFailed, "\(error)")
    }
  }

  private func difference(_ conditionalObjects: [ArchiveObjectID?]) throws -> ArchiveError? {
    // The verdict does not judge the archive values: they are copied as they are.
    var writer = ArchiveWriter(values: valueEntries, limits: storage.limits)
    writer.conditionalObjects = conditionalObjects
    var copier = RecordCopier(barring: [])
    var cursor = try ObjectCursor(storage)
    var difference: ArchiveError?
    while let record = try cursor.next() {
      let object = cursor.lend(record)
      difference = try writer.differenceOfCopy(of: object, &copier)
      if difference != nil { return difference }
      let start = writer.handedOutByteCount
      try writer.handOutSegments { difference = try self.difference(from: $0, at: start) }
      if difference != nil { return difference }
    }
    try writer.complete(root: rootID)
    let start = writer.handedOutByteCount
    try writer.handOutAll { bytes in
      difference = try self.difference(from: bytes, at: start)
      if difference == nil, start + bytes.count != byteCount {
        difference = .nonCanonical(at: start + bytes.count)
      }
    }
    return difference
  }

  /// The first difference of the archive from bytes that a writer writes at an offset.
  private func difference(
    from bytes: Span<UInt8>, at offset: Int
  ) throws(ArchiveError) -> ArchiveError? {
    // The comparison starts behind the archive values, which were copied. A reader ignores the minor version in the
    // header.
    let first = max(storage.valuesEnd - offset, 0)
    let count = min(bytes.count, byteCount - offset)
    if first < count {
      let place = try storage.firstDifference(
        from: bytes.extracting(first..<count), at: offset + first)
      if let place { return .nonCanonical(at: place) }
    }
    return count < bytes.count ? .nonCanonical(at: byteCount) : nil
  }
}

extension ArchiveWriter {
  /// Writes a stored object as the next one, and returns the first difference between the two records.
  fileprivate mutating func differenceOfCopy(
    of object: borrowing ObjectDecoder, _ copier: inout RecordCopier
  ) throws(ArchiveError) -> ArchiveError? {
    do {
      let plan = try copier.copyPlan(of: object)
      let copy = try beginObject(typeName: plan.typeName, schemaVersion: plan.schemaVersion)
      try encoder.encode(plan, of: object, &copier)
      try endObject(copy)
    } catch {
      throw error.inObject(object.objectID)
    }
    return firstDifference(from: object.view).map {
      .nonCanonical(at: $0).inObject(object.objectID)
    }
  }
}

extension ArchiveError {
  fileprivate static func nonCanonical(at offset: Int) -> ArchiveError {
    ArchiveError(.nonCanonical, "a writer writes the same values in other bytes", offset: offset)
  }
}
