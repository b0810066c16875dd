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
/// let sessions = StateSessions(in: try .user("com.example.contacts"))
/// let session = try await sessions.resume()  // the window that was used last, or a new one
/// ```
///
/// Several processes may use one directory: each session belongs to one of them at a time, and the
/// others pass it over. All work on files runs on a thread of its own. The files are stated in
/// Spec/state.md.
public final class StateSessions: Sendable {
  /// A session that is open as long as somebody has it.
  struct OpenSession {
    weak var session: StateSession?
  }

  /// The state directory of the app.
  public let directory: StateDirectory
  /// How long sessions are kept, and how many.
  public let policy: SessionPolicy

  /// The folder of all sessions.
  let folder: StateDirectory
  let keyStore: any KeyStore
  let freshnessStore: (any FreshnessStore)?
  let now: @Sendable () -> Date
  let queue = DispatchQueue(label: "Keepsake.StateSessions")
  let openSessions = Mutex<[SessionIdentifier: OpenSession]>([:])
  /// The folders of the sessions that this launch has set aside.
  let setAsideHere = Mutex<Set<StateDirectory>>([])

  /// Names the sessions of a state directory; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: The state directory of the app.
  ///   - keyStore: Where the app's key is kept; by default in a key file beside the sessions. Each
  ///     session's key is that key combined with a random one of its own.
  ///   - freshnessStore: Where the pins of the sessions' states are kept, so that older ones put back are
  ///     refused; by default nowhere.
  ///   - policy: How long sessions are kept, and how many.
  ///   - now: Gives the time, by which sessions expire.
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

  /// Lists the sessions, the one that was saved last first; those with nothing saved come last.
  ///
  /// - Returns: What can be told of each session without its key, of those that were set aside too. One
  ///   that cannot be looked at is listed with its ``SessionSummary/problem``.
  /// - Throws: ``KeepsakeError`` when the directory of the sessions cannot be read.
  public func list() async throws(KeepsakeError) -> [SessionSummary] {
    try await onQueue { () throws(KeepsakeError) in try self.listNow() }
  }

  /// Opens the session that was saved last and that no process uses, or a new one; prunes before.
  ///
  /// Sessions that have expired, and those that cannot be looked at or opened, are passed over.
  ///
  /// This is what an app does for its first window, and again for each further window of the last time.
  ///
  /// - Returns: The session. Its ``StateSession/reason`` is `nil` when it is a new one.
  /// - Throws: ``KeepsakeError`` when the directory cannot be read or written.
  public func resume() async throws(KeepsakeError) -> StateSession {
    try await onQueue { () throws(KeepsakeError) in try self.resumeNow() }
  }

  /// Opens a session by its name, or a new one when there is none of that name.
  ///
  /// A session that was set aside because it had expired is brought back.
  ///
  /// - Parameter identifier: The name; by default a new one.
  /// - Returns: The session; the same object while it is open.
  /// - Throws: ``KeepsakeError`` with `stateInUse` when another process uses the session.
  public func open(
    _ identifier: SessionIdentifier = SessionIdentifier()
  ) async throws(KeepsakeError) -> StateSession {
    try await onQueue { () throws(KeepsakeError) in try self.openNow(identifier) }
  }

  /// Opens what a session has saved, to look at it; also while this process uses the session.
  ///
  /// - Parameter identifier: The name of the session, also of one that was set aside.
  /// - Returns: The archive of its last save.
  /// - Throws: ``KeepsakeError`` when nothing was saved (`stateAbsent`), another process uses the session
  ///   (`stateInUse`), the key cannot be had, or the archive is damaged.
  public func archive(of identifier: SessionIdentifier) async throws(KeepsakeError) -> Archive {
    try await onQueue { () throws(KeepsakeError) in try self.archiveNow(of: identifier) }
  }

  /// Erases a session that no process uses, its key first; also one that was set aside.
  ///
  /// - Parameter identifier: The name of the session.
  /// - Throws: ``KeepsakeError`` with `stateInUse` when a process uses it, this one included; with
  ///   `stateAbsent` when there is no such session.
  public func remove(_ identifier: SessionIdentifier) async throws(KeepsakeError) {
    try await onQueue { () throws(KeepsakeError) in try self.removeNow(identifier) }
  }

  /// Sets the sessions aside that have expired, and erases those that had been set aside for long enough,
  /// exceed the budget, or hold nothing.
  ///
  /// ``resume()`` does it, too. The rules are in Spec/state.md, section 4.
  ///
  /// - Returns: What was done with which session, and why; what failed, too.
  /// - Throws: ``KeepsakeError`` when the directory of the sessions cannot be read.
  @discardableResult
  public func prune() async throws(KeepsakeError) -> [SessionRemoval] {
    try await onQueue { () throws(KeepsakeError) in try self.pruneNow() }
  }

  /// Starts over when the app's key is lost: sets the states and the keys of all sessions aside.
  ///
  /// Nothing is deleted: with the old keys the states can still be opened. A reset that fails half-way
  /// says so, and is completed by another one.
  ///
  /// - Throws: ``KeepsakeError`` with `stateInUse` when a process uses a session, this one included, and
  ///   nothing was changed then; otherwise the sentence says what was set aside and what was not.
  public func reset() async throws(KeepsakeError) {
    try await onQueue { () throws(KeepsakeError) in try self.resetNow() }
  }
}
