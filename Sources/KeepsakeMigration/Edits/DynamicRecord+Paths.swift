public import KeepsakeArchive
public import KeepsakeDocuments

// Edits of the records at a path in a record (Spec/migration.md, section 5).

extension DynamicRecord {
  /// Edits the records at a path, and returns their number.
  ///
  /// - Throws: `ArchiveError` for a text that is no path, for a key that is stored in another Unicode form, and where
  ///   another value than a record, or than an array or a dictionary before `[]`, is stored; the error of `body`. The
  ///   record may then be changed in part.
  @discardableResult
  public mutating func updateRecords(
    at path: RecordPath, _ body: (inout DynamicRecord) throws -> Void
  ) throws -> Int {
    try update(path.steps()[...], body)
  }

  /// Renames a key in no scope of the records at a path, and returns the number of records that have it.
  ///
  /// - Throws: `ArchiveError` with `duplicateKey` when a record has the new key already, and as
  ///   ``updateRecords(at:_:)`` does.
  @discardableResult
  public mutating func renameKey(
    _ key: ArchiveKey, to newKey: ArchiveKey, at path: RecordPath
  ) throws -> Int {
    try count(at: path, key, madeBefore: newKey) { try $0.renameKey(key, to: newKey) }
  }

  /// Removes a key in no scope with its value from the records at a path; returns the number of those that had it.
  ///
  /// - Throws: `ArchiveError` as ``updateRecords(at:_:)`` does.
  @discardableResult
  public mutating func removeValue(forKey key: ArchiveKey, at path: RecordPath) throws -> Int {
    try count(at: path, key) { $0.removeValue(forKey: key) != nil }
  }

  /// Stores a value in those records at a path that lack a key in no scope, and returns their number.
  ///
  /// A stored nil counts as a value.
  ///
  /// - Throws: `ArchiveError` as ``updateRecords(at:_:)`` does.
  @discardableResult
  public mutating func setDefault(
    _ value: DynamicValue, forKey key: ArchiveKey, at path: RecordPath
  ) throws -> Int {
    try count(at: path, key) { $0.setDefault(value, forKey: key) }
  }

  /// Converts the value of a key in no scope in the records at a path; returns the number of those that have the key.
  ///
  /// The closure gets the stored value, which may be `DynamicValue.null`.
  ///
  /// - Throws: The error of `convert`, and `ArchiveError` as ``updateRecords(at:_:)`` does.
  @discardableResult
  public mutating func convertValue(
    forKey key: ArchiveKey, at path: RecordPath,
    _ convert: (DynamicValue) throws -> DynamicValue
  ) throws -> Int {
    try count(at: path, key) { try $0.convertValue(forKey: key, convert) }
  }

  /// Edits the records at a path, and counts those for which the edit says that it applied.
  mutating func count(
    at path: RecordPath, _ key: ArchiveKey, inScope scope: [String] = [],
    madeBefore newKey: ArchiveKey? = nil,
    _ edit: (inout DynamicRecord) throws -> Bool
  ) throws -> Int {
    var count = 0
    try updateRecords(at: path) { record in
      try record.checkSpelling(of: key, inScope: scope, except: newKey)
      if try edit(&record) { count += 1 }
    }
    return count
  }

  fileprivate mutating func update(
    _ steps: ArraySlice<RecordPath.Step>, _ body: (inout DynamicRecord) throws -> Void
  ) throws -> Int {
    guard case .key(let key)? = steps.first else {
      try body(&self)
      return 1
    }
    let place = fields.firstIndex { $0.scope.isEmpty && $0.key == key }
    guard let index = place else {
      try checkSpelling(of: key)
      return 0
    }
    do {
      return try fields[index].value.update(steps.dropFirst(), body)
    } catch var error as ArchiveError {
      error.keyPath.insert("\(key)", at: 0)
      throw error
    }
  }
}

extension DynamicValue {
  fileprivate mutating func update(
    _ steps: ArraySlice<RecordPath.Step>, _ body: (inout DynamicRecord) throws -> Void
  ) throws -> Int {
    let whole = self
    if case .null = whole { return 0 }
    // While the payload is changed nothing else may hold it, or each change would copy it.
    self = .null
    guard case .elements? = steps.first else {
      guard case .record(var record) = whole else {
        throw ArchiveError(
          .invalidValue, "a \(whole.typeDescription) is stored on the path, and not a record")
      }
      defer { self = .record(record) }
      return try record.update(steps, body)
    }
    var count = 0
    switch whole {
    case .array(var elements):
      defer { self = .array(elements) }
      for index in elements.indices { count += try elements[index].update(steps.dropFirst(), body) }
    case .dictionary(var entries):
      defer { self = .dictionary(entries) }
      for index in entries.indices {
        count += try entries[index].value.update(steps.dropFirst(), body)
      }
    default:
      throw ArchiveError(
        .invalidValue,
        "a \(whole.typeDescription) is stored before [], and neither an array nor a dictionary")
    }
    return count
  }
}
