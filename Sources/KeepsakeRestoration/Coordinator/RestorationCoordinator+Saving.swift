import KeepsakeArchive
import KeepsakeMigration

extension RestorationCoordinator {
  /// Saves the state of the application.
  ///
  /// Everything is encoded before the first suspension, so the state is that of one moment. When this
  /// returns, the state has reached the store; when it throws, the store has what it had before.
  ///
  /// - Parameter delegate: The application.
  /// - Returns: What was saved, and what was left out.
  /// - Throws: ``RestorationError``, also when saving is off for this launch because the key or the
  ///   store could not be had.
  @discardableResult
  public func save(_ delegate: any RestorationDelegate) async throws(RestorationError) -> SaveReport
  {
    let state = try encode(delegate)
    try await write(state)
    return state.report
  }

  /// Encodes the state of the application as it is now, for ``write(_:)``.
  ///
  /// A state that is overtaken by a newer one before it is written need not be written at all.
  ///
  /// - Parameter delegate: The application.
  /// - Returns: The encoded state.
  /// - Throws: ``RestorationError``, as ``save(_:)`` does before it writes.
  public func encode(
    _ delegate: any RestorationDelegate
  ) throws(RestorationError) -> EncodedState {
    try checkSaving()
    var reserved = configuration.reservedValues()
    reserved.bundleVersion = configuration.gate.programVersion.text
    if let idiom = configuration.userInterfaceIdiom { reserved.userInterfaceIdiom = idiom }
    let session = SaveSession(
      registeredObjects: registeredObjects, registry: configuration.registry, orphans: orphans,
      savedProperties: savedProperties, expectedRowCount: lastRowCount)
    let encoded = try session.encode(
      delegate, reserved: reserved, budget: configuration.budget)
    lastRowCount = session.rowCount
    guard let encoded else { return EncodedState(report: .declined, archive: nil) }
    return EncodedState(report: encoded.report, archive: encoded.archive)
  }

  /// Writes an encoded state, or removes an older one when the application has declined to save.
  ///
  /// Writes happen one after the other, in the order in which they are asked for.
  ///
  /// - Parameter state: What ``encode(_:)`` of this coordinator has returned.
  /// - Throws: ``RestorationError`` when the store cannot be written; it has then what it had before.
  public func write(_ state: EncodedState) async throws(RestorationError) {
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

  /// What writes a state without the main actor, at the end of the process, when nothing else runs on it.
  ///
  /// It does not wait for its turn: a write that is under way then may never return.
  ///
  /// - Parameter state: What ``encode(_:)`` has returned; `nil` to remove what was saved.
  /// - Returns: The write, which gives the error that it ended with.
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

  /// What became damaged is kept for inspection by the first save that replaces it.
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
  /// What was prepared and not restored yet is not restored any more, and what nobody has claimed is not
  /// kept. When nothing was removed, it throws, and what was prepared can still be restored.
  ///
  /// - Throws: ``RestorationError`` when the store cannot be written.
  public func discard() async throws(RestorationError) {
    let store = store
    let (prepared, unclaimed) = (phase, orphans)
    // The records that were kept for later are dropped with the state, and no restore begins meanwhile.
    orphans = Orphans()
    var isPrepared = false
    if case .ready = phase {
      isPrepared = true
      phase = .nothingSaved
      isTurnTaken = false
    }
    do throws(RestorationError) {
      try await write { () throws(RestorationError) in try await store.remove() }
    } catch {
      // Errors with these codes say that the state is gone, and that something else after that has failed.
      if !["durabilityUnknown", "pinNotKept"].contains(error.code.rawValue) {
        if orphans.records.isEmpty { orphans = unclaimed }
        if isPrepared, !isTurnTaken, case .nothingSaved = phase { phase = prepared }
      }
      throw error
    }
    // Without an archive the mark means nothing; the next save or load takes it away where this cannot.
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
      endLaunchByHand()
      // A mark that could not be removed after the launch would condemn what is saved now.
      if let error = removeMarkIfDue() { throw error }
    }
  }

  private static let restorationInProgress = RestorationError(
    .restorationInProgress,
    "Nothing was saved, because the earlier state is still being restored; save when restore() has "
      + "returned and every extension of it is complete.")

  /// Runs writes one after the other, in the order in which they were asked for.
  ///
  /// The first one runs in the task of its caller: waiting for another task goes through another thread,
  /// which takes as long as saving a hundred objects.
  private func write(
    _ operation: @MainActor () async throws(RestorationError) -> Void
  ) async throws(RestorationError) {
    if isWriting { await withCheckedContinuation { waitingWrites.append($0) } }
    isWriting = true
    defer {
      // The turn is handed on, so that nobody who comes now can cut in.
      if waitingWrites.isEmpty { isWriting = false } else { waitingWrites.removeFirst().resume() }
    }
    try await operation()
  }
}
