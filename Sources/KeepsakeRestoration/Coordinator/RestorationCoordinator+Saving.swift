import KeepsakeArchive
import KeepsakeMigration

extension RestorationCoordinator {
  /// Saves the state of the application.
  ///
  /// Everything is encoded before the first suspension, so the state is that of one moment. When this returns, the
  /// state has reached the store; when it throws, the store is unchanged.
  ///
  /// - Throws: ``RestorationError``, also when saving is off for this launch because the key or the store was
  ///   unavailable.
  @discardableResult
  public func save(_ delegate: any RestorationDelegate) async throws(RestorationError) -> SaveReport
  {
    let state = try encode(delegate)
    try await write(state)
    return state.report
  }

  /// Encodes the state of the application as it is now, for ``write(_:)``.
  ///
  /// A state need not be written when a newer one has been encoded since.
  ///
  /// - Throws: ``RestorationError``, as ``save(_:)`` does before it writes.
  package func encode(
    _ delegate: any RestorationDelegate
  ) throws(RestorationError) -> EncodedState {
    try checkSaving()
    var reserved = configuration.reservedValues()
    reserved.bundleVersion = configuration.gate.programVersion.text
    if let idiom = configuration.userInterfaceIdiom { reserved.userInterfaceIdiom = idiom }
    let session = SaveSession(
      registeredObjects: registeredObjects, registry: configuration.registry, unclaimed: unclaimed,
      savedProperties: savedProperties, expectedRowCount: lastRowCount)
    let encoded = try session.encode(
      delegate, reserved: reserved, budget: configuration.budget)
    lastRowCount = session.rowCount
    guard let encoded else { return EncodedState(report: .declined, archive: nil) }
    return EncodedState(report: encoded.report, archive: encoded.archive)
  }

  /// Writes a state that this coordinator encoded, or removes the older one when the application has declined to save.
  ///
  /// Writes run one after the other, in the order of the calls.
  ///
  /// - Throws: ``RestorationError`` when the store cannot be written; its content is then unchanged.
  package func write(_ state: EncodedState) async throws(RestorationError) {
    let store = store
    guard let archive = state.archive else {
      return try await write { () throws(RestorationError) in try await store.remove() }
    }
    let previous = previousState
    try await write { () throws(RestorationError) in
      try await store.save(archive, previous: previous)
    }
    if previous == .setAside { phase = .nothingSaved }
  }

  /// Makes a function that writes a state at the end of the process, without the main actor; nil removes the saved one.
  ///
  /// The function does not wait for a write that is under way, which may never return. It returns the write's error.
  package func finalWrite(
    of state: EncodedState?
  ) -> @Sendable () async -> RestorationError? {
    let (store, archive, previous) = (store, state?.archive, previousState)
    return {
      do throws(RestorationError) {
        guard let archive else {
          try await store.remove()
          return nil
        }
        try await store.save(archive, previous: previous)
        return nil
      } catch {
        return error
      }
    }
  }

  /// The fate of the stored archive at the next save: a damaged one is kept for inspection.
  private var previousState: PreviousState {
    switch phase {
    case .refused(.damaged): .setAside
    case .refused(.version(let error)):
      configuration.keepsRefusedState || error.code == .stepFailed ? .setAside : .replace
    default: .replace
    }
  }

  /// Removes the saved state, as at the end of a user's session.
  ///
  /// A prepared state is no longer restored, and unclaimed records are no longer kept. When nothing was removed, this
  /// throws, and a prepared state can still be restored.
  ///
  /// - Throws: ``RestorationError`` when the store cannot be written.
  public func discard() async throws(RestorationError) {
    let store = store
    let (prepared, formerUnclaimed) = (phase, unclaimed)
    // The unclaimed records are dropped with the state, and no restore begins meanwhile.
    unclaimed = UnclaimedState()
    var isPrepared = false
    if case .ready = phase {
      isPrepared = true
      phase = .nothingSaved
      hasRequestedRestore = false
    }
    do throws(RestorationError) {
      try await write { () throws(RestorationError) in try await store.remove() }
    } catch {
      // With these codes the state is gone, and a later step has failed.
      if !["durabilityUnknown", "pinNotKept"].contains(error.code.rawValue) {
        if unclaimed.records.isEmpty { unclaimed = formerUnclaimed }
        if isPrepared, !hasRequestedRestore, case .nothingSaved = phase { phase = prepared }
      }
      throw error
    }
    // Without an archive the mark has no meaning; if it cannot be removed here, the next save or load removes it.
    if case .nothingSaved = phase { _ = removeMark() }
  }

  private func checkSaving() throws(RestorationError) {
    switch phase {
    case .unprepared:
      throw RestorationError(
        .notPrepared,
        "Nothing was saved, because prepare() had not been called, and what was saved before is "
          + "unknown; call it first.")
    case .refused(.keyUnavailable(let message)), .refused(.storeUnavailable(let message)):
      throw RestorationError(
        .saveRefused, "Nothing was saved, so that nothing is overwritten unread. \(message)")
    case .restoring, .ready:
      throw Self.restorationInProgress
    case .nothingSaved, .refused, .finished:
      if extensionCount > 0 { throw Self.restorationInProgress }
      if let obstacle = store.savingObstacle {
        throw RestorationError(.saveRefused, "Nothing was saved. \(obstacle)")
      }
      endManualLaunch()
      // If a mark stayed, the next launch would refuse the state that is saved now.
      if let error = removeMarkIfDue() { throw error }
    }
  }

  private static let restorationInProgress = RestorationError(
    .restorationInProgress,
    "Nothing was saved, because the earlier state is still being restored; save when restore() has "
      + "returned and every extension of it is complete.")

  /// Runs writes one after the other, in the order of the calls.
  ///
  /// The first one runs in the task of its caller: waiting for another task goes through another thread, which takes
  /// as long as saving a hundred objects.
  private func write(
    _ operation: @MainActor () async throws(RestorationError) -> Void
  ) async throws(RestorationError) {
    if isWriting { await withCheckedContinuation { waitingWrites.append($0) } }
    isWriting = true
    defer {
      // `isWriting` stays true while the next one is resumed, so that a new call cannot overtake it.
      if waitingWrites.isEmpty { isWriting = false } else { waitingWrites.removeFirst().resume() }
    }
    try await operation()
  }
}
