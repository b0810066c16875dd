import KeepsakeArchive
import KeepsakeCodable
public import KeepsakeDocuments

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A step that carries a stored value from one version to the next, by the value's own keys.
///
/// ```swift
/// ValueMigration { value in
///   try value.renameKey("colour", to: "color")
///   value.removeValue(forKey: "legacy")
/// }
/// ```
public struct ValueMigration: Sendable {
  let change: @Sendable (inout DynamicRecord) throws -> Void

  /// Creates a step.
  ///
  /// - Parameter change: Changes the keys and values of the stored value; an error refuses the whole value, and
  ///   the file stays as it is.
  public init(_ change: @escaping @Sendable (inout DynamicRecord) throws -> Void) {
    self.change = change
  }
}

/// A value as it was read from a file, before it is decoded.
struct StoredValue {
  let archive: [UInt8]
  let path: String
  let migrations: [ValueMigration]
  let limits: ArchiveLimits

  /// The value, migrated, with the default's values for missing keys.
  func value<Value: Codable>(completedBy defaultValue: Value) throws(KeepsakeError) -> Value {
    do {
      let archive = try Archive(archive, limits: limits)
      let root = try archive.object(archive.rootID)
      let typeName = root.typeName
      var content = try root.decode(DynamicValue.self, forKey: CodableArchive.rootKey)
      try migrate(&content, from: version(of: archive))
      var decoder = ArchiveDecoder()
      decoder.limits = limits
      let bytes = try Self.archive(of: content, typeName: typeName, limits)
      return try decoder.decode(Value.self, from: bytes, completedBy: defaultValue)
    } catch let error as KeepsakeError {
      throw error
    } catch {
      throw SealedValue.unreadable(Value.self, path, error)
    }
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

  private func migrate(_ content: inout DynamicValue, from version: Int) throws(KeepsakeError) {
    guard version <= migrations.count else { return }
    guard case .record(var record) = content else {
      throw refused("it has no keys that a migration could change")
    }
    for (number, migration) in migrations.enumerated().dropFirst(version - 1) {
      do {
        try migration.change(&record)
      } catch {
        throw refused(
          "the migration from version \(number + 1) to version \(number + 2) failed: \(error)",
          error)
      }
    }
    content = .record(record)
  }

  private func refused(_ reason: String, _ error: (any Error)? = nil) -> KeepsakeError {
    KeepsakeError(
      .migrationRefused,
      "The value at \(path) was not loaded and is as it was, because \(reason).", at: path,
      underlyingError: error)
  }

  /// A value in the form in which an archive stores it.
  static func content(
    of value: some Encodable, _ limits: ArchiveLimits
  ) throws -> DynamicValue {
    let archive = try Archive(SealedValue.encoded(value, limits: limits), limits: limits)
    return try archive.object(archive.rootID).decode(
      DynamicValue.self, forKey: CodableArchive.rootKey)
  }

  /// An archive that holds only one value.
  static func archive(
    of content: DynamicValue, typeName: String, _ limits: ArchiveLimits
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(limits: limits)
    let id = writer.nextObjectID
    try writer.writeObject(id, typeName: typeName, template: nil) {
      $0.encode(content, forKey: CodableArchive.rootKey)
    }
    return try writer.finish(root: id)
  }
}
