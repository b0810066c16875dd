public import KeepsakeArchive
public import KeepsakeFiles
public import KeepsakeJournal

/// Keeps one large value of an app encrypted, and saves each change for the cost of that change.
///
/// ```swift
/// enum LibraryChange: Codable, Sendable {
///   case add(Book)
///   case remove(id: Int)
/// }
///
/// let library = JournaledValue<Library, LibraryChange>(
///   path: directory + "/library", key: .keyStore(keys),
///   default: Library()
/// ) { library, change in
///   switch change {
///   case .add(let book): library.books[book.id] = book
///   case .remove(let id): library.books[id] = nil
///   }
/// }
/// try await library.update(.add(book))
/// ```
///
/// A ``SealedValueStore`` writes the whole value with each save, which is right for settings. A journaled value writes
/// the change alone to a journal (Spec/state.md, section 7). To load is to read the last snapshot of the value, and to
/// apply the changes after it. A snapshot is written in the background when the changes have become larger than it.
///
/// - An update that returned survives a kill and a power cut. When it throws, the change is not saved, unless the code
///   is `durabilityUnknown`.
/// - `apply` makes the same value of the same value and change at each time, in each process: it uses no clock, no random
///   numbers and no files. Encode such things in the change.
/// - The value stays in memory. A copy of it that is kept makes the next update copy what it changes.
/// - Several processes may use one value. Each call locks it, and takes over what the others have changed. The file
///   that a process appends to is given up when another one appends, so updates by turns cost more than those in a row.
/// - A change has at most 16 MiB as it is stored. A passphrase cannot be the key; keep one in a ``PassphraseKeyStore``.
///
/// The path is a directory. To back it up, copy it while no program updates the value, or load the copy to see
/// that it is whole.
public final class JournaledValue<Value: Codable & Sendable, Change: Sendable>: Sendable {
  /// The value in memory.
  struct Current {
    var value: Value
    /// The number of changes that are in the value.
    var changeCount: UInt64 = 0
    /// The identifier of the journal; nil while there is no snapshot.
    var journalID: [UInt8]?
    /// The version of the snapshot's file; nil without a snapshot.
    var snapshotVersion: FileVersion?
    /// The number of changes in the snapshot.
    var snapshotCount: UInt64 = 0
    var snapshotLength = 0
    /// The keys to keep in the next snapshot.
    var kept = KeptKeys.none
    /// The bytes of the changes that are not in the snapshot.
    var pendingLength = 0
    /// The number of times that a snapshot was loaded, to tell whether the value is still the same one.
    var loadCount = 0
  }

  struct State {
    /// The value; nil before the first call, and after an error.
    var current: Current?
    var journal: SharedJournal
    var loadCount = 0
    /// True while this process replaces the snapshot.
    var isCompacting = false
    /// True while a compaction in the background has yet to end.
    var isCompactionScheduled = false
    /// The bytes of changes at which the next compaction in the background begins, after one that failed.
    var postponedTo = 0
    var compactionFailure: KeepsakeError?
  }

  /// The most files of changes; processes that update by turns begin one each time.
  static var fileCountLimit: Int { 64 }

  /// The path of the directory.
  public let path: String

  let key: SealedValueKey
  let form: JournalForm<Change>
  let format: ValueFormat<JournalSnapshot<Value>>
  let patience: Duration
  let compactionSize: Int?
  let apply: @Sendable (inout Value, Change) -> Void
  let state: Monitor<State>

  /// Creates a value whose changes have a form of their own; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: The directory, as a path or a `URL`. It is made with the first update, for this user alone (mode 0700).
  ///   - key: The key of the files, which is no passphrase.
  ///   - defaultValue: The value before the first update, and the values of keys that a snapshot lacks.
  ///   - changes: The conversion of changes; it can migrate and skip changes of other versions.
  ///   - migrations: The steps for older snapshots: the first one from version 1 to version 2, and so on.
  ///   - unknownKeys: The treatment of keys in the snapshot that the type does not know; by default they are kept.
  ///   - patience: How long each call waits while other processes, or other parts of this one, use the files.
  ///   - limits: The maximum size of the value, and of its nesting, as ``SealedValueStore`` takes it.
  ///   - compactionSize: The bytes of changes at which a snapshot is written in the background, or the size of the last
  ///     snapshot when that is larger; nil for never.
  ///   - apply: Makes a change to the value.
  public init(
    path: some FilePathConvertible, key: SealedValueKey, default defaultValue: Value,
    changes: JournalForm<Change>, migrations: [ValueMigration] = [],
    unknownKeys: UnknownKeys = .keep, patience: Duration = .seconds(5),
    limits: ArchiveLimits? = nil, compactionSize: Int? = 1 << 20,
    apply: @escaping @Sendable (inout Value, Change) -> Void
  ) {
    var path = path.filePath
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    self.key = key
    form = changes
    let valueFormat = ValueFormat(
      default: defaultValue, migrations: migrations, unknownKeys: unknownKeys, limits: limits)
    format = ValueFormat(holding: valueFormat, under: JournalSnapshot<Value>.valueKey) {
      JournalSnapshot(journal: [], changes: 0, value: $0)
    }
    self.patience = patience
    self.compactionSize = compactionSize
    self.apply = apply
    state = Monitor(State(journal: SharedJournal(path)))
  }

  /// Creates a value whose changes are `Codable`; nothing is read or written yet.
  ///
  /// The parameters are those of the initialiser for changes with a form of their own.
  public convenience init(
    path: some FilePathConvertible, key: SealedValueKey, default defaultValue: Value,
    migrations: [ValueMigration] = [], unknownKeys: UnknownKeys = .keep,
    patience: Duration = .seconds(5), limits: ArchiveLimits? = nil,
    compactionSize: Int? = 1 << 20,
    apply: @escaping @Sendable (inout Value, Change) -> Void
  ) where Change: Codable {
    self.init(
      path: path, key: key, default: defaultValue, changes: .codable(), migrations: migrations,
      unknownKeys: unknownKeys, patience: patience, limits: limits,
      compactionSize: compactionSize, apply: apply)
  }

  /// Reads the value with all changes, also of other processes; no file is changed.
  ///
  /// - Returns: The value, or the default if nothing was saved yet.
  /// - Throws: ``KeepsakeError``: `keyWrong` and the other codes of keys, `wrongPurpose`, `damaged` with the place,
  ///   or when snapshot and changes are of different times, `valueUnreadable` for another type of value or a change
  ///   that cannot be decoded, `migrationRefused`, `stateInUse`, and `storeUnavailable`.
  public func load() throws(KeepsakeError) -> Value { try current().value }

  /// The value with all changes, read under the lock.
  func current() throws(KeepsakeError) -> Current {
    let current = try turn(isWriting: false) { state throws(KeepsakeError) in
      try refresh(&state)
    }
    format.reportUnknownKeys(current.kept)
    return current
  }

  /// Reads the value on another thread, as the synchronous overload does.
  nonisolated(nonsending) public func load() async throws(KeepsakeError) -> Value {
    try await SealedValue.onQueue { () throws(KeepsakeError) in try self.load() }
  }

  /// Makes a change, and returns when it is durable.
  ///
  /// - Parameter change: The change; as it is stored it has at most 16 MiB.
  /// - Returns: The value with the change.
  /// - Throws: ``KeepsakeError`` as `load()` does, `valueNotStorable` for a change that cannot be encoded, and
  ///   `durabilityUnknown` when the change may be saved.
  @discardableResult
  public func update(_ change: Change) throws(KeepsakeError) -> Value {
    try update { _ in [change] }
  }

  /// Makes a change on another thread, and returns when it is durable, as the synchronous overload does.
  @discardableResult
  nonisolated(nonsending) public func update(
    _ change: Change
  ) async throws(KeepsakeError) -> Value {
    try await SealedValue.onQueue { () throws(KeepsakeError) in try self.update(change) }
  }

  /// Makes the changes that a closure chooses by the newest value, in one write.
  ///
  /// - Parameter choose: Returns the changes, or none; it is called once under the lock, and must not use this value.
  /// - Returns: The value with the changes.
  /// - Throws: ``KeepsakeError``, as `update(_:)` with a change does.
  @discardableResult
  public func update(_ choose: (Value) -> [Change]) throws(KeepsakeError) -> Value {
    let (value, isDue) = try turn(isWriting: true) { state throws(KeepsakeError) in
      try refresh(&state)
      return (try make(choose, in: &state), schedulesCompaction(&state))
    }
    if isDue { compactInBackground() }
    return value
  }

  /// Makes the changes that a closure chooses by the newest value, as the synchronous overload does.
  ///
  /// The closure is called once on another thread, and must not use this value.
  @discardableResult
  nonisolated(nonsending) public func update(
    _ choose: @escaping @Sendable (Value) -> [Change]
  ) async throws(KeepsakeError) -> Value {
    try await SealedValue.onQueue { () throws(KeepsakeError) in try self.update(choose) }
  }
}

// Compaction.
extension JournaledValue {
  /// The reason why the last compaction in the background failed; nil when none did, or one succeeded since.
  ///
  /// The value and its changes are sound all the same. The next compaction begins after as many bytes again.
  public var compactionFailure: KeepsakeError? { state.withLock { $0.compactionFailure } }

  /// Writes a snapshot of the value, then removes the files of changes that are in it.
  ///
  /// An app with a compaction size need not call it, unless it ends soon after each update. Updates can be made
  /// meanwhile. A kill at any moment loses nothing.
  ///
  /// - Throws: ``KeepsakeError`` as `load()` does, `valueNotStorable`, and `stateInUse` when another process compacts
  ///   the value for too long.
  public func compact() throws(KeepsakeError) { try compact(patience: patience) }

  /// Writes a snapshot of the value on another thread, as the synchronous overload does.
  nonisolated(nonsending) public func compact() async throws(KeepsakeError) {
    try await SealedValue.onQueue { () throws(KeepsakeError) in try self.compact() }
  }
}
