public import KeepsakeArchive

/// An archive that is edited without the types of its objects, and written again.
///
/// It reads an object of the archive when it is needed, and keeps only the objects that were changed: editing a few
/// objects of a large archive takes little memory. An object is a ``DynamicRecord``. Its references contain the ids of
/// other objects, which do not change until the archive is written again. Use it in tools, in a migration, or to make
/// an archive out of data whose keys are known only when the program runs.
///
/// ```swift
/// var document = try ArchiveDocument(Archive(bytes))
/// for id in try document.objectIDs(ofType: "Contact") {
///   try document.update(id) { contact in
///     try contact.renameKey("nm", to: "name")
///   }
/// }
/// let edited = try document.encoded()
/// ```
public struct ArchiveDocument: Sendable {
  /// The archive that the document was made of.
  package let base: Archive?
  /// The archive values that this version does not know, which are kept.
  private let unknownValues: [ArchiveValueEntry]
  /// The objects of conditional references that were made since the archive was opened.
  private var addedConditionals: [ArchiveObjectID] = []
  /// The objects that were changed or inserted.
  package internal(set) var changed: [UInt32: DynamicRecord] = [:]
  package internal(set) var removed: [UInt32: Replacement] = [:]
  /// The number of the last object; the objects of the archive have the first numbers.
  package internal(set) var lastNumber: UInt32

  /// The fate of references to a removed object.
  package enum Replacement: Sendable {
    case error
    case none
    case object(UInt32)
  }

  /// The facts that the archive states about itself: its writer, its date and the interface that it is for.
  public var reserved: ReservedValues
  /// The object to start from when reading; nil until it is set.
  public var rootID: ArchiveObjectID?

  /// Makes a document without objects.
  public init(reserved: ReservedValues = ReservedValues()) {
    base = nil
    unknownValues = []
    lastNumber = 0
    self.reserved = reserved
  }

  /// Makes a document of an archive; no object is read yet.
  ///
  /// - Throws: `ArchiveError` when the archive has more objects than a document can hold.
  public init(_ archive: Archive) throws(ArchiveError) {
    base = archive
    reserved = archive.reserved
    rootID = archive.rootID
    lastNumber = UInt32(archive.objectCount)
    unknownValues = archive.valueEntries.filter {
      ReservedValues.key(ofNumber: $0.number) == nil
    }
  }
}

extension ArchiveDocument {
  /// The number of objects.
  package var objectCount: Int { Int(lastNumber) - removed.count }

  /// The ids of all objects: those of the archive in its order, then those inserted.
  public var objectIDs: [ArchiveObjectID] {
    (0..<lastNumber).lazy.map { ArchiveObjectID($0 + 1) }.filter { removed[$0.rawValue] == nil }
  }

  /// The ids of the objects of one type, in the order of ``objectIDs``.
  ///
  /// - Throws: `ArchiveError` when stored bytes contradict the format.
  /// - Complexity: In proportion to the number of objects; their values are not read.
  public func objectIDs(ofType typeName: String) throws(ArchiveError) -> [ArchiveObjectID] {
    var ids: [ArchiveObjectID] = []
    for id in objectIDs where try self.typeName(of: id).hasSameBytes(as: typeName) {
      ids.append(id)
    }
    return ids
  }

  /// Whether an object has the id and was not removed.
  package func contains(_ id: ArchiveObjectID) -> Bool {
    id.rawValue >= 1 && id.rawValue <= lastNumber && removed[id.rawValue] == nil
  }

  /// The name of an object's type, without reading the object's values.
  package func typeName(of id: ArchiveObjectID) throws(ArchiveError) -> String {
    try require(id)
    if let record = changed[id.rawValue] { return record.typeName }
    return try stored(id).typeName
  }

  /// Reads an object as it is now.
  ///
  /// - Throws: `ArchiveError` when there is no such object, or stored bytes contradict the format.
  public func object(_ id: ArchiveObjectID) throws(ArchiveError) -> DynamicRecord {
    try require(id)
    if let record = changed[id.rawValue] { return record }
    return try stored(id).dynamicRecord()
  }

  /// The object that a reference leads to, also after objects were replaced; nil when references to it became empty.
  package func resolve(_ id: ArchiveObjectID) throws(ArchiveError) -> ArchiveObjectID? {
    var number = id.rawValue
    // A replacement is not removed when it is given, so the chain has no cycle.
    while let replacement = removed[number] {
      switch replacement {
      case .error: throw noSuchObject(id)
      case .none: return nil
      case .object(let other): number = other
      }
    }
    try require(ArchiveObjectID(number))
    return ArchiveObjectID(number)
  }

  /// True when an object was inserted, and is not in the archive.
  func isInserted(_ id: ArchiveObjectID) -> Bool { id.rawValue > base?.objectCount ?? 0 }

  func require(_ id: ArchiveObjectID) throws(ArchiveError) {
    guard contains(id) else { throw noSuchObject(id) }
  }

  func stored(_ id: ArchiveObjectID) throws(ArchiveError) -> ObjectDecoder {
    guard let base else { throw noSuchObject(id) }
    return try base.object(id)
  }

  private func noSuchObject(_ id: ArchiveObjectID) -> ArchiveError {
    ArchiveError(.noSuchObject, "the document has no object \(id)")
  }
}

// MARK: - Archive values

extension ArchiveDocument {
  /// The archive values as they are written, in the order of their numbers (Spec/archive.md, 3.2).
  package var archiveValues: [ArchiveValueEntry] {
    (unknownValues + reserved.entries).sorted { $0.number < $1.number }
  }
}

// MARK: - Conditional references

extension ArchiveDocument {
  /// The objects of conditional references, in the order of their numbers from 1; nil where the object is not part of
  /// the archive.
  ///
  /// - Throws: `ArchiveError` when the archive's list names an object that does not exist.
  public var conditionalObjects: [ArchiveObjectID?] {
    get throws(ArchiveError) { try (base?.conditionalObjects ?? []) + addedConditionals }
  }

  /// Makes a conditional reference, to be stored in an object of this document.
  ///
  /// The reference becomes empty when its object is removed, or left out when the document is written.
  ///
  /// - Returns: The reference, the same for each call.
  /// - Throws: `ArchiveError` when there is no such object, or stored bytes contradict the format.
  /// - Complexity: In proportion to the number of objects of conditional references.
  public mutating func conditionalReference(
    to id: ArchiveObjectID
  ) throws(ArchiveError) -> ArchiveConditionalReference {
    try require(id)
    let objects = try conditionalObjects
    if let index = objects.firstIndex(of: id) {
      return ArchiveConditionalReference(UInt32(index + 1))
    }
    addedConditionals.append(id)
    return ArchiveConditionalReference(UInt32(objects.count + 1))
  }
}

extension ArchiveDocument {
  /// Adds an object, whose type must have a name, and returns its id in this document.
  ///
  /// - Throws: `ArchiveError` with `limitExceeded` when there are 4,294,967,294 objects.
  public mutating func insert(_ record: DynamicRecord) throws(ArchiveError) -> ArchiveObjectID {
    guard lastNumber < .max - 1 else {
      throw ArchiveError.tooManyObjects
    }
    lastNumber += 1
    changed[lastNumber] = record
    return ArchiveObjectID(lastNumber)
  }

  /// Adds objects as ``insert(_:)`` does, and gives them ids in their order.
  package mutating func insert(
    contentsOf records: consuming [DynamicRecord]
  ) throws(ArchiveError) {
    guard let count = UInt32(exactly: records.count), count < .max - lastNumber else {
      throw ArchiveError.tooManyObjects
    }
    changed.reserveCapacity(changed.count + records.count)
    lastNumber += count
    // A record that is taken off the end is moved, and its values are not retained once more.
    var number = lastNumber
    while let record = records.popLast() {
      changed[number] = consume record
      number -= 1
    }
  }

  /// Edits an object in place.
  ///
  /// - Throws: The error of `body`, and then the object is unchanged; `ArchiveError` when there is
  ///   no such object.
  public mutating func update(
    _ id: ArchiveObjectID, _ body: (inout DynamicRecord) throws -> Void
  ) throws {
    var record = try object(id)
    do {
      try body(&record)
    } catch let error as ArchiveError {
      throw error.inObject(id)
    }
    changed[id.rawValue] = record
  }

  /// Replaces the record of an object; references to the object stay valid.
  package mutating func replaceObject(
    _ id: ArchiveObjectID, with record: DynamicRecord
  ) throws(ArchiveError) {
    try require(id)
    changed[id.rawValue] = record
  }

  /// Removes an object that nothing refers to any more.
  ///
  /// A reference that is left over is an error when the document is written; to change them all,
  /// use ``remove(_:replacingReferencesWith:)``.
  ///
  /// - Throws: `ArchiveError` with `noSuchObject` when there is no such object.
  public mutating func remove(_ id: ArchiveObjectID) throws(ArchiveError) {
    try require(id)
    removed[id.rawValue] = .error
    changed[id.rawValue] = nil
  }

  /// Removes an object, and lets all references to it lead to another object, or to none.
  ///
  /// - Throws: `ArchiveError` with `noSuchObject` when there is no such object, or `other` does not
  ///   exist or is the same.
  /// - Complexity: O(1); the references are changed when the document is written.
  public mutating func remove(
    _ id: ArchiveObjectID, replacingReferencesWith other: ArchiveObjectID?
  ) throws(ArchiveError) {
    try require(id)
    if let other {
      try require(other)
      guard other != id else {
        throw ArchiveError(.noSuchObject, "object \(id) cannot take its own place")
      }
    }
    removed[id.rawValue] = other.map { .object($0.rawValue) } ?? Replacement.none
    changed[id.rawValue] = nil
    if rootID == id { rootID = other }
  }
}

extension ArchiveDocument {
  /// Writes the document as an archive.
  ///
  /// The objects are renumbered; see ``ObjectOrder`` and Spec/archive.md, 4.4.
  ///
  /// - Throws: `ArchiveError` when there is no root, a reference leads to no object, an object
  ///   cannot be stored as it is, or stored bytes contradict the format.
  /// - Complexity: In proportion to the size of the archive. Beside the archive it takes eight bytes
  ///   for each object.
  public func encoded(
    order: ObjectOrder = .firstReference, limits: ArchiveLimits = .init()
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
  /// No object is kept after it was written, so any number of them can be changed in bounded memory. The closure is
  /// called once for each object that is written, in the order of writing, with the object's id in this document. An
  /// order by references uses the references that the closure returns.
  package func encoded(
    order: ObjectOrder = .firstReference, limits: ArchiveLimits = .init(),
    changingEach body: (ArchiveObjectID, inout DynamicRecord) throws -> Void
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

  /// Reads an object and counts its bytes.
  ///
  /// All objects together are larger than the archive only if a directory claims bytes twice (Spec/archive.md, 2.3).
  private func read(
    _ id: ArchiveObjectID, counting byteCount: inout Int
  ) throws(ArchiveError) -> DynamicRecord {
    if let record = changed[id.rawValue] { return record }
    let decoder = try stored(id)
    byteCount += decoder.byteCount
    guard byteCount <= base?.byteCount ?? 0 else {
      throw ArchiveError(.damaged, "records overlap", offset: decoder.start)
    }
    return try decoder.dynamicRecord()
  }
}

extension ArchiveWriter {
  package mutating func write(_ record: DynamicRecord) throws {
    try writeObject(
      nextObjectID, typeName: record.typeName, schemaVersion: record.schemaVersion
    ) { coder in
      let list = record.fields
      let fields = list.span
      for index in fields.indices where fields[index].key.isReserved {
        try requireWritable(fields[index])
      }
      coder.encode(record, reserved: .written)
    }
  }
}

/// Checks that a reserved key is not one of the archive's own (Spec/archive.md, 3.2).
private func requireWritable(_ field: DynamicRecord.Field) throws(ArchiveError) {
  switch field.key {
  case .bundleVersion, .userInterfaceIdiom, .timestamp, .systemVersion:
    throw ArchiveError(.reservedKey, "the key \"\(field.key.name)\" is the archive's own")
      .under(field.name)
  default: break
  }
}
