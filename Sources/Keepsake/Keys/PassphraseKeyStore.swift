import Dispatch
public import KeepsakeSeal
import Synchronization

/// A key in a file that takes a passphrase to open; Argon2id runs once per launch, not in each save.
///
/// Give it the passphrase before the coordinator prepares. As long as it is locked, nothing is restored
/// and nothing is overwritten; once it is unlocked, prepare again.
///
/// ```swift
/// let keyStore = PassphraseKeyStore(path: directory.keyPath)
/// try await keyStore.unlock(with: passphrase)
/// let coordinator = RestorationCoordinator(
///   directory: directory, keyStore: keyStore,
///   configuration: RestorationConfiguration(bundleVersion: version))
/// ```
public final class PassphraseKeyStore: KeyStore {
  private struct State {
    var key: SealKey?
    /// The passphrase of the key that the first save will make, where there is none yet.
    var newPassphrase: SealPassphrase?
    /// How often the store was locked, so that what was begun before does not unlock it afterwards.
    var lockCount = 0
    /// How often the key was set aside, so that nothing more is sealed with the older one.
    var setAsideCount = 0
  }

  /// The path of the key file.
  public let path: String
  /// What each guess at the passphrase of a new key file costs.
  public let cost: PassphraseCost
  /// How much an attempt at a key file may cost.
  public let policy: SealPolicy
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "Keepsake.PassphraseKeyStore")
  /// Called when a key file has been read or made, before the store keeps the key; for tests.
  private let whenDone: @Sendable () -> Void

  /// Creates a key store, locked; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - path: The path of the key file.
  ///   - cost: What each guess at the passphrase of a new key file costs.
  ///   - policy: How much an attempt at a key file may cost.
  public convenience init(
    path: String, cost: PassphraseCost = .standard, policy: SealPolicy = .default
  ) {
    self.init(path: path, cost: cost, policy: policy) {}
  }

  init(
    path: String, cost: PassphraseCost, policy: SealPolicy = .default,
    whenDone: @escaping @Sendable () -> Void
  ) {
    self.path = path
    self.cost = cost
    self.policy = policy
    self.whenDone = whenDone
  }

  /// Opens the key file with its passphrase, on a thread of its own.
  ///
  /// Where there is no key file, the passphrase is remembered, and a key is made under it when the first
  /// save needs one; a state whose key is lost still makes no new one.
  ///
  /// A call that is overtaken by ``lock()`` or ``setKeyAside()`` leaves the store locked.
  ///
  /// - Parameter passphrase: What the user has typed.
  /// - Returns: Whether there was a key file to be opened.
  /// - Throws: ``KeepsakeError`` with `keyWrong`, `keyDamaged` or `keyUnavailable`, and with `keyLocked` when
  ///   the store was locked meanwhile.
  @discardableResult
  public func unlock(with passphrase: SealPassphrase) async throws(KeepsakeError) -> Bool {
    // Before the first suspension: a lock() that comes after the call counts.
    let lockCount = state.withLock { $0.lockCount }
    return try await queue.result { () throws(KeepsakeError) in
      let key: SealKey? =
        if try self.isThere {
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

  /// Gives the key file another passphrase; what was sealed with its key needs nothing.
  ///
  /// - Parameters:
  ///   - passphrase: The passphrase that it has.
  ///   - newPassphrase: The passphrase that it is to have.
  /// - Throws: ``KeepsakeError`` as ``unlock(with:)`` does, and with `keyAbsent`; the file is then as it
  ///   was. With `durabilityUnknown` it has the new passphrase, and a power cut could bring the old one back.
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

  /// Whether a guess at the passphrase of the key file costs less than ``cost``, so that the file should be written
  /// anew.
  ///
  /// When the user has typed the passphrase, ``changePassphrase(from:to:)`` with it as both raises the cost; the key
  /// and what it has sealed stay.
  ///
  /// - Returns: Whether it does; false where there is no key file.
  /// - Throws: ``KeepsakeError`` with `keyDamaged` or `keyUnavailable`.
  public func needsUpgrade() throws(KeepsakeError) -> Bool {
    guard try isThere else { return false }
    return try KeepsakeError.readingKey { () throws(SealError) in
      try SealKey.passphraseCost(at: path).isLower(than: cost)
    }
  }

  /// Forgets the key, as when the user leaves; guarded memory is wiped with its last use.
  ///
  /// An ``unlock(with:)`` that is under way fails. A save that already has the key is finished.
  public func lock() {
    state.withLock { state in
      state.key = nil
      state.newPassphrase = nil
      state.lockCount += 1
    }
  }

  /// Gives the key that ``unlock(with:)`` has opened.
  ///
  /// - Returns: The key.
  /// - Throws: ``KeepsakeError`` with `keyAbsent` where there is no key file, also when it went away since it
  ///   was opened, and with `keyLocked`.
  public func existingKey() throws(KeepsakeError) -> SealKey {
    // Of a file that is not there, this says so: what is sealed now could not be opened later.
    guard try isThere else { return try KeyFileStore(path: path).existingKey() }
    guard let key = state.withLock({ $0.key }) else { throw locked }
    return key
  }

  /// Gives the key that ``unlock(with:)`` has opened, or makes one under the passphrase that it was given.
  ///
  /// - Returns: The key.
  /// - Throws: ``KeepsakeError`` with `keyLocked`, also when the key was set aside while it was made;
  ///   with `keyAbsent` when its file went away since it was opened; and when there is a key file that
  ///   cannot be used.
  public func existingOrNewKey() throws(KeepsakeError) -> SealKey {
    let before = state.withLock { $0 }
    if before.key != nil { return try existingKey() }
    guard let passphrase = before.newPassphrase else { throw locked }
    let new = try KeepsakeError.readingKey { () throws(SealError) in
      do throws(SealError) {
        return try SealKey.create(at: path, passphrase: passphrase, cost: cost)
      } catch  where error.code == .alreadyExists {
        // Another process was faster; its passphrase may be another one.
        return try SealKey.read(at: path, passphrase: passphrase, policy: policy)
      }
    }
    whenDone()
    let isUsable = state.withLock { state in
      if state.lockCount == before.lockCount {
        state.key = new
        state.newPassphrase = nil
      }
      // Locked meanwhile, it is good for the save that it was made for.
      return state.setAsideCount == before.setAsideCount
    }
    guard isUsable else { throw lockedMeanwhile }
    return new
  }

  /// Whether the key file is that of the directory.
  ///
  /// - Parameter directory: A state directory.
  /// - Returns: Whether it lies in the directory under the name of its key.
  public func belongs(to directory: StateDirectory) -> Bool { path == directory.keyPath }

  /// Moves the key file to a name beside it that is not taken, if there is one, and forgets the key.
  ///
  /// An ``unlock(with:)`` that is under way fails. The passphrase of the next key has to be given by
  /// ``unlock(with:)``.
  ///
  /// - Throws: ``KeepsakeError`` when the directory cannot be written.
  public func setKeyAside() throws(KeepsakeError) {
    do throws(KeepsakeError) {
      try KeyFileStore(path: path).setKeyAside()
    } catch {
      // The file has its new name: nothing more may be sealed with the key.
      if error.code == .durabilityUnknown { forgetKeySetAside() }
      throw error
    }
    forgetKeySetAside()
  }

  private func forgetKeySetAside() {
    state.withLock { $0.setAsideCount += 1 }
    lock()
  }

  private var isThere: Bool {
    get throws(KeepsakeError) {
      try KeepsakeError.access { () throws(SealError) in
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
