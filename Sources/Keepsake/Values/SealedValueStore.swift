import Dispatch
public import KeepsakeArchive
public import KeepsakeFiles
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
/// - If the file does not exist, the value is the default. A key that the file lacks gets its value from the default,
///   also in nested structures. Inside arrays, dictionaries and optionals it gets its value from the default of the
///   element's type, which must be a `ValueWithDefaults`. An optional property is nil if the file lacks its key.
/// - The file records its version: one more than the number of migrations. An older file goes through the migrations
///   that it lacks; a file of a later version is refused.
/// - A file that cannot be read is never treated as empty and never overwritten: a load that fails says why, and
///   until a load succeeds nothing is saved.
/// - Keys in the file that the type does not know stay there with their values: see ``UnknownKeys``.
/// - Two processes do not lose each other's changes: a save is refused with `valueChanged` when the file differs from
///   the one that was read. `update(_:)` reads again, under a lock, and is never refused for that reason.
///
/// The lock is a file beside the value's, with `.lock` after its name. A store may be used by any thread.
public final class SealedValueStore<Value: Codable & Sendable>: Sendable {
  /// The version of the file, as far as the store knows it.
  private enum Knowledge {
    /// Nothing was read yet, or it could not be read.
    case unknown
    /// The file had this version, or was absent, when it was last read or saved; it has keys to keep.
    case read(FileVersion?, KeptKeys)
  }

  /// The maximum number of attempts to lock the file while other processes replace it under other salts.
  private static var attemptLimit: Int { 8 }

  /// The path of the file.
  public let path: String
  /// The version of the values that this program saves, from 1.
  public var version: Int { format.version }

  private let key: SealedValueKey
  private let format: ValueFormat<Value>
  private let patience: Duration
  private let knowledge = Mutex(Knowledge.unknown)

  /// Creates a store; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: The file, as a path or a `URL`. Its directory is made with the first save, for this user alone (mode 0700).
  ///   - key: The key of the file.
  ///   - defaultValue: The value when the file does not exist, and the values of keys that a file lacks.
  ///   - migrations: The steps for older values: the first one from version 1 to version 2, and so on.
  ///   - unknownKeys: The treatment of keys in the file that the type does not know; by default they are kept.
  ///   - patience: How long each call waits while other processes, or other parts of this one, use the file.
  ///   - limits: The maximum size and nesting of the value, for reading and for writing. Nil allows 64 levels for
  ///     writing and 512 for reading, and the defaults otherwise.
  public convenience init(
    path: some FilePathConvertible, key: SealedValueKey, default defaultValue: Value,
    migrations: [ValueMigration] = [], unknownKeys: UnknownKeys = .keep,
    patience: Duration = .seconds(5), limits: ArchiveLimits? = nil
  ) {
    self.init(
      path: path.filePath, key: key.cachingDerivedKeys(),
      format: ValueFormat(
        default: defaultValue, migrations: migrations, unknownKeys: unknownKeys, limits: limits),
      patience: patience)
  }

  private init(
    path: String, key: SealedValueKey, format: ValueFormat<Value>, patience: Duration
  ) {
    self.path = path
    self.key = key
    self.format = format
    self.patience = patience
  }

  /// The keys in the file that the type does not know, as the last load, update or save of this store found them.
  ///
  /// It is empty before the first of these calls, and after a call that could not read the file.
  public var unknownKeyReport: UnknownKeyReport {
    knowledge.withLock { knowledge in
      if case .read(_, let kept) = knowledge { kept.report } else { UnknownKeyReport() }
    }
  }

  /// Reads the value, migrated and with its defaults; the file is not changed.
  ///
  /// - Returns: The value, or the default if the file does not exist.
  /// - Throws: ``KeepsakeError``: `keyWrong` and the other codes of keys, `wrongPurpose`, `damaged`, `valueUnreadable`
  ///   for another type of value or for keys that are refused as unknown, `migrationRefused` for a value of a later
  ///   version or a migration that failed, `stateInUse` when another process, or another part of this one, holds the
  ///   lock for too long, and `storeUnavailable`.
  public func load() throws(KeepsakeError) -> Value {
    let (value, kept) = try locked(isWriting: false) { () throws(KeepsakeError) in try read() }
    format.reportUnknownKeys(kept)
    return value
  }

  /// Reads the value on another thread, as the synchronous overload does.
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
    let kept = try locked(isWriting: true) { () throws(KeepsakeError) in
      try write(value, keeping: keysToKeep(at: fileVersion()))
    }
    format.reportUnknownKeys(kept)
  }

  /// Replaces the value on another thread, as the synchronous overload does.
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
    let (value, kept) = try locked(isWriting: true) {
      () throws(KeepsakeError) -> (Value, KeptKeys) in
      let (old, kept) = try read()
      var value = old
      change(&value)
      return (value, try write(value, keeping: kept))
    }
    format.reportUnknownKeys(kept)
    return value
  }

  /// Reads the value again, changes it and saves it on another thread, as the synchronous overload does.
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
  /// The value, and the keys to keep when it is saved.
  private func read() throws(KeepsakeError) -> (value: Value, kept: KeptKeys) {
    knowledge.withLock { $0 = .unknown }
    guard let found = try fileVersion() else {
      knowledge.withLock { $0 = .read(nil, .none) }
      return (format.defaultValue, .none)
    }
    let (value, kept) = try format.value(in: SealedValue.read(path, with: key), at: path)
    knowledge.withLock { $0 = .read(found, kept) }
    return (value, kept)
  }

  /// The keys to keep when the file, of this version, is replaced without being read.
  private func keysToKeep(at found: FileVersion?) throws(KeepsakeError) -> KeptKeys {
    // Without a file nothing can be lost.
    if found == nil { return .none }
    guard case .read(found, let kept) = knowledge.withLock({ $0 }) else {
      throw KeepsakeError(
        .valueChanged,
        "The value at \(path) was not saved, because the file there is not the one that was last read; load "
          + "it again, and make the change to what it holds now.", at: path)
    }
    return kept
  }

  private func write(
    _ value: Value, keeping kept: KeptKeys
  ) throws(KeepsakeError) -> KeptKeys {
    let (archive, left) = try format.archive(of: value, keeping: kept)
    do throws(KeepsakeError) {
      try SealedValue.write(archive, to: path, for: key)
    } catch {
      // The file may be the new or the old one; the next load finds out.
      if error.code == .durabilityUnknown { knowledge.withLock { $0 = .unknown } }
      throw error
    }
    // The value is saved. If the version of the file is unknown, the next load finds it out.
    let version = try? fileVersion()
    knowledge.withLock { $0 = version.map { .read($0, left) } ?? .unknown }
    return left
  }

  private func fileVersion() throws(KeepsakeError) -> FileVersion? {
    try KeepsakeError.access { () throws(FileError) in try DurableFile.version(of: path) }
  }

  /// Runs work under the lock.
  ///
  /// The key is derived from a passphrase before the lock is taken, since Argon2id takes long.
  private func locked<Result>(
    isWriting: Bool, _ work: () throws(KeepsakeError) -> Result
  ) throws(KeepsakeError) -> Result {
    var attempt = 1
    while true {
      try key.derive(for: path, isWriting: isWriting)
      let held = try isWriting ? lock.taken() : lock.takenForReading()
      defer { withExtendedLifetime(held) {} }
      let isDerived = try key.isDerived(for: path)
      // Otherwise another process has replaced the file under another salt: derive again, without the lock.
      if isDerived || attempt == Self.attemptLimit { return try work() }
      attempt += 1
    }
  }

  private var lock: ValueLock {
    ValueLock(path: path, lockPath: path + ".lock", patience: patience)
  }
}

// For `values` and `SealedSettings`, which follow the file.
extension SealedValueStore {
  /// The value while there is no file.
  var initialValue: Value { format.defaultValue }

  /// Another store of the same file; what it reads does not count as read by this store, so a `save(_:)` still checks.
  func separateStore() -> SealedValueStore {
    SealedValueStore(path: path, key: key, format: format, patience: patience)
  }
}
