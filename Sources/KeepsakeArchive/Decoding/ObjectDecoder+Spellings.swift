// Names that differ in their Unicode form alone. The bytes decide (Spec/archive.md, 1), but a name that looks
// like a stored one is hardly meant to be absent: so a look-up that misses says so (6.4).

extension ObjectDecoder {
  /// Checks of a key that was not found that none differs from it in its Unicode form alone.
  @inline(never)
  @usableFromInline
  package func checkSpelling(of key: ArchiveKey) throws(ArchiveError) {
    if let error = otherSpellingError(key) { throw located(error, key) }
  }

  /// The error of a key that was not found, if one differs from it in its Unicode form alone.
  func otherSpellingError(_ key: ArchiveKey) -> ArchiveError? {
    if key.isReserved { return nil }
    let names: (asked: String, stored: String)
    if scope == -2 {
      guard let scopes = otherSpellingOfScopes() else { return nil }
      names = scopes
    } else if let stored = otherSpelling(of: key.name) {
      names = (key.name, stored)
    } else {
      return nil
    }
    var error = ArchiveError(
      .absentKey,
      "there is no \(scope == -2 ? "scope" : "value under") \(names.asked.spelledOut), but one "
        + "\(scope == -2 ? "named" : "under") \(names.stored.spelledOut), the same name in another "
        + "Unicode form", offset: offset)
    error.isOtherSpelling = true
    return error
  }

  /// The key of this scope that differs from a name in its Unicode form alone; nil for a name that is ASCII, and
  /// for one that has a slot.
  func otherSpelling(of name: String) -> String? {
    if name.isASCII || slot(of: ArchiveKey(name)) != nil { return nil }
    for index in 0..<shape.slots.count where shape.slots[index].scope == scope {
      let row = shape.slots[index]
      let stored: String? = storage.with { storage in
        let key = storage.tables.keys[Int(row.key)]
        return key.space == .user && key.name == name ? key.name : nil
      }
      if let stored, !isAbsent(row) { return stored }
    }
    return nil
  }

  /// The scopes that this one was to be found in, where the record has others that differ in their form alone.
  private func otherSpellingOfScopes() -> (asked: String, stored: String)? {
    let asked = path
    if asked.allSatisfy({ $0.isASCII }) { return nil }
    for index in 0..<shape.slots.count where !isAbsent(shape.slots[index]) {
      var names: [String] = []
      storage.with { storage in
        var entry = Int(shape.slots[index].scope)
        while entry >= 0 {
          names.append(storage.tables.keys[entry].name)
          entry = storage.tables.keys[entry].scope
        }
      }
      names.reverse()
      if names.count >= asked.count, Array(names.prefix(asked.count)) == asked {
        let stored = names.prefix(asked.count).joined(separator: ".")
        return (asked.joined(separator: "."), stored)
      }
    }
    return nil
  }
}

extension StoredRecord {
  /// The key at the top of the record that differs from a name in its Unicode form alone; nil for a name that is
  /// ASCII.
  package func otherSpelling(of name: String) -> String? { lend { $0.otherSpelling(of: name) } }
}

extension String {
  /// Whether no character is other than ASCII.
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
