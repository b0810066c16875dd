public import KeepsakeArchive

// Keys out of an object into one of its own, and back. Both are edits of the whole document.

extension MigrationEdit {
  /// Splits some keys of each object of a type off into an object of its own.
  ///
  /// The objects that are changed and made are kept in memory until the archive is written.
  ///
  /// - Parameters:
  ///   - keys: The keys, all at the top; an object that has none of them is not split.
  ///   - newTypeName: The type name of the new objects; not empty.
  ///   - key: The key of the reference to the new object; that it is taken by another value is an
  ///     error.
  ///   - typeName: The type whose objects have the keys.
  /// - Returns: The edit.
  public static func splitKeys(
    _ keys: [ArchiveKey], intoObjectOfType newTypeName: String, under key: ArchiveKey,
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "split keys \(list(keys)) of \(typeName) off into a \(newTypeName) under \(key)",
      .document { document in
        for id in try document.objectIDs(ofType: typeName) {
          var record = try document.object(id)
          guard let taken = record.removeFields(keys) else { continue }
          let part = try document.insert(
            ArchivedRecord(typeName: newTypeName, fields: taken.fields))
          try at(id) { () throws(ArchiveError) in
            try record.insert([.init(key: key, value: .reference(part))], at: taken.index)
          }
          try document.replaceObject(id, with: record)
        }
      }, .keys)
  }

  /// Merges the object that each object of a type refers to under a key into it.
  ///
  /// The keys of the object take the place of the reference, and the object is removed; its
  /// template is lost. The objects that are changed are kept in memory until the archive is written.
  ///
  /// - Parameters:
  ///   - key: The key of the reference, at the top; one to none is removed. Any other value, an
  ///     object that something else refers to as well, or a key that is taken is an error.
  ///   - typeName: The type whose objects have the key.
  /// - Returns: The edit.
  public static func mergeObject(
    under key: ArchiveKey, ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "merge the object under \(key) into \(typeName)",
      .document { document in
        let counts = try document.referenceCounts()
        for id in try document.objectIDs(ofType: typeName) where document.contains(id) {
          var record = try document.object(id)
          guard let taken = record.removeFields([key]), let field = taken.fields.first else {
            continue
          }
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

  /// The object that a value refers to, or nil for none.
  private static func target(
    of value: ArchivedValue, under key: ArchiveKey
  ) throws(ArchiveError) -> ArchiveObjectID? {
    switch value {
    case .null: nil
    case .reference(let id): id
    default:
      throw ArchiveError.edit(
        "a value of type \(value.typeDescription) is stored and no reference", key: "\(key)")
    }
  }

  /// Names the object in what goes wrong with it.
  private static func at<T>(
    _ id: ArchiveObjectID, _ body: () throws(ArchiveError) -> T
  ) throws(ArchiveError) -> T {
    do throws(ArchiveError) {
      return try body()
    } catch {
      var error = error
      error.objectID = id
      throw error
    }
  }
}
