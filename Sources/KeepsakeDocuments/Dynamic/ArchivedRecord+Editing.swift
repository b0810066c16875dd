public import KeepsakeArchive

// Edits of one record. A field that is changed stays in its place among the others, and one that is
// added comes last: references are numbered in this order (Spec/archive.md, 4.4).

extension ArchivedRecord {
  /// The value under a key, or nil when the key is absent; setting nil removes the key.
  ///
  /// A stored nil is ``ArchivedValue/null`` and not an absent value.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  public subscript(key: ArchiveKey, inScope scope: [String] = []) -> ArchivedValue? {
    get { index(of: key, inScope: scope).map { fields[$0].value } }
    set {
      guard let newValue else {
        removeValue(forKey: key, inScope: scope)
        return
      }
      if let index = index(of: key, inScope: scope) {
        put(newValue, at: index)
      } else {
        add(Field(scope: scope, key: key, value: newValue))
      }
    }
  }

  /// The name of the template that the object was made from, stored under the reserved key
  /// `ArchiveKey.template`; nil without a template.
  public var template: String? {
    get { if case .string(let name)? = self[.template] { name } else { nil } }
    set { self[.template] = newValue.map { .string($0) } }
  }

  /// Removes a key with its value.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  /// - Returns: The value that was there, or nil when the key is absent.
  @discardableResult
  public mutating func removeValue(
    forKey key: ArchiveKey, inScope scope: [String] = []
  ) -> ArchivedValue? {
    index(of: key, inScope: scope).map { fields.remove(at: $0).value }
  }

  /// Gives a value another key of the same scope.
  ///
  /// - Parameters:
  ///   - key: The key that the value is under.
  ///   - newKey: The key that it is to be under.
  ///   - scope: The scopes that both are declared in, from the outermost.
  /// - Returns: Whether there was a value under the key.
  /// - Throws: `ArchiveError` with `duplicateKey` when the new key is taken, and then nothing is
  ///   changed.
  @discardableResult
  public mutating func renameKey(
    _ key: ArchiveKey, to newKey: ArchiveKey, inScope scope: [String] = []
  ) throws(ArchiveError) -> Bool {
    try move(key, inScope: scope, to: newKey, inScope: scope)
  }

  /// Moves a value with its key to other scopes.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scope: The scopes that the key is declared in, from the outermost; empty for the top.
  ///   - newScope: The scopes that it is to be declared in; empty for the top.
  /// - Returns: Whether there was a value under the key.
  /// - Throws: `ArchiveError` with `duplicateKey` when the key is taken there, and then nothing is
  ///   changed.
  @discardableResult
  public mutating func moveKey(
    _ key: ArchiveKey, fromScope scope: [String], toScope newScope: [String]
  ) throws(ArchiveError) -> Bool {
    try move(key, inScope: scope, to: key, inScope: newScope)
  }

  /// Puts what a closure makes of a value in its place.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  ///   - convert: Makes the new value of the stored one, which may be ``ArchivedValue/null``.
  /// - Returns: Whether there was a value under the key.
  /// - Throws: The error of `convert`, and then nothing is changed.
  @discardableResult
  public mutating func convertValue(
    forKey key: ArchiveKey, inScope scope: [String] = [],
    _ convert: (ArchivedValue) throws -> ArchivedValue
  ) rethrows -> Bool {
    guard let index = index(of: key, inScope: scope) else { return false }
    put(try convert(fields[index].value), at: index)
    return true
  }

  /// Stores a value under an absent key.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  ///   - scope: The scopes that the key is declared in, from the outermost.
  /// - Returns: Whether the key was absent; a stored nil counts as a value.
  @discardableResult
  public mutating func setDefault(
    _ value: ArchivedValue, forKey key: ArchiveKey, inScope scope: [String] = []
  ) -> Bool {
    guard index(of: key, inScope: scope) == nil else { return false }
    add(Field(scope: scope, key: key, value: value))
    return true
  }

  /// Adds a field after the others; the template comes before them (Spec/archive.md, 4.3).
  private mutating func add(_ field: Field) {
    fields.insert(field, at: field.isTemplate ? 0 : fields.count)
  }

  /// Where a key is among the fields.
  func index(of key: ArchiveKey, inScope scope: [String]) -> Int? {
    // A span, so that no field is copied for being looked at.
    let span = fields.span
    for index in span.indices where span[index].key == key && span[index].hasScope(scope) {
      return index
    }
    return nil
  }

  private mutating func move(
    _ key: ArchiveKey, inScope scope: [String], to newKey: ArchiveKey, inScope newScope: [String]
  ) throws(ArchiveError) -> Bool {
    guard let index = index(of: key, inScope: scope) else { return false }
    if let other = self.index(of: newKey, inScope: newScope) {
      if other == index { return true }
      throw ArchiveError(.duplicateKey, "there is a value under this key already")
        .under(fields[other].name)
    }
    fields[index].key = newKey
    fields[index].scope = newScope
    if fields[index].isTemplate { fields.insert(fields.remove(at: index), at: 0) }
    return true
  }

  /// Puts a value in the place of another; it stays optional while it is declared as before.
  private mutating func put(_ value: ArchivedValue, at index: Int) {
    if let tag = fields[index].optionalTag, value != .null, value.storedTag != tag {
      fields[index].optionalTag = value.storedTag
    }
    // A nil that is stored is no value that was left out.
    if value == .null { fields[index].omitsNil = false }
    fields[index].value = value
  }
}

extension ArchivedRecord.Field {
  fileprivate var isTemplate: Bool { key == .template && scope.isEmpty }
}
