package import KeepsakeArchive

/// The way in which a store writes and reads a value: its version, defaults, migrations and unknown keys
/// (Spec/state.md, section 6).
package struct ValueFormat<Value: Codable & Sendable>: Sendable {
  /// The value when nothing is stored, and the values of keys that a stored one lacks.
  package let defaultValue: Value
  private let migrations: [ValueMigration]
  private let unknownKeys: UnknownKeys
  /// The limits of the app; nil for those of ``SealedValue``.
  private let limits: ArchiveLimits?
  /// The levels around the value, which its limits leave out.
  private var outerLevelCount = 0
  /// The type that errors about unknown keys name.
  private let typeName: String

  package init(
    default defaultValue: Value, migrations: [ValueMigration], unknownKeys: UnknownKeys,
    limits: ArchiveLimits?
  ) {
    self.defaultValue = defaultValue
    self.migrations = migrations
    self.unknownKeys = unknownKeys
    self.limits = limits
    typeName = "\(Value.self)"
  }

  /// The format of a value that holds another one under a key, which migrations and limits are about.
  init<Inner>(
    holding inner: ValueFormat<Inner>, under key: ArchiveKey, _ outer: (Inner) -> Value
  ) {
    defaultValue = outer(inner.defaultValue)
    migrations = inner.migrations.map { $0.nested(under: key) }
    unknownKeys = inner.unknownKeys
    limits = inner.limits
    outerLevelCount = inner.outerLevelCount + 1
    typeName = inner.typeName
  }

  /// The limits of reading on the calling thread.
  private var readingLimits: ArchiveLimits { around(limits ?? SealedValue.readingLimits) }
  private var writingLimits: ArchiveLimits { around(limits ?? .init()) }

  private func around(_ limits: ArchiveLimits) -> ArchiveLimits {
    var limits = limits
    let (depth, overflows) = limits.nestingDepth.addingReportingOverflow(outerLevelCount)
    limits.nestingDepth = overflows ? .max : depth
    return limits
  }

  /// The version of the values that this program saves, from 1.
  package var version: Int { migrations.count + 1 }

  /// The value in an archive, and the keys to keep when it is saved; `place` names the archive in errors.
  package func value(
    in archive: [UInt8], at place: String
  ) throws(KeepsakeError) -> (value: Value, kept: KeptKeys) {
    let stored = StoredValue(
      archive: archive, path: place, migrations: migrations,
      limits: readingLimits)
    let (value, kept) = try stored.value(completedBy: defaultValue)
    if case .refuse = unknownKeys.treatment, !kept.report.isEmpty {
      throw KeepsakeError(unknown: kept.report, of: typeName, at: place)
    }
    return (value, kept)
  }

  /// The archive of a value with the keys that are kept, and the keys to keep from now on.
  package func archive(
    of value: Value, keeping kept: KeptKeys
  ) throws(KeepsakeError) -> (archive: [UInt8], kept: KeptKeys) {
    let known = try SealedValue.encoded(value, version: version, limits: writingLimits)
    do {
      return try kept.added(to: known, version: version, writingLimits)
    } catch {
      throw SealedValue.notStorable(error)
    }
  }

  /// Reports unknown keys to the app, if it has set a handler for them.
  package func reportUnknownKeys(_ kept: KeptKeys) { unknownKeys.callHandler(kept.report) }
}
