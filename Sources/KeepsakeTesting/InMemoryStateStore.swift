public import Keepsake
import Synchronization

/// A restoration store in memory, for tests of apps: no file, no key, the same promises.
///
/// It outlives the coordinators that use it, as a file outlives a process. Give it to the coordinator
/// of each simulated launch, or let ``relaunch(_:store:gate:registry:newApp:)`` do that.
public final class InMemoryStateStore: RestorationStore {
  private struct Contents {
    var archive: [UInt8]?
    var attempt = 0
    var setAside: [[UInt8]] = []
    var failure: RestorationError?
  }

  private let contents: Mutex<Contents>

  /// Creates a store.
  ///
  /// - Parameter archive: The archive that it holds at first, if any.
  public init(archive: [UInt8]? = nil) {
    contents = Mutex(Contents(archive: archive))
  }

  /// The archive that was saved last.
  public var archive: [UInt8]? { contents.withLock { $0.archive } }

  /// Whether a restore was begun and not ended, as after a crash in it.
  public var isMarked: Bool { contents.withLock { $0.attempt > 0 } }

  /// Archives that were set aside: interrupted or damaged ones.
  public var setAside: [[UInt8]] { contents.withLock { $0.setAside } }

  /// An error that every access throws from now on, or `nil`: a locked key, a full disk.
  public var failure: RestorationError? {
    get { contents.withLock { $0.failure } }
    set { contents.withLock { $0.failure = newValue } }
  }

  /// Gives the archive, and how many restores of it were begun in a row and not ended.
  ///
  /// - Returns: What the store holds.
  /// - Throws: ``failure``.
  public func load() async throws(RestorationError) -> StoredState {
    try access { contents in
      guard let archive = contents.archive else { return .absent }
      return .archive(archive, failedLaunchCount: contents.attempt)
    }
  }

  /// Sets the archive aside.
  ///
  /// - Returns: A name for where it is now.
  /// - Throws: ``failure``.
  public func setAside() async throws(RestorationError) -> String {
    try access { contents in
      if let archive = contents.archive { contents.setAside.append(archive) }
      contents.archive = nil
      contents.attempt = 0
      return "the store's setAside"
    }
  }

  /// Replaces the archive.
  ///
  /// - Parameters:
  ///   - archive: The archive's bytes.
  ///   - previous: What to do with the archive that is replaced.
  /// - Throws: ``failure``.
  public func save(_ archive: [UInt8], previous: PreviousState) async throws(RestorationError) {
    try access { contents in
      if previous == .setAside, let old = contents.archive { contents.setAside.append(old) }
      contents.archive = archive
    }
  }

  /// Removes the archive.
  ///
  /// - Throws: ``failure``.
  public func remove() async throws(RestorationError) {
    try access { $0.archive = nil }
  }

  /// Leaves the mark.
  ///
  /// - Parameter attempt: The number of the attempt, from 1.
  /// - Throws: ``failure``.
  public func beginRestoration(attempt: Int) throws(RestorationError) {
    try access { $0.attempt = attempt }
  }

  /// Takes the mark away.
  ///
  /// - Throws: ``failure``.
  public func endRestoration() throws(RestorationError) {
    try access { $0.attempt = 0 }
  }

  private func access<T: Sendable>(
    _ body: (inout Contents) -> T
  ) throws(RestorationError) -> T {
    let result = contents.withLock { contents -> Result<T, RestorationError> in
      if let failure = contents.failure { return .failure(failure) }
      return .success(body(&contents))
    }
    return try result.get()
  }
}
