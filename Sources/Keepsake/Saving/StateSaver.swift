public import KeepsakeRestoration

/// Saves an app's state in time: soon after it changed, not too often, and before the app ends.
///
/// Report every change with ``markDirty()``, which is cheap. The saved properties `Saved` and `SavedReference` report
/// their changes themselves. The state is encoded on the main actor, at one moment, and sealed and written elsewhere.
/// At most one write runs at a time. When a newer state is encoded meanwhile, it replaces the state that waits.
/// Spec/state.md, section 5, has the rules.
///
/// ```swift
/// let saver = StateSaver(coordinator, of: app)
/// saver.markDirty()       // after each change to save
/// try await saver.save()  // in the background
/// try await saver.shutDown()  // before it ends
/// ```
///
/// For a program that ends by a signal, or that simply returns, call this once:
///
/// ```swift
/// try saver.saveAtExit()      // once, when the app is up
/// ```
@MainActor
public final class StateSaver {
  /// A caller that waits until a snapshot, or a newer one, was written or failed.
  struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Result<Void, RestorationError>, Never>
  }

  /// The minimum time between the starts of two saves that follow from marks.
  package let interval: Duration
  /// Whether there are changes that no save under way includes.
  package var isDirty: Bool {
    // Properties that were set in new objects count, too.
    StateChanges.searchIfNeeded()
    return isMarked
  }
  /// Whether all marked changes have reached the store: nothing waits, and nothing is under way.
  public var isUpToDate: Bool { !isDirty && finishedNumber == snapshotNumber }
  /// Whether ``shutDown()`` was called; marks are then ignored, and saves refused.
  package private(set) var isShutDown = false

  let coordinator: RestorationCoordinator
  private weak var delegate: (any RestorationDelegate)?
  private var isMarked = false
  private let clock: any Clock<Duration>
  private let onEvent: @MainActor (SaveEvent) -> Void
  /// The save for the last mark, or the pause until the next save may begin.
  private var timer: Task<Void, Never>?

  private var snapshotNumber = 0
  private var pending: (number: Int, state: EncodedState)?
  private var pendingDiscard: Int?
  private var isWriting = false
  /// The number of the last snapshot or discard that has begun.
  private var writingNumber = 0
  /// The number of the last snapshot or discard that has ended, with or without an error.
  private var finishedNumber = 0
  private var waiters: [Waiter] = []
  private var lastFailure: RestorationError?
  /// True when the last request was a discard.
  private var isDiscarded = false

  /// Creates a saver; it does nothing until something is marked.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator that encodes and writes the state.
  ///   - delegate: The app, held weakly: keep it until ``shutDown()`` has returned. Marked changes that are not
  ///     encoded when it is released cannot be saved any more, which is reported as a failure.
  ///   - interval: The minimum time between the starts of two saves that follow from marks; by default one second.
  ///   - clock: The clock that measures the interval.
  ///   - onEvent: Called with the result of each save; show failures to the user here.
  public init(
    _ coordinator: RestorationCoordinator, of delegate: any RestorationDelegate,
    interval: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock(),
    onEvent: @escaping @MainActor (SaveEvent) -> Void = { _ in }
  ) {
    self.coordinator = coordinator
    self.delegate = delegate
    self.interval = interval
    self.clock = clock
    self.onEvent = onEvent
    coordinator.changes.add(self)
  }

  deinit { timer?.cancel() }

  /// Reports that the state has changed.
  ///
  /// The state is saved in the next turn of the main actor or, when the last save began less than the interval ago,
  /// at the end of that time. Marking is cheap: call it for every keystroke.
  public func markDirty() {
    guard !isShutDown else { return }
    isMarked = true
    guard timer == nil else { return }
    timer = Task { [weak self] in
      guard !Task.isCancelled else { return }
      self?.timer = nil
      self?.saveAfterMark()
    }
  }

  /// Saves the present state, marked or not; call it when the app goes to the background.
  ///
  /// Everything is encoded before the first suspension.
  ///
  /// - Throws: `RestorationError` when the state, or a newer one in its place, could not be written; with the code
  ///   `savingEnded` after ``shutDown()``, `applicationReleased` when the app no longer exists, and `saveDiscarded`
  ///   when the state was discarded meanwhile.
  public func save() async throws(RestorationError) {
    if isShutDown {
      throw RestorationError(
        .savingEnded, "Nothing was saved, because the saver was shut down; save before that.")
    }
    let number = try takeSnapshot()
    try await waitForSnapshot(number)
  }

  /// Removes the saved state, and drops saves that have not begun.
  ///
  /// It waits for a write that is under way. The next mark saves again.
  ///
  /// - Throws: `RestorationError` when the store cannot be written.
  public func discard() async throws(RestorationError) {
    StateChanges.searchIfNeeded()
    isMarked = false
    isDiscarded = true
    dropPending(.saveDiscarded)
    snapshotNumber += 1
    let number = snapshotNumber
    pendingDiscard = number
    startWriting()
    try await waitForSnapshot(number)
  }

  /// Saves the last changes, waits for the write, and ends the saver.
  ///
  /// If the last write fails, it is tried once more.
  ///
  /// - Throws: `RestorationError` when the last state could not be saved, with the code
  ///   `applicationReleased` when something was marked and the app no longer exists.
  public func shutDown() async throws(RestorationError) {
    StateChanges.searchIfNeeded()
    isShutDown = true
    cancelTimer()
    if isMarked { _ = try? takeSnapshot() }
    await idle()
    if isMarked, lastFailure?.code != .applicationReleased {
      _ = try? takeSnapshot()
      await idle()
    }
    if isMarked, let lastFailure { throw lastFailure }
    ExitSaving.shared.remove(self)
  }
}

extension StateSaver: StateChangeObserver {
  package func noteStateChange() { markDirty() }

  package func findSavedProperties() {
    if let delegate { coordinator.findSavedProperties(of: delegate) }
  }
}

// The end of the process.
extension StateSaver {
  func requireDelegate() throws(RestorationError) -> any RestorationDelegate {
    guard let delegate else { throw Self.applicationReleased }
    return delegate
  }

  /// Ends the saver, and returns the write that is still to be done, if any.
  ///
  /// A write that is under way may never return, so the returned write does the same work again.
  func finalWrite() -> FinalWrite? {
    guard !isUpToDate else { return nil }
    isShutDown = true
    cancelTimer()
    var state: EncodedState?
    if isMarked || !isDiscarded {
      do throws(RestorationError) {
        state = try coordinator.encode(requireDelegate())
      } catch {
        onEvent(.failed(error))
        return nil
      }
    }
    isMarked = false
    let (onEvent, report) = (onEvent, state?.report)
    return FinalWrite(run: coordinator.finalWrite(of: state)) { error in
      if let error {
        onEvent(.failed(error))
      } else if let report {
        onEvent(.saved(report))
      }
    }
  }
}

extension StateSaver {
  private func saveAfterMark() {
    guard isMarked, !isShutDown else { return }
    _ = try? takeSnapshot()
  }

  /// Encodes the state, passes it to the writer, in place of one that still waits, and returns its number.
  private func takeSnapshot() throws(RestorationError) -> Int {
    pause()
    // Marks from now on, also those by the app while it encodes, are not in this snapshot.
    isMarked = false
    let state: EncodedState
    do throws(RestorationError) {
      state = try coordinator.encode(requireDelegate())
    } catch {
      isMarked = true
      lastFailure = error
      // While the app is being restored, a mark is kept for a later save and is no failure.
      if error.code != .restorationInProgress { onEvent(.failed(error)) }
      // When saving is off for this launch, or the app was released, trying again is of no use.
      if [.saveRefused, .notPrepared, .applicationReleased].contains(error.code) { cancelTimer() }
      throw error
    }
    if pending != nil { onEvent(.overtaken) }
    isDiscarded = false
    snapshotNumber += 1
    pending = (snapshotNumber, state)
    startWriting()
    return snapshotNumber
  }

  private static let applicationReleased = RestorationError(
    .applicationReleased,
    "Nothing was saved, because the application that the saver was made for no longer exists; keep "
      + "it until shutDown() has returned.")

  /// Starts the interval that delays the next save after a mark.
  private func pause() {
    timer?.cancel()
    guard !isShutDown else { return }
    timer = Task { [weak self, clock, interval] in
      try? await clock.sleep(for: interval)
      guard !Task.isCancelled else { return }
      self?.timer = nil
      self?.saveAfterMark()
    }
  }

  private func cancelTimer() {
    timer?.cancel()
    timer = nil
  }

  /// Marks the state that was not written, so that the next mark, save or end of an interval saves it.
  private func tryAgainLater() {
    isMarked = true
    if timer == nil { pause() }
  }

  private func startWriting() {
    guard !isWriting else { return }
    isWriting = true
    Task { await writePending() }
  }

  /// Writes until nothing waits; a discard comes before a state that was encoded after it.
  private func writePending() async {
    while true {
      if let number = pendingDiscard {
        pendingDiscard = nil
        writingNumber = number
        let coordinator = coordinator
        let result = await result { () async throws(RestorationError) in
          try await coordinator.discard()
        }
        finishedNumber = number
        finish(...number, result)
      } else if let (number, state) = pending {
        pending = nil
        writingNumber = number
        let coordinator = coordinator
        let result = await result { () async throws(RestorationError) in
          try await coordinator.write(state)
        }
        finishedNumber = number
        switch result {
        case .success: onEvent(.saved(state.report))
        case .failure(let error):
          // A state that still waits is newer than the failed one.
          if pending == nil, pendingDiscard == nil { tryAgainLater() }
          onEvent(.failed(error))
        }
        finish(...number, result)
      } else {
        isWriting = false
        finish(0..., .success(()))
        return
      }
    }
  }

  private func result(
    of work: @MainActor () async throws(RestorationError) -> Void
  ) async -> Result<Void, RestorationError> {
    do throws(RestorationError) {
      return .success(try await work())
    } catch {
      lastFailure = error
      return .failure(error)
    }
  }

  private func dropPending(_ code: RestorationError.Code) {
    guard pending != nil else { return }
    pending = nil
    onEvent(.overtaken)
    let error = RestorationError(
      code, "The state was not saved, because it was discarded before it was written.")
    // Callers that wait for the write under way, for an earlier discard or for the end keep waiting.
    finish(max(writingNumber, pendingDiscard ?? 0) + 1...snapshotNumber, .failure(error))
  }

  private func finish(
    _ numbers: some RangeExpression<Int>, _ result: Result<Void, RestorationError>
  ) {
    let done = waiters.filter { numbers.contains($0.number) }
    waiters.removeAll { numbers.contains($0.number) }
    for waiter in done { waiter.continuation.resume(returning: result) }
  }

  /// Waits until a snapshot, or a newer one, was written or failed.
  private func waitForSnapshot(_ number: Int) async throws(RestorationError) {
    guard isWriting else { return }
    try await withCheckedContinuation { continuation in
      waiters.append(Waiter(number: number, continuation: continuation))
    }.get()
  }

  private func idle() async {
    guard isWriting else { return }
    _ = await withCheckedContinuation { continuation in
      waiters.append(Waiter(number: .max, continuation: continuation))
    }
  }
}

/// The result of a save of a ``StateSaver``.
public enum SaveEvent: Equatable, Sendable {
  /// The state has reached the store, or an older one was removed because the app declined to save.
  case saved(SaveReport)
  /// The state was not written, because meanwhile a newer one was encoded, or the state was discarded.
  case overtaken
  /// The state was not saved; the next mark, save or shutdown tries again.
  case failed(RestorationError)
}

extension RestorationError.Code {
  /// A save was requested after the ``StateSaver`` was shut down.
  public static let savingEnded = Self(rawValue: "savingEnded")
  /// The application of a ``StateSaver`` was released, so its state can no longer be encoded.
  public static let applicationReleased = Self(rawValue: "applicationReleased")
  /// The state was discarded before a save of it was written.
  public static let saveDiscarded = Self(rawValue: "saveDiscarded")
}
