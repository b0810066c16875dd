import Dispatch
public import KeepsakeFiles
public import KeepsakeSeal
import Synchronization

/// A key in a file that is protected by a passphrase; Argon2id runs once per launch, not in each save.
///
/// Give it the passphrase before the coordinator prepares. While it is locked, nothing is restored and nothing is
/// overwritten; after it is unlocked, prepare again.
///
/// ```swift
/// let keyStore = PassphraseKeyStore(path: directory.keyPath)
/// try await keyStore.unlock(with: passphrase)
/// let coordinator = RestorationCoordinator(
///   directory: directory, keyStore: keyStore,
///   configuration: RestorationConfiguration(
///     bundleVersion: version))
/// ```
public final class PassphraseKeyStore: KeyStore {
  private struct State {
    var key: SealKey?
    /// The passphrase for the key that the first save makes, as long as no key exists.
    var newPassphrase: SealPassphrase?
    /// The number of locks, so that a call that began before a lock does not unlock the store after it.
    var lockCount = 0
    /// The number of times that the key was set aside, so that nothing more is sealed with an older one.
    var setAsideCount = 0
  }

  /// The path of the key file.
  package let path: String
  /// The cost of each guess at the passphrase of a new key file.
  package let cost: PassphraseCost
  /// The maximum cost of an attempt to open a key file.
  package let policy: SealPolicy
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "Keepsake.PassphraseKeyStore")
  /// Called when a key file has been read or made, before the store keeps the key; for tests.
  private let whenDone: @Sendable () -> Void

  /// Creates a key store, locked; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: The path of the key file.
  ///   - cost: The cost of each guess at the passphrase of a new key file.
  ///   - policy: The maximum cost of an attempt to open a key file.
  public convenience init(
    path: some FilePathConvertible, cost: PassphraseCost = .standard,
    policy: SealPolicy = SealPolicy()
  ) {
    self.init(path: path.filePath, cost: cost, policy: policy) {}
  }

  init(
    path: String, cost: PassphraseCost, policy: SealPolicy = SealPolicy(),
    whenDone: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.cost = cost
    self.policy = policy
    self.whenDone = whenDone
  }

  /// Opens the key file with its passphrase, on a thread of its own.
  ///
  /// If the key file is absent, the passphrase is remembered, and the first save that needs a key makes one with it.
  /// A state whose key is lost still makes no new key.
  ///
  /// If ``lock()`` or ``setKeyAside()`` is called in the meantime, the store stays locked.
  ///
  /// - Parameter passphrase: The passphrase that the user has typed.
  /// - Returns: Whether the key file exists.
  /// - Throws: ``KeepsakeError`` with `keyWrong`, `keyDamaged` or `keyUnavailable`, and with `keyLocked` when
  ///   the store was locked meanwhile.
  @discardableResult
  public func unlock(with passphrase: SealPassphrase) async throws(KeepsakeError) -> Bool {
    // Read before the first suspension, so that any later lock() counts.
    let lockCount = state.withLock { $0.lockCount }
    return try await queue.result { () throws(KeepsakeError) in
      let key: SealKey? =
        if try self.isPresent {
          try KeepsakeError.readingKey { () throws(SealError) in
            try SealKey.read(at: self.path, passphrase: passphrase, policy: self.policy)
          }
        } else {
          nil
        }
      self.whenDone()
      let isKept = self.state.withLock { state in
        guard state.lockCount == lockCount else { return false }
        state.key = key
        state.newPassphrase = key == nil ? passphrase : nil
        return true
      }
      guard isKept else { throw self.lockedMeanwhile }
      return key != nil
    }.get()
  }

  /// Changes the passphrase of the key file; files that its key has sealed stay as they are.
  ///
  /// - Parameters:
  ///   - passphrase: The present passphrase.
  ///   - newPassphrase: The new passphrase.
  /// - Throws: ``KeepsakeError`` as ``unlock(with:)`` does, and with `keyAbsent`; the file is then unchanged. With
  ///   `durabilityUnknown` it has the new passphrase, but a power cut could restore the old one.
  public func changePassphrase(
    from passphrase: SealPassphrase, to newPassphrase: SealPassphrase
  ) async throws(KeepsakeError) {
    try await queue.result { () throws(KeepsakeError) in
      try KeepsakeError.readingKey { () throws(SealError) in
        try SealKey.changePassphrase(
          at: self.path, from: passphrase, to: newPassphrase, cost: self.cost, policy: self.policy)
      }
    }.get()
  }

  /// Whether a guess at the passphrase of the key file costs less than at that of a new one, so that the file should
  /// be rewritten.
  ///
  /// When the user has typed the passphrase, call ``changePassphrase(from:to:)`` with it for both parameters to raise
  /// the cost; the key and the files that it has sealed stay as they are.
  ///
  /// - Returns: Whether it costs less; `false` if the key file is absent.
  /// - Throws: ``KeepsakeError`` with `keyDamaged` or `keyUnavailable`.
  public func needsUpgrade() throws(KeepsakeError) -> Bool {
    guard try isPresent else { return false }
    return try KeepsakeError.readingKey { () throws(SealError) in
      try SealKey.passphraseCost(at: path).isLower(than: cost)
    }
  }

  /// Forgets the key, for example when the user leaves; its memory is wiped after its last use.
  ///
  /// An ``unlock(with:)`` under way fails. A save that already has the key finishes.
  public func lock() {
    state.withLock { state in
      state.key = nil
      state.newPassphrase = nil
      state.lockCount += 1
    }
  }

  /// Returns the key that ``unlock(with:)`` has opened.
  ///
  /// - Throws: ``KeepsakeError`` with `keyAbsent` if the key file is absent, also when it was removed after it was
  ///   opened, and with `keyLocked`.
  public func existingKey() throws(KeepsakeError) -> SealKey {
    // Without its file the key is not returned: a state that is sealed now could not be opened later.
    guard try isPresent else { return try KeyFileStore(path: path).existingKey() }
    guard let key = state.withLock({ $0.key }) else { throw locked }
    return key
  }

  /// Returns the key that ``unlock(with:)`` has opened, or makes one with the passphrase from that call.
  ///
  /// - Throws: ``KeepsakeError`` with `keyLocked`, also when the key was set aside while it was made; with
  ///   `keyAbsent` when its file was removed after it was opened; and when the key file cannot be used.
  public func existingOrNewKey() throws(KeepsakeError) -> SealKey {
    let before = state.withLock { $0 }
    if before.key != nil { return try existingKey() }
    guard let passphrase = before.newPassphrase else { throw locked }
    let new = try KeepsakeError.readingKey { () throws(SealError) in
      do throws(SealError) {
        return try SealKey.create(at: path, passphrase: passphrase, cost: cost)
      } catch  where error.code == .alreadyExists {
        // Another process was faster; its passphrase may differ.
        return try SealKey.read(at: path, passphrase: passphrase, policy: policy)
      }
    }
    whenDone()
    let isUsable = state.withLock { state in
      if state.lockCount == before.lockCount {
        state.key = new
        state.newPassphrase = nil
      }
      // If the store was locked meanwhile, the key still serves the save that it was made for.
      return state.setAsideCount == before.setAsideCount
    }
    guard isUsable else { throw lockedMeanwhile }
    return new
  }

  /// Whether the path of the key file is that of the directory's key.
  public func belongs(to directory: StateDirectory) -> Bool { path == directory.keyPath }

  /// Renames the key file, if there is one, to a free name in the same directory, and forgets the key.
  ///
  /// An ``unlock(with:)`` under way fails. Give the passphrase of the next key by ``unlock(with:)``.
  ///
  /// - Throws: ``KeepsakeError`` when the directory cannot be written.
  public func setKeyAside() throws(KeepsakeError) {
    do throws(KeepsakeError) {
      try KeyFileStore(path: path).setKeyAside()
    } catch {
      // The file already has its new name: nothing more may be sealed with the key.
      if error.code == .durabilityUnknown { forgetKeySetAside() }
      throw error
    }
    forgetKeySetAside()
  }

  private func forgetKeySetAside() {
    state.withLock { $0.setAsideCount += 1 }
    lock()
  }

  private var isPresent: Bool {
    get throws(KeepsakeError) {
      try KeepsakeError.access { () throws(FileError) in
        try DurableFile.kind(of: path) != .absent
      }
    }
  }

  private var locked: KeepsakeError {
    KeepsakeError(
      .keyLocked,
      "The key in \(path) is locked; unlock it with its passphrase first, then try again.",
      at: path)
  }

  private var lockedMeanwhile: KeepsakeError {
    KeepsakeError(
      .keyLocked,
      "The key in \(path) was locked or set aside while it was being unlocked, so it stays locked; "
        + "unlock it again.", at: path)
  }
}
