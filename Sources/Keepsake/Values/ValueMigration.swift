public import KeepsakeArchive
import KeepsakeCodable

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
  let change: @Sendable (inout ArchivedRecord) throws -> Void

  /// Creates a step.
  ///
  /// - Parameter change: Changes the keys and values of the stored value; an error refuses the whole value, and
  ///   the file stays as it is.
  public init(_ change: @escaping @Sendable (inout ArchivedRecord) throws -> Void) {
    self.change = change
  }
}

/// A value as it was read from a file, on its way to the type of the program.
struct StoredValue {
  /// The most keys that are taken from a default: each one costs a decoding of the value.
  private static let missingKeyLimit = 1_000

  let archive: [UInt8]
  let path: String
  let migrations: [ValueMigration]

  /// The value, migrated, and with the values of a default where keys are missing.
  func value<Value: Codable>(completedBy defaultValue: Value) throws(KeepsakeError) -> Value {
    do {
      let archive = try Archive(archive)
      let root = try archive.object(archive.rootID)
      let typeName = root.typeName
      var content = try root.decode(ArchivedValue.self, forKey: CodableArchive.rootKey)
      try migrate(&content, from: version(of: archive))
      var missingCount = 0
      var defaults: ArchivedValue?
      while true {
        do {
          let bytes = try Self.archive(of: content, typeName: typeName)
          return try ArchiveDecoder().decode(Value.self, from: bytes)
        } catch DecodingError.keyNotFound(let key, let context)
          where missingCount < Self.missingKeyLimit
        {
          missingCount += 1
          let complete = try defaults ?? Self.content(of: defaultValue)
          defaults = complete
          let isFilled = content.fill(
            key.stringValue, at: context.codingPath.map(\.stringValue)[...], from: complete)
          guard isFilled else { throw DecodingError.keyNotFound(key, context) }
        }
      }
    } catch let error as KeepsakeError {
      throw error
    } catch {
      throw SealedValue.unreadable(Value.self, path, error)
    }
  }

  private func version(of archive: Archive) throws(KeepsakeError) -> Int {
    // What SealedValue has saved has no version; it is the first.
    let text = archive.reserved.bundleVersion ?? "1"
    guard let version = Int(text), version >= 1, String(version) == text else {
      throw refused("its version is \"\(text)\", which is none that this program writes")
    }
    guard version <= migrations.count + 1 else {
      throw refused(
        "it has the version \(version), and this program knows versions up to \(migrations.count + 1); "
          + "update the program")
    }
    return version
  }

  private func migrate(_ content: inout ArchivedValue, from version: Int) throws(KeepsakeError) {
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

  /// A value as it lies in an archive of its own.
  static func content(of value: some Encodable) throws -> ArchivedValue {
    let archive = try Archive(SealedValue.encoded(value))
    return try archive.object(archive.rootID).decode(
      ArchivedValue.self, forKey: CodableArchive.rootKey)
  }

  /// An archive of nothing but one value.
  static func archive(of content: ArchivedValue, typeName: String) throws -> [UInt8] {
    var writer = ArchiveWriter()
    let id = writer.nextObjectID
    try writer.writeObject(id, typeName: typeName, template: nil) {
      $0.encode(content, forKey: CodableArchive.rootKey)
    }
    return try writer.finish(root: id)
  }
}

extension ArchivedValue {
  /// Adds a key that is missing from a record inside this value, as another value has it.
  ///
  /// - Returns: Whether it was there to be taken.
  fileprivate mutating func fill(
    _ key: String, at path: ArraySlice<String>, from defaults: ArchivedValue
  ) -> Bool {
    guard case .record(var record) = self, case .record(let complete) = defaults else {
      return false
    }
    let name = path.first ?? key
    guard let source = complete.fields.first(where: { $0.key == ArchiveKey(name) }) else {
      return false
    }
    let index = record.fields.firstIndex { $0.key == ArchiveKey(name) }
    switch (path.first, index) {
    case (nil, nil): record.fields.append(source)
    case (_?, let index?):
      guard record.fields[index].value.fill(key, at: path.dropFirst(), from: source.value) else {
        return false
      }
    default: return false
    }
    self = .record(record)
    return true
  }
}
