public import KeepsakeRestoration

/// Saves an app's state in time: soon after it changed, not too often, and before the app ends.
///
/// Tell it of every change with ``markDirty()``; that costs next to nothing. Saved properties tell it of
/// theirs by themselves, `Saved` and `SavedReference`. The state is encoded on the
/// main actor, as of one moment, and sealed and written elsewhere. At most one write is under way; of
/// those that wait only the newest is written. The rules are in Spec/state.md, section 5.
///
/// ```swift
/// let saver = StateSaver(coordinator, of: app)
/// saver.markDirty()           // whenever something changed that is worth keeping
/// try await saver.save()      // when the app goes to the background
/// try await saver.shutDown()  // before it ends
/// ```
///
/// A program that is ended by a signal, or that simply returns, has no moment for that:
///
/// ```swift
/// try saver.saveAtExit()      // once, when the app is up
/// ```
@MainActor
public final class StateSaver {
  /// What a caller waits for: that a snapshot, or a newer one, has been dealt with.
  struct Waiter {
    let number: Int
    let continuation: CheckedContinuation<Result<Void, RestorationError>, Never>
  }

  /// How much time lies at least between the beginnings of two saves that follow from marks.
  public let interval: Duration
  /// Whether something has changed that no save under way holds.
  public var isDirty: Bool {
    // What was set in new objects counts, too.
    StateChanges.lookIfNeeded()
    return isMarked
  }
  /// Whether everything that was marked has reached the store: nothing waits, and nothing is under way.
  public var isUpToDate: Bool { !isDirty && finishedNumber == snapshotNumber }
  /// Whether ``shutDown()`` was called: marks are ignored then, and saves refused.
  public private(set) var isShutDown = false

  let coordinator: RestorationCoordinator
  private weak var delegate: (any RestorationDelegate)?
  private var isMarked = false
  private let clock: any Clock<Duration>
  private let onEvent: @MainActor (SaveEvent) -> Void
  /// The save that the last mark has asked for, or the pause until the next one may begin.
  private var timer: Task<Void, Never>?

  private var snapshotNumber = 0
  private var pending: (number: Int, state: EncodedState)?
  private var pendingDiscard: Int?
  private var isWriting = false
  /// The number of the snapshot or the discard that was begun last.
  private var writingNumber = 0
  /// The number of the one that was done with last, well or not.
  private var finishedNumber = 0
  private var waiters: [Waiter] = []
  private var lastFailure: RestorationError?
  /// Whether what was asked for last is that nothing is saved any more.
  private var isDiscarded = false

  /// Creates a saver; it does nothing until something is marked.
  ///
  /// - Parameters:
  ///   - coordinator: What encodes and writes the state.
  ///   - delegate: The app, held weakly: keep it until ``shutDown()`` has returned. What was marked and
  ///     not yet encoded when it is released cannot be saved any more, and is reported as a failure.
  ///   - interval: How much time lies at least between the beginnings of two saves that follow from
  ///     marks; by default one second.
  ///   - clock: What measures the interval.
  ///   - onEvent: Is told what becomes of each save; this is where failures are shown to the user.
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

  /// Tells that the state has changed.
  ///
  /// The state is saved once the caller has given the main actor back; or, when the last save began less
  /// than ``interval`` ago, at the end of that time. Marking is cheap: call it for every keystroke.
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

  /// Saves the state as it is now, marked or not; call it when the app goes to the background.
  ///
  /// Everything is encoded before the first suspension.
  ///
  /// - Throws: `RestorationError` when the state, or the newer one that has overtaken it, could not be
  ///   written, with the code `savingEnded` after ``shutDown()``, `applicationReleased` when the app no
  ///   longer exists, and `saveDiscarded` when the state was discarded meanwhile.
  public func save() async throws(RestorationError) {
    if isShutDown {
      throw RestorationError(
        .savingEnded, "Nothing was saved, because the saver was shut down; save before that.")
    }
    let number = try takeSnapshot()
    try await dealtWith(number)
  }

  /// Removes what was saved, and forgets what was to be saved.
  ///
  /// It waits for a write that is under way. The next mark begins anew.
  ///
  /// - Throws: `RestorationError` when the store cannot be written.
  public func discard() async throws(RestorationError) {
    StateChanges.lookIfNeeded()
    isMarked = false
    isDiscarded = true
    dropPending(.saveDiscarded)
    snapshotNumber += 1
    let number = snapshotNumber
    pendingDiscard = number
    startWriting()
    try await dealtWith(number)
  }

  /// Saves what has changed, waits for the last write, and ends the saver.
  ///
  /// A last write that fails is tried once more.
  ///
  /// - Throws: `RestorationError` when the last state could not be saved, with the code
  ///   `applicationReleased` when something was marked and the app no longer exists.
  public func shutDown() async throws(RestorationError) {
    StateChanges.lookIfNeeded()
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

  /// Ends the saver, and gives the write that is still to be done, if any: what is under way may never be
  /// heard of again, so it is done once more.
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

  /// Encodes the state and hands it to the writer, in place of one that still waits.
  ///
  /// - Returns: The number of the snapshot.
  private func takeSnapshot() throws(RestorationError) -> Int {
    pause()
    // What is marked from now on, also by the app while it encodes, is not in this snapshot.
    isMarked = false
    let state: EncodedState
    do throws(RestorationError) {
      state = try coordinator.encode(requireDelegate())
    } catch {
      isMarked = true
      lastFailure = error
      // While the app is still being restored, its marks only mean that a save comes later.
      if error.code != .restorationInProgress { onEvent(.failed(error)) }
      // Where saving is off for this launch, or the app is gone, time alone changes nothing.
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

  /// Lets the interval pass before a mark leads to the next save.
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

  /// Keeps what was not written for the next occasion: a mark, a save, or the end of an interval.
  private func tryAgainLater() {
    isMarked = true
    if timer == nil { pause() }
  }

  private func startWriting() {
    guard !isWriting else { return }
    isWriting = true
    Task { await writePending() }
  }

  /// Writes until nothing waits; a discard comes before what was encoded after it.
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
          // What is still to be written is newer than what failed.
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
    // Those who wait for the write that is under way, for an earlier discard or for the end, wait on.
    finish(max(writingNumber, pendingDiscard ?? 0) + 1...snapshotNumber, .failure(error))
  }

  private func finish(
    _ numbers: some RangeExpression<Int>, _ result: Result<Void, RestorationError>
  ) {
    let done = waiters.filter { numbers.contains($0.number) }
    waiters.removeAll { numbers.contains($0.number) }
    for waiter in done { waiter.continuation.resume(returning: result) }
  }

  /// Waits until a snapshot, or a newer one, was written, or failed.
  private func dealtWith(_ number: Int) async throws(RestorationError) {
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

/// What became of a save of a ``StateSaver``.
public enum SaveEvent: Equatable, Sendable {
  /// The state has reached the store, or an older one was removed because the app declined to save.
  case saved(SaveReport)
  /// The state was not written, because a newer one was encoded, or the state was discarded, meanwhile.
  case overtaken
  /// The state was not saved; it is tried again with the next mark, save or shutdown.
  case failed(RestorationError)
}

extension RestorationError.Code {
  /// A save was asked for after the ``StateSaver`` was shut down.
  public static let savingEnded = Self(rawValue: "savingEnded")
  /// The application of a ``StateSaver`` was released, so that its state can no longer be encoded.
  public static let applicationReleased = Self(rawValue: "applicationReleased")
  /// The state was discarded before a save of it was written.
  public static let saveDiscarded = Self(rawValue: "saveDiscarded")
}
