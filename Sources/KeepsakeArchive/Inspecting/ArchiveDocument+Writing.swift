extension ArchiveDocument {
  /// Writes the document as an archive.
  ///
  /// The root becomes object 1; each other object gets the next number when it is first referred to,
  /// going through the objects in the order of their numbers and their values in key order
  /// (Spec/archive.md, 4.5). So the bytes depend on nothing but what the document holds.
  ///
  /// - Parameters:
  ///   - unreferencedObjects: What becomes of objects that cannot be reached from the root.
  ///   - limits: How large the archive and its parts may become.
  /// - Returns: The bytes of the archive.
  /// - Throws: ``ArchiveError`` when there is no root, a reference leads to no object, an object
  ///   cannot be stored as it is, or stored bytes contradict the format.
  /// - Complexity: In proportion to the size of the archive. Beside the archive it takes eight bytes
  ///   for each object.
  public func encoded(
    unreferencedObjects: UnreferencedObjects = .kept, limits: ArchiveLimits = .default
  ) throws(ArchiveError) -> [UInt8] {
    do {
      return try encoded(unreferencedObjects: unreferencedObjects, limits: limits) { _, _ in }
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
  ///   - unreferencedObjects: What becomes of objects that cannot be reached from the root; an
  ///     object that the closure removed the last reference to is one of them.
  ///   - limits: How large the archive and its parts may become.
  ///   - body: Gets the id of each object in this document, and its record to change; called once
  ///     for each object that is written, in the order in which they are written.
  /// - Returns: The bytes of the archive.
  /// - Throws: What `body` throws; ``ArchiveError`` as ``encoded(unreferencedObjects:limits:)`` does.
  public func encoded(
    unreferencedObjects: UnreferencedObjects = .kept, limits: ArchiveLimits = .default,
    changingEach body: (ArchiveObjectID, inout ArchivedRecord) throws -> Void
  ) throws -> [UInt8] {
    var numbering = ObjectNumbering(self)
    var writer = ArchiveWriter(reserved: reserved, unknown: unknownReserved, limits: limits)
    guard let rootID, let root = try resolve(rootID) else {
      throw ArchiveError(.noSuchObject, "the document has no root")
    }
    _ = try numbering.number(of: root)
    var storedByteCount = 0
    while let id = numbering.next(unreferencedObjects) {
      var record = try read(id, counting: &storedByteCount)
      do {
        try body(id, &record)
        try numbering.renumber(&record)
        try record.requireWritable()
      } catch let error as ArchiveError {
        throw error.inObject(id)
      }
      try writer.writeObject(
        writer.nextObjectID, typeName: record.typeName, schemaVersion: record.schemaVersion
      ) { coder in
        for field in record.fields { coder.encode(field) }
      }
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }

  /// Reads an object; all of them together cannot be larger than the archive, unless a directory
  /// claims bytes twice (Spec/archive.md, 2.5).
  private func read(
    _ id: ArchiveObjectID, counting byteCount: inout Int
  ) throws(ArchiveError) -> ArchivedRecord {
    if let record = changed[id.rawValue] { return record }
    let decoder = try stored(id)
    byteCount += decoder.byteCount
    guard byteCount <= base?.byteCount ?? 0 else {
      throw ArchiveError(.damaged, "records overlap", offset: decoder.offset).inObject(id)
    }
    return try decoder.dynamicRecord()
  }
}

/// The numbers that objects get in the order of first references, and those yet to be written.
private struct ObjectNumbering {
  private let document: ArchiveDocument
  /// The new number of each object, 0 for none yet.
  private var numbers: [UInt32]
  /// The objects in the order of their new numbers.
  private var queue: [UInt32] = []
  private var written = 0
  /// The objects before this one have a number.
  private var nextUnreferenced: UInt32 = 1

  init(_ document: ArchiveDocument) {
    self.document = document
    numbers = [UInt32](repeating: 0, count: Int(document.lastNumber) + 1)
  }

  mutating func number(of id: ArchiveObjectID) throws(ArchiveError) -> ArchiveObjectID? {
    guard let target = try document.resolve(id) else { return nil }
    let index = Int(target.rawValue)
    if numbers[index] == 0 {
      queue.append(target.rawValue)
      numbers[index] = UInt32(queue.count)
    }
    return ArchiveObjectID(numbers[index])
  }

  mutating func renumber(_ record: inout ArchivedRecord) throws(ArchiveError) {
    guard record.holdsReferences else { return }
    record.sortFields()
    try record.mapReferences { (id) throws(ArchiveError) in try number(of: id) }
  }

  /// The object to be written next.
  mutating func next(_ unreferencedObjects: UnreferencedObjects) -> ArchiveObjectID? {
    if written == queue.count, unreferencedObjects == .kept { queueUnreferenced() }
    guard written < queue.count else { return nil }
    written += 1
    return ArchiveObjectID(queue[written - 1])
  }

  private mutating func queueUnreferenced() {
    while nextUnreferenced <= document.lastNumber {
      let number = nextUnreferenced
      nextUnreferenced += 1
      if numbers[Int(number)] == 0, document.contains(ArchiveObjectID(number)) {
        queue.append(number)
        numbers[Int(number)] = UInt32(queue.count)
        return
      }
    }
  }
}

extension ArchivedRecord {
  /// Checks what only an object's record can be wrong in: reserved keys that are the archive's own
  /// (Spec/archive.md, 4.6).
  fileprivate func requireWritable() throws(ArchiveError) {
    for field in fields where field.key.isReserved {
      switch field.key {
      case .bundleVersion, .userInterfaceIdiom, .timestamp, .systemVersion:
        throw ArchiveError(.reservedKey, "the key \"\(field.key.name)\" is the archive's own")
          .under(field.name)
      default: break
      }
    }
  }
}
