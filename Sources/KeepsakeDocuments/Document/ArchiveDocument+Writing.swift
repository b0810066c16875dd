public import KeepsakeArchive

extension ArchiveDocument {
  /// Writes the document as an archive.
  ///
  /// Numbers are given again; see ``ObjectOrder`` and Spec/archive.md, 4.4.
  ///
  /// - Parameters:
  ///   - order: The order of the objects.
  ///   - limits: How large the archive and its parts may become.
  /// - Returns: The bytes of the archive.
  /// - Throws: `ArchiveError` when there is no root, a reference leads to no object, an object
  ///   cannot be stored as it is, or stored bytes contradict the format.
  /// - Complexity: In proportion to the size of the archive. Beside the archive it takes eight bytes
  ///   for each object.
  public func encoded(
    order: ObjectOrder = .firstReference, limits: ArchiveLimits = .default
  ) throws(ArchiveError) -> [UInt8] {
    do {
      return try encoded(order: order, limits: limits) { _, _ in }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError(.invalidValue, "\(error)")
    }
  }

  /// Writes the document as an archive, and passes each object through a closure on the way.
  ///
  /// No object is kept after it was written, so any number of them can be changed in bounded memory.
  ///
  /// - Parameters:
  ///   - order: The order of the objects. If it is by references, those that the closure changes
  ///     count as it leaves them.
  ///   - limits: How large the archive and its parts may become.
  ///   - body: Gets the id of each object in this document, and its record to change; called once
  ///     for each object that is written, in the order in which they are written.
  /// - Returns: The bytes of the archive.
  /// - Throws: The error of `body`; `ArchiveError` as ``encoded(order:limits:)`` does.
  package func encoded(
    order: ObjectOrder = .firstReference, limits: ArchiveLimits = .default,
    changingEach body: (ArchiveObjectID, inout ArchivedRecord) throws -> Void
  ) throws -> [UInt8] {
    guard let rootID, let root = try resolve(rootID) else {
      throw ArchiveError(.noSuchObject, "the document has no root")
    }
    var numbering = try ObjectNumbering(self, order: order, root: root)
    var writer = ArchiveWriter(values: archiveValues, limits: limits)
    var storedByteCount = 0
    while let id = numbering.next() {
      do {
        var record = try read(id, counting: &storedByteCount)
        try body(id, &record)
        try numbering.renumber(&record, levels: limits.nestingDepth)
        try writer.write(record)
      } catch var error as ArchiveError {
        // The writer knows the object by its new number only.
        error.objectID = id
        throw error
      }
    }
    // The object of a conditional reference may have been left out (Spec/archive.md, 4.4).
    writer.conditionalObjects = try conditionalObjects.map { id in
      id.flatMap(numbering.writtenNumber)
    }
    return try writer.finish(root: numbering.root)
  }

  /// Reads an object; all of them together cannot be larger than the archive, unless a directory
  /// claims bytes twice (Spec/archive.md, 2.3).
  private func read(
    _ id: ArchiveObjectID, counting byteCount: inout Int
  ) throws(ArchiveError) -> ArchivedRecord {
    if let record = changed[id.rawValue] { return record }
    let decoder = try stored(id)
    byteCount += decoder.byteCount
    guard byteCount <= base?.byteCount ?? 0 else {
      throw ArchiveError(.damaged, "records overlap", offset: decoder.offset)
    }
    return try decoder.dynamicRecord()
  }
}

extension ArchiveWriter {
  /// Writes a record as the next object.
  mutating func write(_ record: ArchivedRecord) throws {
    try writeObject(
      nextObjectID, typeName: record.typeName, schemaVersion: record.schemaVersion
    ) { coder in
      let fields = record.fields.span
      for index in fields.indices where fields[index].key.isReserved {
        try requireWritable(fields[index])
      }
      coder.encode(record) { _ in true }
    }
  }
}

/// Checks that a reserved key is not one of the archive's own (Spec/archive.md, 3.2).
private func requireWritable(_ field: ArchivedRecord.Field) throws(ArchiveError) {
  switch field.key {
  case .bundleVersion, .userInterfaceIdiom, .timestamp, .systemVersion:
    throw ArchiveError(.reservedKey, "the key \"\(field.key.name)\" is the archive's own")
      .under(field.name)
  default: break
  }
}
