import Dispatch
import KeepsakeFiles
public import KeepsakeRestoration
public import KeepsakeSeal
import Synchronization

/// A restoration store that keeps the archive in a sealed file of a state directory.
///
/// Every load and save runs on a thread of the store's own, so that neither Argon2 nor a slow disk blocks the app. A
/// save replaces the file durably or leaves it unchanged. A state that could not be read is never overwritten: the
/// save that replaces a damaged archive sets it aside under another name, and when the key of an archive is missing,
/// no new key is made.
///
/// From the first load or save on, the directory is locked against other processes, until the store is released,
/// ``suspend()`` is called or the process ends: a second process restores nothing and saves nothing, and says why. A
/// directory of another user, or one that others can write, is refused. Spec/state.md defines the files and the lock.
/// Apps with several windows use ``StateSessions``.
public final class SealedStateStore: RestorationStore {
  /// The facts about the files as of the last call.
  struct Knowledge {
    var lock: FileLock?
    /// True when this user cannot write the directory, as of the last load.
    var isReadOnly = false
    /// The generation of the archive that was last read, written or removed; `nil` before that.
    var generation: UInt64?
    var freshness = SealFreshness.unverified
    /// True when the last save has kept the replaced archive under another name, and failed after that.
    var hasKeptPrevious = false
    /// The version of the archive when it was last loaded, saved or removed under the lock.
    var version: FileVersion?
    /// True when other processes may have saved since: the lock was released, or there was no directory to lock.
    var mayHaveChanged = false
    /// True when more archives may have been set aside than the limit.
    var mayExceedLimit = true
  }

  /// The directory of the state.
  package let directory: StateDirectory
  let keyStore: any KeyStore
  let freshnessStore: (any FreshnessStore)?
  /// Called when a save has replaced the file; for tests.
  let whenSealed: @Sendable () throws(SealError) -> Void
  let knowledge = Mutex(Knowledge())
  private let queue = DispatchQueue(label: "Keepsake.SealedStateStore")

  /// Creates a store; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: The directory of the state.
  ///   - keyStore: The store of the key; by default a key file in the directory.
  ///   - freshnessStore: The store of the state's pin, with which an older state is refused; by default there is no
  ///     pin, and an older state is opened.
  public convenience init(
    directory: StateDirectory, keyStore: (any KeyStore)? = nil,
    freshnessStore: (any FreshnessStore)? = nil
  ) {
    self.init(directory: directory, keyStore: keyStore, freshnessStore: freshnessStore) {}
  }

  init(
    directory: StateDirectory, keyStore: (any KeyStore)?, freshnessStore: (any FreshnessStore)?,
    whenSealed: @escaping @Sendable () throws(SealError) -> Void
  ) {
    self.directory = directory
    self.keyStore = keyStore ?? KeyFileStore(path: directory.keyPath)
    self.freshnessStore = freshnessStore
    self.whenSealed = whenSealed
  }

  /// True when the state of the last load is known to be the latest one; without a pin it is not.
  public var freshness: SealFreshness { knowledge.withLock { $0.freshness } }

  /// The reason why nothing can be saved, when the last load found that this user cannot write the directory.
  public var savingObstacle: String? { isReadOnly ? directory.readOnlyError().message : nil }

  /// Reads and opens the sealed archive.
  ///
  /// If this user can read the directory but not write it, the state is read without lock and mark, and
  /// ``savingObstacle`` says so.
  ///
  /// - Returns: The archive's bytes, or `absent`.
  /// - Throws: `RestorationError` when the key is unavailable, the file is damaged, another process uses it, or the
  ///   directory cannot be read; with `wrongPurpose`, `staleState` or `freshnessUnavailable` when it is another
  ///   directory's state, an older one, or its pin cannot be read.
  public nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
    try await onQueue { () throws(KeepsakeError) in try self.loadNow() }
  }

  /// Seals an archive and replaces the file durably.
  ///
  /// - Parameters:
  ///   - archive: The archive's bytes.
  ///   - previous: The fate of the file that is replaced.
  /// - Throws: `RestorationError`; the file is then unchanged, unless the code is `durabilityUnknown` or
  ///   `pinNotKept`: then the new state is in place.
  public nonisolated(nonsending) func save(
    _ archive: [UInt8], previous: PreviousState
  ) async throws(RestorationError) {
    try await onQueue { () throws(KeepsakeError) in
      try self.saveNow(archive, previous: previous)
    }
  }

  /// Removes the sealed archive, if there is one; the key stays.
  ///
  /// - Throws: `RestorationError`.
  public nonisolated(nonsending) func remove() async throws(RestorationError) {
    try await onQueue { () throws(KeepsakeError) in try self.removeNow() }
  }

  /// Starts over when the key is lost: sets archive and key aside, so that the next save makes a new key.
  ///
  /// A key that is not the directory's own, such as one in a keychain, may be used by further states. It stays,
  /// unless it is damaged; see ``KeyStore/belongs(to:)``.
  ///
  /// Nothing else ever makes a new key beside an archive. The old files stay in the directory until the user removes
  /// them, and can still be opened with the old key. A coordinator has to `prepare()` again afterwards.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func reset() async throws(RestorationError) {
    try await onQueue { () throws(KeepsakeError) in try self.resetNow() }
  }

  /// Renames the sealed archive in its directory, and removes the mark of a restore.
  ///
  /// - Returns: The new path of the archive.
  /// - Throws: `RestorationError` when the directory cannot be written.
  public nonisolated(nonsending) func setAside() async throws(RestorationError) -> String {
    try await onQueue { () throws(KeepsakeError) in try self.setInterruptedAside() }
  }

  /// Writes the mark of a restore into the directory: a file with the number of the attempt.
  ///
  /// - Parameter attempt: The number of the attempt, from 1.
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func beginRestoration(attempt: Int) throws(RestorationError) {
    if isReadOnly { return }
    try RestorationError.reporting { () throws(KeepsakeError) in try writeMark(attempt: attempt) }
  }

  /// Removes the mark of a restore.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func endRestoration() throws(RestorationError) {
    if isReadOnly { return }
    try RestorationError.reporting { () throws(KeepsakeError) in try removeMark() }
  }

  /// Runs work on the queue of loads and saves.
  nonisolated(nonsending) func perform<T: Sendable>(
    _ work: @escaping @Sendable () throws(KeepsakeError) -> T
  ) async throws(KeepsakeError) -> T {
    try await queue.result(of: work).get()
  }

  nonisolated(nonsending) private func onQueue<T: Sendable>(
    _ work: @escaping @Sendable () throws(KeepsakeError) -> T
  ) async throws(RestorationError) -> T {
    let result = await queue.result { () throws(RestorationError) in
      try RestorationError.reporting(work)
    }
    return try result.get()
  }
}
