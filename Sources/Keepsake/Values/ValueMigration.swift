import KeepsakeArchive
import KeepsakeCodable
public import KeepsakeDocuments

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A step that carries a stored value from one version to the next, by the value's own keys or by its old type.
///
/// ```swift
/// ValueMigration("habits have names") { book in
///   try book.renameKey("title", to: "name", at: "habits[]")
///   book.removeValue(forKey: "legacy")
/// }
/// ValueMigration(from: BookV1.self) { BookV2($0) }
/// ```
public struct ValueMigration: Sendable {
  /// The purpose of the step in words, for errors and reports; may be empty.
  package let name: String
  let change: @Sendable (inout DynamicValue, ArchiveLimits) throws -> UnreadKeys

  /// Creates a step that changes keys.
  ///
  /// - Parameters:
  ///   - name: The purpose of the step in words, for errors and reports. The file records numbers of versions, and no
  ///     names.
  ///   - change: Changes the keys and values of the stored value; an error refuses the whole value, and the file stays
  ///     as it is.
  public init(
    _ name: String = "", _ change: @escaping @Sendable (inout DynamicRecord) throws -> Void
  ) {
    self.name = name
    self.change = { content, _ in
      guard case .record(var record) = content else { throw ValueWithoutKeys() }
      content = .null
      try change(&record)
      content = .record(record)
      return UnreadKeys()
    }
  }

  /// Creates a step that converts the value of a former type, which the program still has.
  ///
  /// Keys that the former type does not know are not carried over. ``SealedValueStore/unknownKeyReport`` names them.
  ///
  /// - Parameters:
  ///   - former: The type that the value had.
  ///   - name: The purpose of the step in words, for errors and reports.
  ///   - convert: Makes the new value; an error refuses the whole value, and the file stays as it is.
  public init<Former: Decodable & SendableMetatype, New: Encodable & SendableMetatype>(
    from former: Former.Type, _ name: String = "",
    _ convert: @escaping @Sendable (Former) throws -> New
  ) {
    self.name = name
    change = { content, limits in
      let (new, unread) = try StoredValue.converted(content, from: former, limits, convert)
      content = new
      return unread
    }
  }
}

extension ValueMigration {
  private init(
    named name: String,
    _ change: @escaping @Sendable (inout DynamicValue, ArchiveLimits) throws -> UnreadKeys
  ) {
    self.name = name
    self.change = change
  }

  /// The same step for a value that another value contains under a key.
  func nested(under key: ArchiveKey) -> ValueMigration {
    let change = change
    return ValueMigration(named: name) { content, limits in
      guard case .record(var record) = content, var value = record[key] else {
        throw ValueWithoutKeys()
      }
      var unread = UnreadKeys()
      unread.add(try change(&value, limits), at: .key(key))
      record[key] = value
      content = .record(record)
      return unread
    }
  }
}

/// The error of a step that changes keys of a value that has none.
private struct ValueWithoutKeys: Error, CustomStringConvertible {
  let description = "the value has no keys that a migration could change"
}

/// A value as it was read from a file, before it is decoded.
struct StoredValue {
  let archive: [UInt8]
  let path: String
  let migrations: [ValueMigration]
  let limits: ArchiveLimits

  /// The value, migrated, with the default's values for missing keys, and the keys that its type does not know.
  func value<Value: Codable>(
    as type: Value.Type = Value.self, completedBy defaultValue: Value?
  ) throws(KeepsakeError) -> (value: Value, kept: KeptKeys) {
    do {
      let archive = try Archive(archive, limits: limits)
      let root = try archive.object(archive.rootID)
      let typeName = root.typeName
      let version = try version(of: archive)
      if version == migrations.count + 1,
        let value = fullyKnownValue(in: archive, completedBy: defaultValue)
      {
        return (value, .none)
      }
      var content = try root.decode(DynamicValue.self, forKey: CodableArchive.rootKey)
      let dropped = try migrate(&content, from: version)
      var decoder = ArchiveDecoder()
      decoder.limits = limits
      let bytes = try Self.archive(of: content, typeName: typeName, limits)
      let (value, unread) = try decoder.decode(
        Value.self, from: bytes, completedBy: defaultValue
      ) { $0.unread(in: $1, of: content) }
      if unread.isEmpty, dropped.isEmpty { return (value, .none) }
      // A value that cannot be written again keeps nothing, and cannot be saved either.
      let known = (try? Self.content(of: value, limits)) ?? .null
      return (value, KeptKeys(unread, in: content, known: known, dropped: dropped))
    } catch let error as KeepsakeError {
      throw error
    } catch {
      throw SealedValue.unreadable(Value.self, path, error)
    }
  }

  /// The value, if its type writes exactly the stored archive again, and so knows each key; otherwise nil.
  ///
  /// Noting each key that a type requests takes several times as long. A value that nests more deeply than apps write
  /// by default is not written here, since each level takes stack.
  private func fullyKnownValue<Value: Codable>(
    in stored: Archive, completedBy defaultValue: Value?
  ) -> Value? {
    var decoder = ArchiveDecoder()
    decoder.limits = limits
    let version = stored.reserved.bundleVersion.flatMap { Int($0) }
    var writing = limits
    writing.nestingDepth = min(limits.nestingDepth, ArchiveLimits().nestingDepth)
    guard let value = try? decoder.decode(Value.self, from: archive, completedBy: defaultValue),
      let again = try? SealedValue.encoded(value, version: version, limits: writing)
    else { return nil }
    return again == archive ? value : nil
  }

  private func version(of archive: Archive) throws(KeepsakeError) -> Int {
    // A value that SealedValue has saved has no version and counts as the first.
    let text = archive.reserved.bundleVersion ?? "1"
    guard let version = Int(text), version >= 1, String(version) == text else {
      throw refused("its version is \"\(text)\", which this program never writes")
    }
    guard version <= migrations.count + 1 else {
      throw refused(
        "it has the version \(version), and this program knows versions up to \(migrations.count + 1); "
          + "update the program")
    }
    return version
  }

  /// Runs the steps that the value lacks, and returns the keys that former types did not know.
  private func migrate(
    _ content: inout DynamicValue, from version: Int
  ) throws(KeepsakeError) -> [(migration: String, keys: UnreadKeys)] {
    var dropped: [(migration: String, keys: UnreadKeys)] = []
    for (number, migration) in migrations.enumerated().dropFirst(version - 1) {
      let name =
        "from version \(number + 1) to version \(number + 2)"
        + (migration.name.isEmpty ? "" : " (\(migration.name))")
      do {
        let unread = try migration.change(&content, limits)
        if !unread.isEmpty { dropped.append((name, unread)) }
      } catch {
        throw refused(
          "the migration \(name) failed: " + SealedValue.words(of: error), error)
      }
    }
    return dropped
  }

  private func refused(_ reason: String, _ error: (any Error)? = nil) -> KeepsakeError {
    // The reason may be a sentence of another error.
    let end = reason.hasSuffix(".") ? "" : "."
    return KeepsakeError(
      .migrationRefused,
      "The value at \(path) was not loaded and is unchanged, because \(reason)\(end)", at: path,
      underlyingError: error)
  }

  /// Converts a stored value from a former type, and finds the keys that this type does not know.
  static func converted<Former: Decodable, New: Encodable>(
    _ content: DynamicValue, from former: Former.Type, _ limits: ArchiveLimits,
    _ convert: (Former) throws -> New
  ) throws -> (value: DynamicValue, unread: UnreadKeys) {
    var decoder = ArchiveDecoder()
    decoder.limits = limits
    let bytes = try archive(of: content, typeName: CodableArchive.typeName, limits)
    let (value, unread) = try decoder.decode(former, from: bytes, completedBy: nil) {
      $0.unread(in: $1, of: content)
    }
    return (try self.content(of: convert(value), limits), unread)
  }

  /// A value in the form in which an archive stores it.
  static func content(
    of value: some Encodable, _ limits: ArchiveLimits
  ) throws -> DynamicValue {
    try content(inArchive: SealedValue.encoded(value, limits: limits), limits)
  }

  /// The value in an archive that holds only one.
  static func content(
    inArchive archive: [UInt8], _ limits: ArchiveLimits
  ) throws -> DynamicValue {
    let archive = try Archive(archive, limits: limits)
    return try archive.object(archive.rootID).decode(
      DynamicValue.self, forKey: CodableArchive.rootKey)
  }

  /// An archive that holds only one value.
  static func archive(
    of content: DynamicValue, typeName: String, _ limits: ArchiveLimits,
    reserved: ReservedValues = ReservedValues()
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved, limits: limits)
    let id = writer.nextObjectID
    try writer.writeObject(id, typeName: typeName, template: nil) {
      $0.encode(content, forKey: CodableArchive.rootKey)
    }
    return try writer.finish(root: id)
  }
}
