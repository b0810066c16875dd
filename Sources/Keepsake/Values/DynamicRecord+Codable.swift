public import KeepsakeArchive
public import KeepsakeDocuments
public import KeepsakeMigration

// Edits of stored values by Codable types, for steps of migrations.

extension DynamicRecord {
  /// Converts the value of a key from one `Codable` type to another, in this record or in those at a path.
  ///
  /// ```swift
  /// try book.convertValue(
  ///   forKey: "goal", at: "habits[]", from: Int.self
  /// ) { Double($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - key: The unscoped key.
  ///   - path: The path to the records; empty for this one.
  ///   - former: The former type of the value. A nil stays one, unless the type is an optional.
  ///   - convert: Makes the new value.
  /// - Returns: The number of records that have the key.
  /// - Throws: The error of `convert`, `DecodingError` for a value of another type, and `ArchiveError` as
  ///   `updateRecords(at:_:)` does.
  @discardableResult
  public mutating func convertValue<Former: Decodable, New: Encodable>(
    forKey key: ArchiveKey, at path: RecordPath = "", from former: Former.Type,
    _ convert: (Former) throws -> New
  ) throws -> Int {
    try convertValue(forKey: key, at: path) { try $0.converted(from: former, convert) }
  }

  /// Stores a `Codable` value under a key in those records at a path that lack the key.
  ///
  /// ```swift
  /// try book.setDefault(7, forKey: "goal", at: "habits[]")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The unscoped key; a stored nil counts as a value.
  ///   - path: The path to the records; empty for this one.
  /// - Returns: The number of records that lacked the key.
  /// - Throws: `EncodingError` for a value that cannot be stored, and `ArchiveError` as `updateRecords(at:_:)` does.
  @discardableResult
  public mutating func setDefault(
    _ value: some Encodable, forKey key: ArchiveKey, at path: RecordPath = ""
  ) throws -> Int {
    try setDefault(
      StoredValue.content(of: value, SealedValue.readingLimits), forKey: key, at: path)
  }
}

extension DynamicValue {
  /// The value that a closure makes of this one, from one `Codable` type to another.
  func converted<Former: Decodable, New: Encodable>(
    from former: Former.Type, _ convert: (Former) throws -> New
  ) throws -> DynamicValue {
    if case .null = self, !(former is any ExpressibleByNilLiteral.Type) { return .null }
    return try StoredValue.converted(self, from: former, SealedValue.readingLimits, convert).value
  }
}
