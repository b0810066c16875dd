import Dispatch
public import KeepsakeArchive
import KeepsakeSeal
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The sessions of an app in its state directory: one sealed archive for each window or scene, each with
/// a key of its own.
///
/// ```swift
/// let sessions = StateSessions(
///   in: try .user("com.example.contacts"))
/// // All windows that were open; the last one is in front.
/// for session in try await sessions.resumeAll() {
///   try await openWindow(session)
/// }
/// ```
///
/// Several processes may use one directory: each session belongs to one of them at a time, and the others skip it.
/// All work on files runs on a thread of its own. Spec/state.md defines the files.
public final class StateSessions: Sendable {
  /// A session that is open as long as the program holds it.
  struct OpenSession {
    weak var session: StateSession?
  }

  /// The state directory of the app.
  package let directory: StateDirectory
  /// The rules for removing sessions: by age, number and size.
  package let policy: SessionPolicy

  let folder: StateDirectory
  let keyStore: any KeyStore
  let freshnessStore: (any FreshnessStore)?
  let now: @Sendable () -> Date
  let queue = DispatchQueue(label: "Keepsake.StateSessions")
  let openSessions = Mutex<[SessionIdentifier: OpenSession]>([:])
  /// The folders of the sessions that this launch has set aside.
  let setAsideHere = Mutex<Set<StateDirectory>>([])

  /// Creates the value for the sessions of a state directory; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: The state directory of the app.
  ///   - keyStore: The store of the app's key; by default a key file beside the sessions. Each session's key is that
  ///     key combined with a random one of its own.
  ///   - freshnessStore: The store of the pins of the sessions' states, with which older states are refused; nil for
  ///     no pins.
  ///   - policy: The rules for removing sessions.
  ///   - now: Returns the time by which sessions expire.
  public init(
    in directory: StateDirectory, keyStore: (any KeyStore)? = nil,
    freshnessStore: (any FreshnessStore)? = nil,
    policy: SessionPolicy = SessionPolicy(), now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.directory = directory
    self.freshnessStore = freshnessStore
    self.policy = policy
    self.now = now
    folder = directory.inner("sessions")
    self.keyStore = keyStore ?? KeyFileStore(path: folder.keyPath)
  }

  /// Lists the sessions, the last saved one first; those with nothing saved come last.
  ///
  /// - Returns: The facts about each session that need no key, including those that were set aside. A session that
  ///   cannot be inspected is listed with its ``SessionSummary/problem``.
  /// - Throws: ``KeepsakeError`` when the directory of the sessions cannot be read.
  public func list() async throws(KeepsakeError) -> [SessionSummary] {
    try await onQueue { () throws(KeepsakeError) in try self.listNow() }
  }

  /// Prunes, and then opens the last saved session that no process uses, or a new one.
  ///
  /// Expired sessions, and those that cannot be inspected or opened, are skipped.
  ///
  /// It is for an app with one window; ``resumeAll()`` opens every window of the last launch.
  ///
  /// - Returns: The session. Its ``StateSession/reason`` is `nil` when it is new.
  /// - Throws: ``KeepsakeError`` when the directory cannot be read or written.
  public func resume() async throws(KeepsakeError) -> StateSession {
    try await onQueue { () throws(KeepsakeError) in try self.resumeNow() }
  }

  /// Prunes, and then opens the sessions of all windows that were open, in the order in which they were on the screen.
  ///
  /// ```swift
  /// for session in try await sessions.resumeAll() {
  ///   try await openWindow(session)
  /// }
  /// ```
  ///
  /// A window is open from the time when its session is opened until ``StateSession/close()`` or
  /// ``StateSession/discard()``, in this launch or an earlier one, however that ended. Windows that other processes use
  /// now are skipped, and so are those without a saved state, those that have expired, and those that cannot be opened.
  /// If no version of the app has written a list of windows yet, the session that was saved last is opened alone.
  ///
  /// - Returns: The sessions, from back to front: the last one was in front. It is empty at the first launch, and when
  ///   the user has closed all windows; then call ``open(_:)``.
  /// - Throws: ``KeepsakeError`` when the directory cannot be read or written.
  public func resumeAll() async throws(KeepsakeError) -> [StateSession] {
    try await onQueue { () throws(KeepsakeError) in try self.resumeAllNow() }
  }

  /// Opens the session with a name, or a new one with that name.
  ///
  /// A session that was set aside as expired is brought back.
  ///
  /// - Parameter identifier: The name; by default a new one.
  /// - Returns: The session; the same object while it is open.
  /// - Throws: ``KeepsakeError`` with `stateInUse` when another process uses the session.
  public func open(
    _ identifier: SessionIdentifier = SessionIdentifier()
  ) async throws(KeepsakeError) -> StateSession {
    try await onQueue { () throws(KeepsakeError) in try self.openNow(identifier) }
  }

  /// Opens the saved state of a session for inspection, even while this process uses the session.
  ///
  /// - Parameter identifier: The name of the session, also of one that was set aside.
  /// - Returns: The archive of its last save.
  /// - Throws: ``KeepsakeError`` when nothing was saved (`stateAbsent`), another process uses the session
  ///   (`stateInUse`), the key is unavailable, or the archive is damaged.
  public func archive(of identifier: SessionIdentifier) async throws(KeepsakeError) -> Archive {
    try await onQueue { () throws(KeepsakeError) in try self.archiveNow(of: identifier) }
  }

  /// Erases a session that no process uses, its key first; also one that was set aside.
  ///
  /// - Parameter identifier: The name of the session.
  /// - Throws: ``KeepsakeError`` with `stateInUse` when a process, this one included, uses it; with `stateAbsent`
  ///   when the session does not exist.
  public func remove(_ identifier: SessionIdentifier) async throws(KeepsakeError) {
    try await onQueue { () throws(KeepsakeError) in try self.removeNow(identifier) }
  }

  /// Sets expired sessions aside, and erases those that were set aside for long enough, exceed the budget, or have no
  /// saved state.
  ///
  /// ``resume()`` does it, too. Spec/state.md, section 4, has the rules.
  ///
  /// - Returns: The changes to sessions with their reasons, and the failures.
  /// - Throws: ``KeepsakeError`` when the directory of the sessions cannot be read.
  @discardableResult
  public func prune() async throws(KeepsakeError) -> [SessionRemoval] {
    try await onQueue { () throws(KeepsakeError) in try self.pruneNow() }
  }

  /// Starts over when the app's key is lost: sets the states and the keys of all sessions aside.
  ///
  /// Nothing is deleted: with the old keys the states can still be opened. If a reset fails half-way, the error says
  /// so, and another call completes it.
  ///
  /// - Throws: ``KeepsakeError`` with `stateInUse` when a process, this one included, uses a session, and nothing was
  ///   changed; otherwise the message says what was set aside and what was not.
  public func reset() async throws(KeepsakeError) {
    try await onQueue { () throws(KeepsakeError) in try self.resetNow() }
  }
}
