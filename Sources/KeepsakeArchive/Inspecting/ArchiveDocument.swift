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
///   try document.update(id) { contact in try contact.renameKey("nm", to: "name") }
/// }
/// let edited = try document.encoded()
/// ```
public struct ArchiveDocument: Sendable {
  /// The archive that the document was made of.
  let base: Archive?
  /// What the archive's own record holds, in its order, with values that this version does not know.
  private let storedFields: [ArchivedRecord.Field]
  /// The objects of conditional references that were made since the archive was opened.
  private var addedConditionals: [ArchiveObjectID] = []
  /// The objects that were changed or inserted.
  var changed: [UInt32: ArchivedRecord] = [:]
  /// The objects that were removed, each with the one that took its place or 0 for none.
  var removed: [UInt32: Replacement] = [:]
  /// The number of the last object; those of the archive come first.
  var lastNumber: UInt32

  /// What references to a removed object become.
  enum Replacement {
    case error
    case none
    case object(UInt32)
  }

  /// What the archive says about its own making.
  public var reserved: ReservedValues
  /// The object to start from when reading, or nil while there is none.
  public var rootID: ArchiveObjectID?

  /// Makes a document without objects.
  ///
  /// - Parameter reserved: What the archive is to say about its own making.
  public init(reserved: ReservedValues = ReservedValues()) {
    base = nil
    storedFields = []
    lastNumber = 0
    self.reserved = reserved
  }

  /// Makes a document of an archive; no object is read yet.
  ///
  /// - Parameter archive: The archive.
  /// - Throws: ``ArchiveError`` when the archive's own record contradicts the format.
  public init(_ archive: Archive) throws(ArchiveError) {
    base = archive
    reserved = archive.reserved
    rootID = archive.rootID
    lastNumber = UInt32(archive.objectCount)
    storedFields = try ObjectDecoder(archive.storage, record: 0).dynamicRecord().fields
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
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format.
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
  /// - Throws: ``ArchiveError`` when there is no such object, or stored bytes contradict the format.
  public func typeName(of id: ArchiveObjectID) throws(ArchiveError) -> String {
    try require(id)
    if let record = changed[id.rawValue] { return record.typeName }
    return try stored(id).typeName
  }

  /// Reads an object as it is now.
  ///
  /// - Parameter id: The object.
  /// - Returns: Its type and its values.
  /// - Throws: ``ArchiveError`` when there is no such object, or stored bytes contradict the format.
  public func object(_ id: ArchiveObjectID) throws(ArchiveError) -> ArchivedRecord {
    try require(id)
    if let record = changed[id.rawValue] { return record }
    return try stored(id).dynamicRecord()
  }

  /// The object that a reference leads to, also after objects were replaced by others.
  ///
  /// - Parameter id: What a reference of an object of this document holds.
  /// - Returns: The id of an object, or nil when references to it have become references to none.
  /// - Throws: ``ArchiveError`` with `noSuchObject` when there is no such object.
  public func resolve(_ id: ArchiveObjectID) throws(ArchiveError) -> ArchiveObjectID? {
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

  /// Whether an object is none of the archive's.
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

// MARK: - The archive's own record

extension ArchiveDocument {
  /// The values of the archive's own record as it is written: each in the place that it had, and what
  /// is new in the order of Spec/archive.md, 4.6.
  var ownFields: [ArchivedRecord.Field] {
    let known = reserved.fields
    let isKnown = { (field: ArchivedRecord.Field) in
      field.scope.isEmpty && ReservedValues.keys.contains(field.key)
    }
    var fields = storedFields.compactMap { field in
      if !isKnown(field) { return field }
      let new = known.first { $0.key == field.key }
      return new == field ? field : new
    }
    for (index, field) in known.enumerated() where !fields.contains(where: { $0.key == field.key })
    {
      // Behind the last of those that come before it.
      let earlier = known[..<index].map(\.key)
      let last = fields.lastIndex { isKnown($0) && earlier.contains($0.key) }
      fields.insert(field, at: last.map { $0 + 1 } ?? 0)
    }
    return fields
  }
}

extension ReservedValues {
  /// The keys in the order in which their values are written.
  static let keys: [ArchiveKey] = [
    .bundleVersion, .userInterfaceIdiom, .timestamp, .systemVersion,
  ]

  /// The values that there are, under their keys and in their order.
  var fields: [ArchivedRecord.Field] {
    let values: [ArchivedValue?] = [
      bundleVersion.map { .string($0) },
      userInterfaceIdiom.map { .signed(Int64($0), bitWidth: 64) },
      timestamp.map { .date($0) }, systemVersion.map { .string($0) },
    ]
    return zip(Self.keys, values).compactMap { key, value in
      value.map { ArchivedRecord.Field(key: key, value: $0) }
    }
  }
}

// MARK: - Conditional references

extension ArchiveDocument {
  /// The objects that conditional references stand for, in the order of their numbers from 1; nil
  /// where the object is not part of the archive.
  ///
  /// - Throws: ``ArchiveError`` when the archive's list names an object that does not exist.
  public var conditionalObjects: [ArchiveObjectID?] {
    get throws(ArchiveError) { try (base?.conditionalObjects ?? []) + addedConditionals }
  }

  /// Makes a conditional reference, to be stored in an object of this document.
  ///
  /// Objects that are removed, or left out when the document is written, become none.
  ///
  /// - Parameter id: The object.
  /// - Returns: The number that stands for the object, the same for each call.
  /// - Throws: ``ArchiveError`` when there is no such object, or stored bytes contradict the format.
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
