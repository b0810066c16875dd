import KeepsakeArchive
public import KeepsakeMigration

/// Saves the state of an application's interface, and restores it at the next launch.
///
/// A launch has three steps. ``prepare()`` reads the archive and checks its version, before any call of the
/// application; ``restore(_:opensLink:)`` makes and decodes the objects, synchronously, between the delegate's will-
/// and did-finish-launching; ``save(_:)`` encodes on the main actor and leaves sealing and writing to the store.
/// ``launch(_:opensLink:)`` does the first two with their callbacks.
///
/// ```swift
/// let report = await coordinator.launch(delegate)
/// try await coordinator.save(delegate)
/// ```
///
/// The order of all calls is stated in Spec/restoration.md, section 3.
@MainActor
public final class RestorationCoordinator {
  enum Phase {
    case unprepared
    case ready(Archive, StateIndex)
    case nothingSaved
    case refused(RestoreReport.Refusal)
    case restoring
    case finished
  }

  package let store: any RestorationStore
  let configuration: RestorationConfiguration
  let registeredObjects = RegisteredObjects()
  let savedProperties: SavedProperties
  var unclaimed = UnclaimedState()
  /// True when this launch shows no snapshot of the earlier interface; known after ``prepare()``.
  public internal(set) var ignoresSnapshot = false
  /// The changes that the migration of the saved state has made.
  ///
  /// It is `nil` when there was no plan, nothing to migrate, or a refusal. Known after ``prepare()``.
  public internal(set) var migrationReport: MigrationReport?
  var phase = Phase.unprepared
  /// True while the store has the mark of a launch that may die.
  var isMarked = false
  /// True from the restore until `didFinishLaunching` has returned.
  private var isLaunching = false
  /// True when the app has called `restore`, so that the coordinator cannot tell when `didFinishLaunching` returns.
  private var isRestoredManually = false
  /// True while the app has a first frame to report.
  private var awaitsFirstFrame: Bool
  /// True when the app has asked for its restore since the last `discard()` began.
  var hasRequestedRestore = false
  private(set) var extensionCount = 0
  /// The number of objects of the last save; the next one will have about as many.
  var lastRowCount = 0
  var isWriting = false
  /// The writes that wait for their turn, in the order of the calls.
  var waitingWrites: [CheckedContinuation<Void, Never>] = []
  /// The calls that wait for the preparation under way; `nil` when no preparation runs.
  var waitingForPreparation: [CheckedContinuation<Void, Never>]?

  /// Creates a coordinator with the store that keeps the state; nothing is read or written yet.
  public init(store: any RestorationStore, configuration: RestorationConfiguration) {
    self.store = store
    self.configuration = configuration
    awaitsFirstFrame = configuration.awaitsFirstFrame
    savedProperties = SavedProperties(registry: configuration.registry)
  }

  /// Prepares, restores, and tells the delegate before and after.
  ///
  /// If the process dies before `didFinishLaunching` has returned, or before the first frame where the configuration
  /// announces one, the next launch does not restore the same state: it moves it aside. Set `opensLink` if the program
  /// was launched to open a link, which wins over the saved state.
  @discardableResult
  public func launch(
    _ delegate: any RestorationDelegate, opensLink: Bool = false
  ) async -> RestoreReport {
    await prepare()
    delegate.willFinishLaunching()
    let report = performRestore(delegate, opensLink: opensLink)
    delegate.didFinishLaunching(report)
    isLaunching = false
    return removeMarkIfDue().map { report.adding($0) } ?? report
  }

  /// Restores what ``prepare()`` found; call it between will- and did-finish-launching.
  ///
  /// The launch counts as finished in the next turn of the main actor, or with the first save if that is earlier, so
  /// call the delegate's `didFinishLaunching` without a suspension in between. ``launch(_:opensLink:)`` does so. If the
  /// program was launched to open a link, nothing is restored, and the state stays until the next save.
  ///
  /// - Returns: The restored objects, or the reason why nothing was restored: `outOfTurn` for a second call in a
  ///   launch, and for a call from a callback of the restore. An error of one object does not end the restore.
  public func restore(
    _ delegate: any RestorationDelegate, opensLink: Bool = false
  ) -> RestoreReport {
    let report = performRestore(delegate, opensLink: opensLink)
    if case .finished = phase, isLaunching, isMarked {
      isRestoredManually = true
      Task { @MainActor in
        isLaunching = false
        _ = removeMarkIfDue()
      }
    }
    return report
  }

  private func performRestore(
    _ delegate: any RestorationDelegate, opensLink: Bool
  ) -> RestoreReport {
    let report = restoreOnce(delegate, opensLink: opensLink)
    guard let obstacle = store.savingObstacle else { return report }
    return report.adding(RestorationError(.saveRefused, obstacle))
  }

  private func restoreOnce(
    _ delegate: any RestorationDelegate, opensLink: Bool
  ) -> RestoreReport {
    switch phase {
    case .ready:
      guard let (archive, index) = takeState() else { break }
      isLaunching = true
      var report = RestoreReport(.refused(.linkOpened))
      if !opensLink {
        var session = RestoreSession(
          archive, consume index, delegate: delegate, registry: configuration.registry,
          registeredObjects: registeredObjects, savedProperties: savedProperties,
          extend: { [self] in extendRestoration() })
        report = session.restore()
        unclaimed = session.unclaimed
      }
      phase = .finished
      // A state that was not restored cannot kill the launch, so it needs no mark.
      if report.outcome != .restored, let error = removeMark() { report = report.adding(error) }
      return report
    case .refused(let refusal):
      return RestoreReport(.refused(refusal))
    case .nothingSaved:
      hasRequestedRestore = true
      return RestoreReport(.nothingSaved)
    case .finished, .restoring:
      return RestoreReport(.refused(.outOfTurn))
    case .unprepared:
      break
    }
    return RestoreReport(.refused(.notPrepared))
  }

  /// Reports that the first frame of the restored interface was drawn; further calls are ignored.
  ///
  /// Call it when ``RestorationConfiguration/awaitsFirstFrame`` is set: a launch that dies before counts as killed by
  /// its state. It may be called at any time, also within `didFinishLaunching`. When the store cannot be written, the
  /// next save tries again and reports that.
  public func didDrawFirstFrame() {
    guard awaitsFirstFrame else { return }
    awaitsFirstFrame = false
    _ = removeMarkIfDue()
  }

  /// Moves the prepared state out of the coordinator, so that the restore has the only copy.
  private func takeState() -> (Archive, StateIndex)? {
    guard case .ready(let archive, let index) = phase else { return nil }
    phase = .restoring
    return (archive, index)
  }

  /// Keeps the restore open until ``completeRestoration()`` is called the same number of times.
  ///
  /// An object that restores itself later calls it during the restore. Until the restore is complete no state is
  /// saved, and if the process dies, the next launch does not restore.
  public func extendRestoration() {
    extensionCount += 1
  }

  /// Ends one extension of the restore; further calls are ignored.
  ///
  /// - Throws: ``RestorationError`` when the mark of the restore cannot be removed.
  public func completeRestoration() throws(RestorationError) {
    guard extensionCount > 0 else { return }
    extensionCount -= 1
    if let error = removeMarkIfDue() { throw error }
  }

  package var changes: StateChanges { savedProperties.changes }

  /// Finds the objects of an application that were created since the last save, so that setting their properties
  /// counts as a change of this state.
  package func findSavedProperties(of delegate: any RestorationDelegate) {
    savedProperties.find(in: delegate, registeredObjects.alive)
  }

  /// Removes the mark as soon as the launch is over: the restore, its extensions, `didFinishLaunching` and the first
  /// frame.
  func removeMarkIfDue() -> RestorationError? {
    switch phase {
    case .unprepared, .ready, .restoring: nil
    case .finished: isLaunching || awaitsFirstFrame ? nil : removeMark()
    case .nothingSaved, .refused: removeMark()
    }
  }

  /// Ends the launch of an app that has called `restore`, at its first save.
  func endManualLaunch() {
    if isRestoredManually { isLaunching = false }
  }

  func removeMark() -> RestorationError? {
    guard isMarked, extensionCount == 0 else { return nil }
    do {
      try store.endRestoration()
      isMarked = false
      return nil
    } catch {
      return error
    }
  }

  /// Registers an object that is neither a node nor a view, to be saved and restored with them; sets its identifier.
  ///
  /// It is held weakly, and saved as long as it exists; its identifier and those of its
  /// ``RestorableObject/restorationParent`` make its path. Register it again in the next launch before
  /// the restore, or give it an ``RestorableObject/objectRestorationClass``.
  ///
  /// - Throws: ``RestorationError`` when the identifier is empty, or the object is registered under
  ///   another one.
  public func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    try registeredObjects.register(object, identifier: identifier)
  }
}
