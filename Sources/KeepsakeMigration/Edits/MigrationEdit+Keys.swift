public import KeepsakeArchive
public import KeepsakeDocuments

// Edits of the records of a type, or of the records at a path that begins there (Spec/migration.md, section 5).

extension MigrationEdit {
  /// Renames a key of a type's records, or of the records at a path that begins there.
  ///
  /// The scopes of the key are in order from the outermost. It is an error when a record already has a key of the new
  /// name.
  public static func renameKey(
    _ key: ArchiveKey, to newKey: ArchiveKey, inScope scope: [String] = [],
    at path: RecordPath = "", ofType typeName: String
  ) -> MigrationEdit {
    guard path == "" else {
      return editing("rename key \(name(key, scope)) to \(newKey)", path, typeName) {
        try $0.count(at: path, key, inScope: scope, madeBefore: newKey) {
          try $0.renameKey(key, to: newKey, inScope: scope)
        }
      }
    }
    return MigrationEdit(
      "rename key \(name(key, scope)) to \(newKey) in \(typeName)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.renameKey(key, to: newKey, inScope: scope)
          ? .change : $0.noEffect(of: key, inScope: scope, madeBefore: newKey)
      }, .keys)
  }

  /// Moves a key of a type's records to other scopes, in order from the outermost; without scopes it becomes unscoped.
  ///
  /// It is an error when the scopes that it moves to already have this key.
  public static func moveKey(
    _ key: ArchiveKey, fromScope scope: [String], toScope newScope: [String],
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "move key \(name(key, scope)) to \(name(key, newScope)) in \(typeName)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.renameKey(key, to: key, inScope: scope, toScope: newScope)
          ? .change : $0.noEffect(of: key, inScope: scope)
      }, .keys)
  }

  /// Removes a key with its value from a type's records, or from the records at a path that begins there.
  ///
  /// The scopes of the key are in order from the outermost.
  public static func removeKey(
    _ key: ArchiveKey, inScope scope: [String] = [], at path: RecordPath = "",
    ofType typeName: String
  ) -> MigrationEdit {
    guard path == "" else {
      return editing("remove key \(name(key, scope))", path, typeName) {
        try $0.count(at: path, key, inScope: scope) {
          $0.removeValue(forKey: key, inScope: scope) != nil
        }
      }
    }
    return MigrationEdit(
      "remove key \(name(key, scope)) of \(typeName)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.removeValue(forKey: key, inScope: scope) == nil
          ? $0.noEffect(of: key, inScope: scope) : .change
      }, .keys)
  }

  /// Converts the value of a key of a type's records, or of the records at a path that begins there.
  ///
  /// The scopes of the key are in order from the outermost. The closure gets the stored value, which may be
  /// `DynamicValue.null`. An error that it throws ends the migration, and the migration's error names it.
  public static func convertKey(
    _ key: ArchiveKey, inScope scope: [String] = [], at path: RecordPath = "",
    ofType typeName: String, _ convert: @escaping @Sendable (DynamicValue) throws -> DynamicValue
  ) -> MigrationEdit {
    guard path == "" else {
      return editing("convert key \(name(key, scope))", path, typeName) {
        try $0.count(at: path, key, inScope: scope) {
          try $0.convertValue(forKey: key, inScope: scope, convert)
        }
      }
    }
    return MigrationEdit(
      "convert key \(name(key, scope)) of \(typeName)",
      .records(ofType: ArchiveKey(typeName)) { record in
        var effect = Effect.none
        do {
          try record.convertValue(forKey: key, inScope: scope) { old in
            let new = try convert(old)
            effect = new == old ? .match : new.isContainer ? .nesting : .change
            return new
          }
        } catch {
          throw ArchiveError.edit("\(error)", key: name(key, scope))
        }
        return effect == .none ? try record.noEffect(of: key, inScope: scope) : effect
      }, .converting(key: key, scope: scope, convert))
  }

  /// Stores a value in those of a type's records, or of the records at a path that begins there, that lack a key.
  ///
  /// The scopes of the key are in order from the outermost. A stored nil counts as a value.
  public static func setDefault(
    _ value: DynamicValue, forKey key: ArchiveKey, inScope scope: [String] = [],
    at path: RecordPath = "", ofType typeName: String
  ) -> MigrationEdit {
    guard path == "" else {
      return editing("give key \(name(key, scope)) the default \(value)", path, typeName) {
        try $0.count(at: path, key, inScope: scope) {
          $0.setDefault(value, forKey: key, inScope: scope)
        }
      }
    }
    return MigrationEdit(
      "give key \(name(key, scope)) of \(typeName) the default \(value)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.checkSpelling(of: key, inScope: scope)
        return $0.setDefault(value, forKey: key, inScope: scope) ? .nesting : .match
      }, .defaulting(value, key: key, scope: scope))
  }

  /// Renames a type; the new name is not empty.
  public static func renameType(_ typeName: String, to newName: String) -> MigrationEdit {
    MigrationEdit(
      "rename type \(typeName) to \(newName)",
      .records(ofType: ArchiveKey(typeName)) { record in
        record.typeName = newName
        return newName == typeName ? .match : .change
      }, .keys)
  }

  static func name(_ key: ArchiveKey, _ scope: [String]) -> String {
    (scope + [key.description]).joined(separator: ".")
  }
}

// A key that differs from a stored one in its Unicode form alone is hardly meant to be absent (Spec/migration.md,
// section 5).

extension DynamicRecord {
  // The effect of an edit whose key is absent. A record may have `newKey`, which it has once the edit was made.
  func noEffect(
    of key: ArchiveKey, inScope scope: [String], madeBefore newKey: ArchiveKey? = nil
  ) throws(ArchiveError) -> MigrationEdit.Effect {
    try checkSpelling(of: key, inScope: scope, except: newKey)
    return .none
  }

  // Throws when a key is absent and stored in another Unicode form. `other` may be stored.
  func checkSpelling(
    of key: ArchiveKey, inScope scope: [String] = [], except other: ArchiveKey? = nil
  ) throws(ArchiveError) {
    if key.name.isASCII && scope.allSatisfy(\.isASCII) { return }
    guard self[key, inScope: scope] == nil else { return }
    // Strings compare equal in all Unicode forms, keys only with the same bytes.
    let stored = fields.first { field in
      field.scope == scope && field.key.name == key.name && field.key != other
        && field.key.isReserved == key.isReserved
    }
    guard let stored else { return }
    let names = [scope + [key.name], stored.scope + [stored.key.name]].map {
      $0.joined(separator: ".")
    }
    throw ArchiveError.otherSpelling(of: names[0], stored: names[1])
      .under(MigrationEdit.name(key, scope))
  }
}
