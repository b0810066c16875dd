import KeepsakeArchive

// Samples of stored values, which KeepsakeTesting reads.
extension SealedValue {
  package static func archive(
    at path: String, with key: SealedValueKey
  ) throws(KeepsakeError) -> [UInt8] {
    try read(path, with: key)
  }

  /// The keys of a stored value that its type does not know, when it is read as a store reads it.
  package static func unknownKeys<Value: Codable>(
    in archive: [UInt8], as type: Value.Type, completedBy defaultValue: Value?,
    migrations: [ValueMigration]
  ) throws(KeepsakeError) -> UnknownKeyReport {
    let stored = StoredValue(
      archive: archive, path: "the sample", migrations: migrations, limits: readingLimits)
    return try stored.value(as: type, completedBy: defaultValue).kept.report
  }
}
