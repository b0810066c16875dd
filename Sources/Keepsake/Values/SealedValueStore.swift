import Dispatch
public import KeepsakeArchive
import KeepsakeFiles
import KeepsakeSeal
import Synchronization

/// Keeps one value of an app in an encrypted file: its settings, or a document.
///
/// ```swift
/// let store = SealedValueStore(
///   path: directory + "/settings", key: .keyStore(keys),
///   default: Settings(),
///   migrations: [
///     // From version 1 to version 2.
///     ValueMigration { try $0.renameKey("colour", to: "color") }
///   ])
/// try await store.update { $0.color = "green" }
/// ```
///
/// - If the file does not exist, the value is the default. A key that a file lacks has the value of the default, at
///   any depth of structures. In elements of arrays, values of dictionaries and optionals it has the default of their
///   type, which must be a `ValueWithDefaults`. An optional property is nil if a file lacks its key.
/// - The file records its version: one more than the number of migrations. An older file goes through the migrations
///   that it lacks; a file of a later version is refused.
/// - A file that cannot be read is never treated as empty and never overwritten: a load that fails says why, and
///   until a load succeeds nothing is saved.
/// - Two processes do not lose each other's changes: a save is refused with `valueChanged` when the file differs from
///   the one that was read. `update(_:)` reads again, under a lock, and is never refused for that reason.
///
/// The lock is a file beside the value's, with `.lock` after its name. A store may be used by any thread.
public final class SealedValueStore<Value: Codable & Sendable>: Sendable {
  /// The version of the file, as far as the store knows it.
  private enum Knowledge: Equatable {
    /// Nothing was read yet, or it could not be read.
    case unknown
    /// The file had this version, or was absent, when it was last read or saved.
    case read(FileVersion?)
  }

  /// The path of the file.
  public let path: String
  /// The version of the values that this program saves, from 1.
  public var version: Int { migrations.count + 1 }

  private let key: SealedValueKey
  private let defaultValue: Value
  private let migrations: [ValueMigration]
  private let limits: ArchiveLimits?
  private let knowledge = Mutex(Knowledge.unknown)

  /// Creates a store; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: The file, in an existing directory.
  ///   - key: The key of the file.
  ///   - defaultValue: The value when the file does not exist, and the values of keys that a file lacks.
  ///   - migrations: The steps for older values: the first one from version 1 to version 2, and so on.
  ///   - limits: The maximum size of the value, and of its nesting, for reading and for writing. Nil writes 64 levels
  ///     and reads 512, and uses the defaults otherwise.
  public init(
    path: String, key: SealedValueKey, default defaultValue: Value,
    migrations: [ValueMigration] = [], limits: ArchiveLimits? = nil
  ) {
    self.path = path
    self.key = key
    self.defaultValue = defaultValue
    self.migrations = migrations
    self.limits = limits
  }

  /// Reads the value, migrated and with its defaults; the file is not changed.
  ///
  /// - Returns: The value, or the default if the file does not exist.
  /// - Throws: ``KeepsakeError``: `keyWrong` and the other codes of keys, `wrongPurpose`, `damaged`, `valueUnreadable`,
  ///   `migrationRefused` for a value of a later version or a migration that failed, `stateInUse` when another
  ///   process, or another part of this one, holds the lock for too long, and `storeUnavailable`.
  public func load() throws(KeepsakeError) -> Value {
    let lock = try lockForReading()
    defer { withExtendedLifetime(lock) {} }
    return try read()
  }

  /// Reads the value on another thread, as the synchronous overload does.
  ///
  /// - Returns: The value, or the default if the file does not exist.
  /// - Throws: ``KeepsakeError``.
  nonisolated(nonsending) public func load() async throws(KeepsakeError) -> Value {
    try await SealedValue.onQueue { () throws(KeepsakeError) in
      try self.load()
    }
  }

  /// Replaces the value durably, unless another program has saved one since it was read here.
  ///
  /// - Parameter value: The value.
  /// - Throws: ``KeepsakeError``: `valueChanged` when the file is not the one that was last read or saved here, or
  ///   was never read here; load it and try again, or use `update(_:)`. Otherwise as `load()`, and
  ///   `valueNotStorable`.
  public func save(_ value: Value) throws(KeepsakeError) {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    let found = try fileVersion()
    let known = knowledge.withLock { $0 }
    // Without a file nothing can be lost.
    guard found == nil || known == .read(found) else {
      throw KeepsakeError(
        .valueChanged,
        "The value at \(path) was not saved, because the file there is not the one that was last read; load "
          + "it again, and make the change to what it holds now.", at: path)
    }
    try write(value)
  }

  /// Replaces the value on another thread, as the synchronous overload does.
  ///
  /// - Parameter value: The value.
  /// - Throws: ``KeepsakeError``.
  nonisolated(nonsending) public func save(_ value: Value) async throws(KeepsakeError) {
    try await SealedValue.onQueue { () throws(KeepsakeError) in
      try self.save(value)
    }
  }

  /// Reads the value again, changes it, and saves it, under a lock against other processes and other parts of this
  /// one.
  ///
  /// - Parameter change: Changes the value; it is called once, and must not use the store.
  /// - Returns: The value that was saved.
  /// - Throws: ``KeepsakeError`` as `load()` and `save(_:)` do, except `valueChanged`; the file is then unchanged.
  @discardableResult
  public func update(_ change: (inout Value) -> Void) throws(KeepsakeError) -> Value {
    let lock = try lock()
    defer { withExtendedLifetime(lock) {} }
    var value = try read()
    change(&value)
    try write(value)
    return value
  }

  /// Reads the value again, changes it and saves it on another thread, as the synchronous overload does.
  ///
  /// - Parameter change: Changes the value on that thread; it must not use the store.
  /// - Returns: The value that was saved.
  /// - Throws: ``KeepsakeError``.
  @discardableResult
  nonisolated(nonsending) public func update(
    _ change: @escaping @Sendable (inout Value) -> Void
  ) async throws(KeepsakeError) -> Value {
    try await SealedValue.onQueue { () throws(KeepsakeError) in
      try self.update(change)
    }
  }
}

// Work under the lock.
extension SealedValueStore {
  private func read() throws(KeepsakeError) -> Value {
    knowledge.withLock { $0 = .unknown }
    guard let found = try fileVersion() else {
      knowledge.withLock { $0 = .read(nil) }
      return defaultValue
    }
    let stored = StoredValue(
      archive: try SealedValue.read(path, with: key), path: path, migrations: migrations,
      limits: limits ?? SealedValue.readingLimits)
    let value = try stored.value(completedBy: defaultValue)
    knowledge.withLock { $0 = .read(found) }
    return value
  }

  private func write(_ value: Value) throws(KeepsakeError) {
    let archive = try SealedValue.encoded(
      value, version: version, limits: limits ?? .default)
    do throws(KeepsakeError) {
      try SealedValue.write(archive, to: path, for: key)
    } catch {
      // The file may be the new or the old one; the next load finds out.
      if error.code == .durabilityUnknown { knowledge.withLock { $0 = .unknown } }
      throw error
    }
    // The value is saved. If the version of the file is unknown, the next load finds it out.
    let version = try? fileVersion()
    knowledge.withLock { $0 = version.map { .read($0) } ?? .unknown }
  }

  private func fileVersion() throws(KeepsakeError) -> FileVersion? {
    try KeepsakeError.access { () throws(FileError) in try DurableFile.version(of: path) }
  }

  private func lock() throws(KeepsakeError) -> FileLock {
    do throws(FileError) {
      return try FileLock(at: lockPath, patience: lockPatience)
    } catch {
      throw notLocked(error)
    }
  }

  /// The lock; nil when this user cannot write and the lock file does not exist.
  private func lockForReading() throws(KeepsakeError) -> FileLock? {
    do throws(FileError) {
      return try FileLock.forReading(at: lockPath, patience: lockPatience)
    } catch {
      if error.code == .directoryAbsent { return nil }
      throw notLocked(error)
    }
  }

  private var lockPath: String { path + ".lock" }
  private var lockPatience: Duration { .seconds(5) }

  private func notLocked(_ error: FileError) -> KeepsakeError {
    guard error.code == .fileLocked else { return KeepsakeError(.storeUnavailable, error) }
    guard error.systemError == nil else {
      return KeepsakeError(
        .stateInUse,
        "The value at \(path) may be in use, so it was neither read nor saved: this user may not open its lock at "
          + "\(lockPath). Let the owner of that file hand it over, or remove it when no process uses the value.",
        at: path, underlyingError: SealError(error))
    }
    return KeepsakeError(
      .stateInUse,
      "The value at \(path) was neither read nor saved, because another process or another part of this "
        + "program has had it locked for five seconds; let that one finish, and try again.",
      at: path,
      underlyingError: SealError(error))
  }
}

// For `values` and `SealedSettings`, which follow the file.
extension SealedValueStore {
  /// The value while there is no file.
  var initialValue: Value { defaultValue }

  /// Another store of the same file: reading by it does not let a `save(_:)` of this one pass.
  func twin() -> SealedValueStore {
    SealedValueStore(
      path: path, key: key, default: defaultValue, migrations: migrations, limits: limits)
  }
}
