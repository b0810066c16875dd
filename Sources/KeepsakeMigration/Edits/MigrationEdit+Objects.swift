public import KeepsakeArchive
import KeepsakeDocuments

// Moving keys of an object into a new object, and back. Both are edits of the whole document.

extension MigrationEdit {
  /// Moves some keys of each object of a type into a new object, and stores a reference to it under a key.
  ///
  /// All keys are unscoped, and an object that has none of them is not split. It is an error when another value has the
  /// key of the reference. The name of the new type must not be empty. The changed and new objects are kept in memory
  /// until the archive is written.
  public static func splitKeys(
    _ keys: [ArchiveKey], intoObjectOfType newTypeName: String, under key: ArchiveKey,
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "split keys \(list(keys)) of \(typeName) off into a \(newTypeName) under \(key)",
      .document { document in
        for id in try document.objectIDs(ofType: typeName) {
          var record = try document.object(id)
          let found = try at(id) { () throws(ArchiveError) in try record.removeFields(keys) }
          guard let taken = found else { continue }
          let part = try document.insert(
            DynamicRecord(typeName: newTypeName, fields: taken.fields))
          try at(id) { () throws(ArchiveError) in
            try record.insert([.init(key: key, value: .reference(part))], at: taken.index)
          }
          try document.replaceObject(id, with: record)
        }
      }, .keys)
  }

  /// Merges each object of a type with the object that it refers to under an unscoped key.
  ///
  /// The keys of that other object replace the reference, and the object is removed; its template is lost. An empty
  /// reference is removed. It is an error when another value is stored, further references lead to the object, or a
  /// key is taken. The changed objects are kept in memory until the archive is written.
  public static func mergeObject(
    under key: ArchiveKey, ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "merge the object under \(key) into \(typeName)",
      .document { document in
        let counts = try document.referenceCounts()
        for id in try document.objectIDs(ofType: typeName) where document.contains(id) {
          var record = try document.object(id)
          let found = try at(id) { () throws(ArchiveError) in try record.removeFields([key]) }
          guard let taken = found, let field = taken.fields.first else { continue }
          let reference = try at(id) { () throws(ArchiveError) in
            try target(of: field.value, under: key)
          }
          if let part = try reference.flatMap(document.resolve) {
            let fields = try document.object(part).fields.filter { !$0.key.isReserved }
            try at(id) { () throws(ArchiveError) in
              guard counts[part] == 1, part != id, part != document.rootID else {
                throw ArchiveError.edit(
                  "something else refers to object \(part) too", key: "\(key)")
              }
              try record.insert(fields, at: taken.index)
            }
            try document.remove(part)
          }
          try document.replaceObject(id, with: record)
        }
      }, .keys)
  }

  /// The object that a value refers to; nil for an empty reference or a nil.
  private static func target(
    of value: DynamicValue, under key: ArchiveKey
  ) throws(ArchiveError) -> ArchiveObjectID? {
    switch value {
    case .null: nil
    case .reference(let id): id
    default:
      throw ArchiveError.edit(
        "the key has a value of type \(value.typeDescription), not a reference", key: "\(key)")
    }
  }

  /// Adds the object to the errors of `body`.
  private static func at<T>(
    _ id: ArchiveObjectID, _ body: () throws(ArchiveError) -> T
  ) throws(ArchiveError) -> T {
    do throws(ArchiveError) {
      return try body()
    } catch {
      throw error.inObject(id)
    }
  }
}
