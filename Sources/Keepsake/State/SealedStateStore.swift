import Dispatch
public import KeepsakeRestoration
public import KeepsakeSeal
import Synchronization

/// A restoration store that keeps the archive in a sealed file of a state directory.
///
/// Every load and save runs on a thread of the store's own, so that neither Argon2 nor a slow disk
/// holds up the app. A save replaces the file durably or leaves it as it was. What could not be read
/// is never overwritten: a damaged archive is set aside under another name by the save that replaces
/// it, and a missing key beside an archive makes no new key.
///
/// From the first load or save on, the directory is locked against other processes, until the store is
/// let go, ``suspend()`` is called or the process ends: a second process restores nothing and saves nothing,
/// and says why. A directory of another user, or one that others can write, is refused. The files and the
/// lock are stated in Spec/state.md. Apps with several windows use ``StateSessions``.
public final class SealedStateStore: RestorationStore {
  /// What the store knows of the files after its last call.
  struct Knowledge {
    var lock: FileLock?
    /// Whether this user cannot write the directory, as of the last load.
    var isOnlyReadable = false
    /// The generation of the archive that was last read, written or removed; `nil` before that.
    var generation: UInt64?
    var freshness = SealFreshness.unverified
    /// Whether the last save has kept what it replaced under another name, and failed after that.
    var hasKeptPrevious = false
    /// The archive as it was last loaded, saved or taken away under the lock.
    var version: FileVersion?
    /// Whether others may have saved since: the lock was given back, or there was no directory yet that
    /// could have been locked.
    var mayHaveChanged = false
    /// Whether more archives may have been set aside than are kept.
    var mayHaveSurplus = true
  }

  /// The directory of the state.
  public let directory: StateDirectory
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
  ///   - keyStore: Where the key is kept; by default in a key file in the directory.
  ///   - freshnessStore: Where the pin of the state is kept, so that an older state put back is refused; by
  ///     default nowhere, and it is opened.
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

  /// Whether the state of the last load is known to be the last one that was saved; without a pin it is not.
  public var freshness: SealFreshness { knowledge.withLock { $0.freshness } }

  /// Why nothing can be saved, when the last load has found that this user cannot write the directory.
  public var savingObstacle: String? { isOnlyReadable ? directory.onlyReadable().message : nil }

  /// Reads and opens the sealed archive.
  ///
  /// Where this user can read the directory and not write it, the state is read without lock and mark, and
  /// ``savingObstacle`` says so.
  ///
  /// - Returns: The archive's bytes, or why there are none.
  /// - Throws: `RestorationError` when the key cannot be had, the file is damaged, another process uses
  ///   it, or the directory cannot be read; with `wrongPurpose`, `staleState` or `freshnessUnavailable` when
  ///   it is another directory's state, an older one, or its pin cannot be read.
  public nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
    try await onQueue { () throws(KeepsakeError) in try self.loadNow() }
  }

  /// Seals an archive and replaces the file durably.
  ///
  /// - Parameters:
  ///   - archive: The archive's bytes.
  ///   - previous: What to do with the file that is replaced.
  /// - Throws: `RestorationError`; the file is then what it was before, unless the code is
  ///   `durabilityUnknown` or `pinNotKept`: the new state is then in place.
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

  /// Starts over when the key is lost: sets archive and key aside, so that the next save makes a new
  /// key.
  ///
  /// A key that is not the directory's own, such as one in a keychain, may be that of further states. It
  /// stays, unless it is damaged; see ``KeyStore/belongs(to:)``.
  ///
  /// Nothing else ever makes a new key beside an archive. What was set aside stays in the directory
  /// until the user removes it; with the old key it can still be opened. A coordinator has to
  /// `prepare()` again afterwards.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func reset() async throws(RestorationError) {
    try await onQueue { () throws(KeepsakeError) in try self.resetNow() }
  }

  /// Moves the sealed archive to a name beside it, and takes the mark of a restore away.
  ///
  /// - Returns: The path of the archive now.
  /// - Throws: `RestorationError` when the directory cannot be written.
  public nonisolated(nonsending) func setAside() async throws(RestorationError) -> String {
    try await onQueue { () throws(KeepsakeError) in try self.setInterruptedAside() }
  }

  /// Leaves the mark of a restore in the directory: a file with the number of the attempt.
  ///
  /// - Parameter attempt: The number of the attempt, from 1.
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func beginRestoration(attempt: Int) throws(RestorationError) {
    if isOnlyReadable { return }
    try RestorationError.reporting { () throws(KeepsakeError) in try writeMark(attempt: attempt) }
  }

  /// Takes the mark of a restore away.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func endRestoration() throws(RestorationError) {
    if isOnlyReadable { return }
    try RestorationError.reporting { () throws(KeepsakeError) in try removeMark() }
  }

  /// Does work in turn with loads and saves.
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
