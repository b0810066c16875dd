public import KeepsakeRestoration
import KeepsakeSeal
import Synchronization

/// The saved state of one window or scene, in use by this process.
///
/// It is the store of the window's coordinator. Other processes cannot use it until it is released. ``StateSessions``
/// opens sessions.
///
/// ```swift
/// let session = try await sessions.resume()
/// let coordinator = RestorationCoordinator(
///   session: session,
///   configuration: RestorationConfiguration(
///     bundleVersion: version))
/// ```
///
/// Tell it when the window is in front, when the app goes to the background and when the user quits, so that the next
/// launch knows what to restore, and why. ``StateSaver/saveAtExit(within:)`` tells it about a signal that ends the app.
public final class StateSession: RestorationStore {
  /// The name of the session.
  public let identifier: SessionIdentifier
  /// How the last process that used the session ended; `nil` when nothing was saved.
  public let reason: RestorationReason?

  private let files: SessionFiles
  package let store: SealedStateStore
  private let isDiscarded = Mutex(false)
  /// True while ``remove()`` has begun and not ended: the record then says that the session is discarded.
  private let isErasing = Mutex(false)

  init(_ files: SessionFiles, reason: RestorationReason?, store: SealedStateStore) {
    identifier = files.identifier
    self.reason = reason
    self.files = files
    self.store = store
  }

  /// Records that the user has left the app: the system may end it at any time from now on.
  ///
  /// Save the state, too.
  ///
  /// - Throws: ``KeepsakeError`` when the directory cannot be written.
  public func enterBackground() async throws(KeepsakeError) { try await record(.background) }

  /// Releases the session to other processes until it is used again, as ``SealedStateStore/suspend()`` does.
  ///
  /// Another process may resume the session meanwhile; its use here then fails with `stateInUse` or `stateChanged`.
  public func suspend() async { await store.suspend() }

  /// Records that the user has come back.
  ///
  /// - Throws: ``KeepsakeError`` when the directory cannot be written.
  public func enterForeground() async throws(KeepsakeError) { try await record(.active) }

  /// Records why the process is about to end; call it after the last save.
  ///
  /// The window stays among those that ``StateSessions/resumeAll()`` opens.
  ///
  /// - Parameter reason: The reason: the user quits, or the system has asked the app to end.
  /// - Throws: ``KeepsakeError`` when the directory cannot be written.
  public func end(_ reason: RestorationReason) async throws(KeepsakeError) {
    switch reason {
    case .userQuit: try await record(.userQuit)
    case .systemKill: try await record(.systemKill)
    case .crash: try await record(.active)
    }
  }

  /// Records that the window is in front of the others.
  ///
  /// Call it when the user has switched to the window. ``StateSessions/resumeAll()`` returns its session last.
  ///
  /// - Throws: ``KeepsakeError`` when the directory cannot be written.
  public func bringToFront() async throws(KeepsakeError) {
    let identifier = identifier
    try await changeWindows { windows throws(KeepsakeError) in
      try windows.bringToFront(identifier)
    }
  }

  /// Records that the user has closed the window: ``StateSessions/resumeAll()`` does not open it again.
  ///
  /// Call it after the last save, and not when the app ends: that is ``end(_:)``. The saved state stays until the
  /// policy removes it, so that ``StateSessions/open(_:)`` can bring the window back; ``discard()`` erases the state.
  ///
  /// - Throws: ``KeepsakeError`` when the directory cannot be written.
  public func close() async throws(KeepsakeError) {
    let identifier = identifier
    try await changeWindows { windows throws(KeepsakeError) in try windows.remove(identifier) }
    try await record(.userQuit)
  }

  /// Changes the list of open windows, on the queue of the store.
  private func changeWindows(
    _ change: @escaping @Sendable (inout OpenWindows) throws(KeepsakeError) -> Void
  ) async throws(KeepsakeError) {
    try requireUse()
    let (folder, store) = (files.folder, store)
    try await store.perform { () throws(KeepsakeError) in
      // A window that cannot be saved stays as it is listed.
      if store.isReadOnly { return }
      let lock = try StateSessions.lock(folder)
      defer { withExtendedLifetime(lock) {} }
      var windows = OpenWindows(in: folder)
      try change(&windows)
    }
  }

  /// Erases the saved state for good, its key first, and closes the session.
  ///
  /// Call it when the user closes the window for good. It waits for a save that is under way; nothing
  /// can be saved afterwards.
  ///
  /// - Returns: The number of other names (hard links) of the erased key files on the file system; each of them now
  ///   leads to a file of zeros, which opens nothing.
  /// - Throws: ``KeepsakeError`` when the directory cannot be written. If the message says that the session is
  ///   discarded, its key may be erased already, and the next pruning continues; otherwise nothing has changed.
  @discardableResult
  public func discard() async throws(KeepsakeError) -> Int {
    isDiscarded.withLock { $0 = true }
    return try await store.perform { () throws(KeepsakeError) in try self.discardNow() }
  }

  /// Discards on the calling thread.
  @discardableResult
  package func discardNow() throws(KeepsakeError) -> Int {
    isDiscarded.withLock { $0 = true }
    do throws(KeepsakeError) {
      return try discardFiles()
    } catch {
      // Before the point of no return nothing has changed, and the session stays usable.
      if let use = files.record?.use, use != .discarded { isDiscarded.withLock { $0 = false } }
      throw error
    }
  }

  private func discardFiles() throws(KeepsakeError) -> Int {
    if try files.names().isEmpty { return 0 }
    // The lock keeps other processes from opening a session of this name before its directory is removed.
    let lock = try StateSessions.lock(files.folder)
    defer { withExtendedLifetime(lock) {} }
    try store.lock()
    try store.requireUnchanged()
    // The point of no return is in this call; an error after it says what was erased.
    let remains = try files.remove()
    // A listed window without a session is skipped.
    var windows = OpenWindows(in: files.folder)
    try? windows.remove(identifier)
    // A pin that stays does no harm.
    try? store.freshnessStore?.removePin(of: store.directory.purpose)
    store.unlock()
    return remains.otherKeyNames
  }

  /// True when the session was discarded, so that its name may belong to a new session.
  var wasDiscarded: Bool { isDiscarded.withLock { $0 } }

  /// Records why a signal ends the process, unless the app has recorded a reason itself, or is in the background.
  func noteEnd(_ reason: RestorationReason) async {
    try? await record(reason == .userQuit ? .userQuit : .systemKill, replacingActiveOnly: true)
  }

  /// Records how the session is used.
  ///
  /// With `replacingActiveOnly`, only a record that says that the app is active is replaced.
  private func record(
    _ use: SessionRecord.Use, replacingActiveOnly: Bool = false
  ) async throws(KeepsakeError) {
    try requireUse()
    let path = files.recordPath
    let store = store
    try await store.perform { () throws(KeepsakeError) in
      // A session that cannot be saved needs no record for the next launch.
      if store.isReadOnly { return }
      try self.finishErasing()
      if replacingActiveOnly, SessionRecord(at: path)?.use != .active { return }
      try store.lock()
      try SessionRecord(use).write(to: path)
    }
  }

  private func requireUse() throws(KeepsakeError) {
    if wasDiscarded {
      throw KeepsakeError(
        .sessionDiscarded,
        "The session \(identifier) was discarded and can no longer be used; open another one.")
    }
  }
}

// The requirements of the engine.
extension StateSession {
  /// The reason why nothing can be saved, when the last load found that this user cannot write the session's folder.
  public var savingObstacle: String? { store.savingObstacle }

  /// Reads and opens the sealed archive, as ``SealedStateStore/load()`` does.
  public nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
    try requireStore()
    return try await store.load()
  }

  /// Seals an archive and replaces the file durably, as ``SealedStateStore/save(_:previous:)`` does.
  public nonisolated(nonsending) func save(_ archive: [UInt8], previous: PreviousState)
    async throws(RestorationError)
  {
    try requireStore()
    if isErasing.withLock({ $0 }) {
      let store = store
      try await Self.reporting { () async throws(KeepsakeError) in
        try await store.perform { () throws(KeepsakeError) in
          try KeepsakeError.preparing { () throws(KeepsakeError) in try self.finishErasing() }
        }
      }
    }
    try await store.save(archive, previous: previous)
  }

  /// Erases the saved state, its key first; the session stays open, and the next save makes a new key.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public nonisolated(nonsending) func remove() async throws(RestorationError) {
    try requireStore()
    let (files, store) = (files, store)
    try await Self.reporting { () async throws(KeepsakeError) in
      try await store.perform { () throws(KeepsakeError) in
        try store.lock()
        try store.requireUnchanged()
        self.isErasing.withLock { $0 = true }
        do throws(KeepsakeError) {
          try self.finishErasing()
        } catch {
          // Before the point of no return nothing has changed, so there is nothing to finish.
          if files.record?.use != .discarded { self.isErasing.withLock { $0 = false } }
          throw error
        }
      }
    }
  }

  /// Finishes an erasure that has begun, so that a later save does not count as discarded.
  private func finishErasing() throws(KeepsakeError) {
    guard isErasing.withLock({ $0 }) else { return }
    try store.lock()
    try files.erase()
    store.noteVersion()
    do throws(KeepsakeError) {
      try SessionRecord(.active).write(to: files.recordPath)
    } catch {
      throw error.after(
        "The saved state of the session \(identifier) was erased.",
        "The next save writes its record again.")
    }
    isErasing.withLock { $0 = false }
  }

  private nonisolated(nonsending) static func reporting(
    _ work: () async throws(KeepsakeError) -> Void
  ) async throws(RestorationError) {
    do throws(KeepsakeError) {
      try await work()
    } catch {
      throw RestorationError(error)
    }
  }

  /// Renames the sealed archive in its directory, as ``SealedStateStore/setAside()`` does.
  public nonisolated(nonsending) func setAside() async throws(RestorationError) -> String {
    try requireStore()
    return try await store.setAside()
  }

  /// Sets archive and key of this session aside, so that the next save makes a new key.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func reset() async throws(RestorationError) {
    try requireStore()
    try await store.reset()
  }

  /// Writes the mark of a restore, as ``SealedStateStore/beginRestoration(attempt:)`` does.
  public func beginRestoration(attempt: Int) throws(RestorationError) {
    try requireStore()
    try store.beginRestoration(attempt: attempt)
  }

  /// Removes the mark of a restore, as ``SealedStateStore/endRestoration()`` does.
  public func endRestoration() throws(RestorationError) {
    try requireStore()
    try store.endRestoration()
  }

  private func requireStore() throws(RestorationError) {
    try RestorationError.reporting { () throws(KeepsakeError) in try requireUse() }
  }
}

/// The reason why there is a session to restore: the end of the last process that used it.
///
/// An app may treat the reasons differently, for example open an empty window after the user has quit, or offer to
/// start fresh after a crash. Spec/state.md, section 3, has the rules.
public enum RestorationReason: String, Hashable, Sendable, CaseIterable {
  /// The user quit the app, or closed the window and kept its state.
  case userQuit
  /// The process ended without a record while the session was in use.
  case crash
  /// The system ended the process: it had announced that, the app was in the background, or the machine was shut
  /// down.
  case systemKill
}

extension RestorationReason: CustomStringConvertible {
  /// The reason as the end of a sentence that begins with "Restored after".
  public var description: String {
    switch self {
    case .userQuit: "the user quit"
    case .crash: "a crash"
    case .systemKill: "the system ended the app"
    }
  }
}
