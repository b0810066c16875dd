public import Keepsake
import Synchronization

/// A restoration store in memory, for tests of apps: it has no file and no key, but makes the same promises.
///
/// It outlives the coordinators that use it, as a file outlives a process. Pass it to the coordinator of each
/// simulated launch, or let ``relaunch(_:store:configuration:nextConfiguration:registering:newApp:)`` do that.
public final class InMemoryStateStore: RestorationStore {
  private struct Contents {
    var archive: [UInt8]?
    var attempt = 0
    var setAside: [[UInt8]] = []
    var failure: RestorationError?
    var isHolding = false
    var waitingWrites: [CheckedContinuation<RestorationError?, Never>] = []
  }

  private let contents: Mutex<Contents>

  /// Creates a store.
  ///
  /// - Parameter archive: The initial archive, if any.
  public init(archive: [UInt8]? = nil) {
    contents = Mutex(Contents(archive: archive))
  }

  /// The last saved archive.
  public var archive: [UInt8]? { contents.withLock { $0.archive } }

  /// True when a launch has begun to restore the state and has not succeeded yet, for example because it crashed.
  ///
  /// If the app of a test ends normally before that, call ``endRestoration()``; a store of files does this itself.
  public var isMarked: Bool { contents.withLock { $0.attempt > 0 } }

  /// The archives that were set aside, because they were interrupted or damaged.
  public var setAside: [[UInt8]] { contents.withLock { $0.setAside } }

  /// An error that every access throws from now on, such as a locked key or a full disk; `nil` for no error.
  public var failure: RestorationError? {
    get { contents.withLock { $0.failure } }
    set { contents.withLock { $0.failure = newValue } }
  }

  /// True when saves and removals wait until a test continues them, as on a slow disk.
  ///
  /// Setting it to `false` continues all that wait.
  public var holdsWrites: Bool {
    get { contents.withLock { $0.isHolding } }
    set {
      let waiting = contents.withLock { contents in
        contents.isHolding = newValue
        guard !newValue else { return [] as [CheckedContinuation<RestorationError?, Never>] }
        defer { contents.waitingWrites = [] }
        return contents.waitingWrites
      }
      for continuation in waiting { continuation.resume(returning: nil) }
    }
  }

  /// The number of saves and removals that wait, while ``holdsWrites`` is `true`.
  public var waitingWriteCount: Int { contents.withLock { $0.waitingWrites.count } }

  /// Continues the save or removal that has waited longest.
  ///
  /// - Parameter failure: An error that it throws then, without any change; `nil` lets it succeed.
  /// - Returns: True when a save or removal was waiting.
  @discardableResult
  public func finishWrite(failingWith failure: RestorationError? = nil) -> Bool {
    let next = contents.withLock { contents in
      contents.waitingWrites.isEmpty ? nil : contents.waitingWrites.removeFirst()
    }
    next?.resume(returning: failure)
    return next != nil
  }

  nonisolated(nonsending) private func waitForTurn() async throws(RestorationError) {
    let failure = await withCheckedContinuation { continuation in
      let isFree = contents.withLock { contents in
        if contents.isHolding { contents.waitingWrites.append(continuation) }
        return !contents.isHolding
      }
      if isFree { continuation.resume(returning: nil) }
    }
    if let failure { throw failure }
  }

  /// Returns the archive, and the number of its restores in a row that have begun but not ended.
  ///
  /// Throws ``failure``.
  public nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
    try access { contents in
      guard let archive = contents.archive else {
        // Without an archive the mark has no meaning.
        contents.attempt = 0
        return .absent
      }
      return .archive(archive, failedLaunchCount: contents.attempt)
    }
  }

  /// Sets the archive aside, and returns a name of its new place.
  ///
  /// Throws ``failure``.
  public nonisolated(nonsending) func setAside() async throws(RestorationError) -> String {
    try access { contents in
      if let archive = contents.archive { contents.setAside.append(archive) }
      contents.archive = nil
      contents.attempt = 0
      return "the store's setAside"
    }
  }

  /// Replaces the archive; `previous` says whether the old one is set aside.
  ///
  /// Throws ``failure``.
  public nonisolated(nonsending) func save(_ archive: [UInt8], previous: PreviousState)
    async throws(RestorationError)
  {
    try await waitForTurn()
    try access { contents in
      if previous == .setAside, let old = contents.archive { contents.setAside.append(old) }
      contents.archive = archive
    }
  }

  /// Removes the archive.
  ///
  /// Throws ``failure``.
  public nonisolated(nonsending) func remove() async throws(RestorationError) {
    try await waitForTurn()
    try access { $0.archive = nil }
  }

  /// Sets the mark.
  ///
  /// Throws ``failure``.
  public func beginRestoration(attempt: Int) throws(RestorationError) {
    try access { $0.attempt = attempt }
  }

  /// Removes the mark.
  ///
  /// Throws ``failure``.
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
