public import KeepsakeArchive
public import KeepsakeDocuments

extension MigrationEdit {
  /// Renames a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - newKey: The new name; it is an error when the record already has a key of this name.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  ///   - typeName: The type whose records have the key.
  /// - Returns: The edit.
  public static func renameKey(
    _ key: ArchiveKey, to newKey: ArchiveKey, inScope scope: [String] = [],
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "rename key \(name(key, scope)) to \(newKey) in \(typeName)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.renameKey(key, to: newKey, inScope: scope)
          ? .change : $0.noEffect(of: key, inScope: scope, madeBefore: newKey)
      }, .keys)
  }

  /// Moves a key to other scopes.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scope: The scopes that it is declared in, from the outermost; empty for the top.
  ///   - newScope: The scopes that it moves to; it is an error when they already have this key.
  ///   - typeName: The type whose records have the key.
  /// - Returns: The edit.
  public static func moveKey(
    _ key: ArchiveKey, fromScope scope: [String], toScope newScope: [String],
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "move key \(name(key, scope)) to \(name(key, newScope)) in \(typeName)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.moveKey(key, fromScope: scope, toScope: newScope)
          ? .change : $0.noEffect(of: key, inScope: scope)
      }, .keys)
  }

  /// Removes a key with its value.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  ///   - typeName: The type whose records have the key.
  /// - Returns: The edit.
  public static func removeKey(
    _ key: ArchiveKey, inScope scope: [String] = [], ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "remove key \(name(key, scope)) of \(typeName)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.removeValue(forKey: key, inScope: scope) == nil
          ? $0.noEffect(of: key, inScope: scope) : .change
      }, .keys)
  }

  /// Converts the value of a key with a closure.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  ///   - typeName: The type whose records have the key.
  ///   - convert: Makes the new value from the stored one, which may be `DynamicValue.null`; an error that it throws
  ///     ends the migration, and the migration's error names it.
  /// - Returns: The edit.
  public static func convertKey(
    _ key: ArchiveKey, inScope scope: [String] = [], ofType typeName: String,
    _ convert: @escaping @Sendable (DynamicValue) throws -> DynamicValue
  ) -> MigrationEdit {
    MigrationEdit(
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

  /// Stores a value in records that lack the key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key; a stored nil counts as a value.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  ///   - typeName: The type whose records get the key.
  /// - Returns: The edit.
  public static func setDefault(
    _ value: DynamicValue, forKey key: ArchiveKey, inScope scope: [String] = [],
    ofType typeName: String
  ) -> MigrationEdit {
    MigrationEdit(
      "give key \(name(key, scope)) of \(typeName) the default \(value)",
      .records(ofType: ArchiveKey(typeName)) {
        try $0.checkSpelling(of: key, inScope: scope)
        return $0.setDefault(value, forKey: key, inScope: scope) ? .nesting : .match
      }, .defaulting(value, key: key, scope: scope))
  }

  /// Renames a type.
  ///
  /// - Parameters:
  ///   - typeName: The name.
  ///   - newName: The new name; not empty.
  /// - Returns: The edit.
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
