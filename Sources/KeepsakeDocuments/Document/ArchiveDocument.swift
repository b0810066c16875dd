public import KeepsakeArchive

/// An archive that is edited without the types of its objects, and written again.
///
/// It reads the archive that it was made of object by object when asked, and keeps only the objects
/// that were changed: editing a few objects of a large archive takes little memory. An object is an
/// ``ArchivedRecord``; references lead to others by their ids, which stay as they are until the
/// archive is written again. Use it in tools, in a migration, or to make an archive out of data
/// whose keys are known only when the program runs.
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
  let base: Archive?
  /// The archive values that this version does not know, which are kept.
  private let unknownValues: [ArchiveValueEntry]
  /// The objects of conditional references that were made since the archive was opened.
  private var addedConditionals: [ArchiveObjectID] = []
  /// The objects that were changed or inserted.
  var changed: [UInt32: ArchivedRecord] = [:]
  /// The objects that were removed, each with the one that took its place or 0 for none.
  var removed: [UInt32: Replacement] = [:]
  /// The number of the last object; those of the archive come first.
  var lastNumber: UInt32

  /// The fate of references to a removed object.
  enum Replacement {
    case error
    case none
    case object(UInt32)
  }

  /// The facts that the archive states about itself: its writer, its date and the interface that it is for.
  public var reserved: ReservedValues
  /// The object to start from when reading; nil until it is set.
  public var rootID: ArchiveObjectID?

  /// Makes a document without objects.
  ///
  /// - Parameter reserved: The facts that the archive is to state about itself.
  public init(reserved: ReservedValues = ReservedValues()) {
    base = nil
    unknownValues = []
    lastNumber = 0
    self.reserved = reserved
  }

  /// Makes a document of an archive; no object is read yet.
  ///
  /// - Parameter archive: The archive.
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
  public var objectCount: Int { Int(lastNumber) - removed.count }

  /// The ids of all objects: those of the archive in its order, then those inserted.
  public var objectIDs: [ArchiveObjectID] {
    (0..<lastNumber).lazy.map { ArchiveObjectID($0 + 1) }.filter { removed[$0.rawValue] == nil }
  }

  /// The ids of the objects of one type, in the order of ``objectIDs``.
  ///
  /// - Parameter typeName: The name of the type.
  /// - Returns: The ids.
  /// - Throws: `ArchiveError` when stored bytes contradict the format.
  /// - Complexity: In proportion to the number of objects; their values are not read.
  public func objectIDs(ofType typeName: String) throws(ArchiveError) -> [ArchiveObjectID] {
    var ids: [ArchiveObjectID] = []
    for id in objectIDs where try self.typeName(of: id).hasSameBytes(as: typeName) {
      ids.append(id)
    }
    return ids
  }

  /// Whether there is an object of an id.
  ///
  /// - Parameter id: The id.
  /// - Returns: False when there never was one, or it was removed.
  public func contains(_ id: ArchiveObjectID) -> Bool {
    id.rawValue >= 1 && id.rawValue <= lastNumber && removed[id.rawValue] == nil
  }

  /// The name of an object's type.
  ///
  /// - Parameter id: The object.
  /// - Returns: The name, without reading the object's values.
  /// - Throws: `ArchiveError` when there is no such object, or stored bytes contradict the format.
  public func typeName(of id: ArchiveObjectID) throws(ArchiveError) -> String {
    try require(id)
    if let record = changed[id.rawValue] { return record.typeName }
    return try stored(id).typeName
  }

  /// Reads an object as it is now.
  ///
  /// - Parameter id: The object.
  /// - Returns: Its type and its values.
  /// - Throws: `ArchiveError` when there is no such object, or stored bytes contradict the format.
  public func object(_ id: ArchiveObjectID) throws(ArchiveError) -> ArchivedRecord {
    try require(id)
    if let record = changed[id.rawValue] { return record }
    return try stored(id).dynamicRecord()
  }

  /// The object that a reference leads to, also after objects were replaced by others.
  ///
  /// - Parameter id: The target of a reference in an object of this document.
  /// - Returns: The id of an object, or nil when references to it have become references to none.
  /// - Throws: `ArchiveError` with `noSuchObject` when there is no such object.
  package func resolve(_ id: ArchiveObjectID) throws(ArchiveError) -> ArchiveObjectID? {
    var number = id.rawValue
    // An object is replaced by one that is not, so this comes to an end.
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
  var archiveValues: [ArchiveValueEntry] {
    (unknownValues + reserved.entries).sorted { $0.number < $1.number }
  }
}

// MARK: - Conditional references

extension ArchiveDocument {
  /// The objects that conditional references stand for, in the order of their numbers from 1; nil
  /// where the object is not part of the archive.
  ///
  /// - Throws: `ArchiveError` when the archive's list names an object that does not exist.
  public var conditionalObjects: [ArchiveObjectID?] {
    get throws(ArchiveError) { try (base?.conditionalObjects ?? []) + addedConditionals }
  }

  /// Makes a conditional reference, to be stored in an object of this document.
  ///
  /// Objects that are removed, or left out when the document is written, become none.
  ///
  /// - Parameter id: The object.
  /// - Returns: The number that stands for the object, the same for each call.
  /// - Throws: `ArchiveError` when there is no such object, or stored bytes contradict the format.
  /// - Complexity: In proportion to the number of objects that conditional references stand for.
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
