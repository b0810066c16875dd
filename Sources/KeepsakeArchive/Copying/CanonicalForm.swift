// The canonical form (Spec/archive.md, 7.5). The format leaves a writer no choice, so the archive is written anew
// and the bytes are compared.

extension ArchiveStorage {
  /// The first place where the archive is not as a writer writes the same values; nil when all is.
  ///
  /// The archive was checked for damage. It is copied object by object, and each segment is given up once it was
  /// compared: so a forged archive takes no more memory than one of its segments and its tables.
  func differenceFromRewriting(
    _ conditionalObjects: [ArchiveObjectID?], root: ArchiveObjectID
  ) throws(ArchiveError) -> ArchiveError? {
    do {
      return try difference(conditionalObjects, root: root)
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError(.sourceFailed, "\(error)")
    }
  }

  private func difference(
    _ conditionalObjects: [ArchiveObjectID?], root: ArchiveObjectID
  ) throws -> ArchiveError? {
    // The verdict does not judge the archive values: they are taken over as they are.
    let entries = index.values.map { row in
      ArchiveValueEntry(number: row.number, tag: row.tag, bytes: values.view.copy(row.range))
    }
    var writer = ArchiveWriter(values: entries, limits: limits)
    writer.conditionalObjects = conditionalObjects
    var copier = RecordCopier(barring: [])
    var cursor = try ObjectCursor(self)
    var difference: ArchiveError?
    while let record = try cursor.next() {
      let object = cursor.lend(record)
      difference = try writer.differenceOfCopy(of: object, &copier)
      if difference != nil { return difference }
      let start = writer.handedOutByteCount
      try writer.handOutSegments { difference = try self.difference(from: $0, at: start) }
      if difference != nil { return difference }
    }
    try writer.complete(root: root)
    let start = writer.handedOutByteCount
    try writer.handOutAll { bytes in
      difference = try self.difference(from: bytes, at: start)
      if difference == nil, start + bytes.count != frame.byteCount {
        difference = .nonCanonical(at: start + bytes.count)
      }
    }
    return difference
  }

  /// The first difference of the archive from bytes that a writer writes at an offset.
  private func difference(
    from bytes: Span<UInt8>, at offset: Int
  ) throws(ArchiveError) -> ArchiveError? {
    // A reader ignores the minor version in the header, and the values after it are the same.
    let first = max(frame.valuesEnd - offset, 0)
    let count = min(bytes.count, frame.byteCount - offset)
    if first < count {
      let range = offset + first..<offset + count
      let stored = try part(range)
      let place = withExtendedLifetime(stored) {
        stored.view.firstDifference(from: bytes.extracting(first..<count), at: offset + first)
      }
      if let place { return .nonCanonical(at: place) }
    }
    return count < bytes.count ? .nonCanonical(at: frame.byteCount) : nil
  }
}

extension ArchiveWriter {
  /// Writes a stored object as the next one, and returns the first difference between the two records.
  fileprivate mutating func differenceOfCopy(
    of object: borrowing ObjectDecoder, _ copier: inout RecordCopier
  ) throws(ArchiveError) -> ArchiveError? {
    do {
      let plan = try copier.copyPlan(of: object)
      let record = try beginObject(typeName: plan.typeName, schemaVersion: plan.schemaVersion)
      try encoder.encode(plan, of: object, &copier)
      try endRecord(record)
    } catch {
      throw error.inObject(object.objectID)
    }
    let written = encoder.bytes.span(
      encoder.bytes.count - lastObjectByteCount..<encoder.bytes.count)
    let count = min(written.count, object.byteCount)
    var place = object.view.firstDifference(from: written.extracting(0..<count), at: object.start)
    if place == nil, written.count != object.byteCount { place = object.start + count }
    return place.map { .nonCanonical(at: $0).inObject(object.objectID) }
  }
}

extension ArchiveError {
  fileprivate static func nonCanonical(at offset: Int) -> ArchiveError {
    ArchiveError(.nonCanonical, "a writer writes the same values in other bytes", offset: offset)
  }
}
