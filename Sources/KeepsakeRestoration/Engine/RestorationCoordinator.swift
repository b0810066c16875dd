public import KeepsakeArchive
public import KeepsakeMigration

/// Saves the state of an application's interface, and restores it at the next launch.
///
/// A launch has three steps. ``prepare()`` reads the archive and checks its version, before anything
/// of the application is asked for; ``restore(_:opensLink:)`` makes and decodes the objects, synchronously,
/// between the delegate's will- and did-finish-launching; ``save(_:)`` encodes on the main actor and
/// leaves sealing and writing to the store. ``launch(_:opensLink:)`` does the first two with their callbacks.
///
/// ```swift
/// let report = await coordinator.launch(delegate)
/// try await coordinator.save(delegate)
/// ```
///
/// The order of all calls is stated in Spec/restoration.md, section 3.
@MainActor
public final class RestorationCoordinator {
  private enum Phase {
    case unprepared
    case ready(Archive, StateIndex)
    case nothingSaved
    case refused(RestoreReport.Refusal)
    case restoring
    case finished
  }

  private let store: any RestorationStore
  private let gate: VersionGate
  private var migration: MigrationPlan?
  private let registry: RestorationRegistry
  private let failedLaunchLimit: Int
  private let reservedValues: @MainActor () -> ReservedValues
  private let budget: RestorationBudget
  private let registeredObjects = RegisteredObjects()
  private var orphans = Orphans()
  /// Whether this launch shows no picture of the interface as it was; known after ``prepare()``.
  public private(set) var ignoresSnapshot = false
  /// What carrying the saved state forward changed.
  ///
  /// It is nil when there was no plan, nothing to carry
  /// forward, or a refusal. Known after ``prepare()``.
  public private(set) var migrationReport: MigrationReport?
  /// Whether a state that is refused for its version is kept under another name by the save that
  /// replaces it; one that a step of a migration failed on always is.
  public var keepsRefusedState = false
  private var phase = Phase.unprepared
  private var isMarked = false
  private var extensionCount = 0
  private var lastWrite: Task<Void, Never>?

  /// Creates a coordinator.
  ///
  /// - Parameters:
  ///   - store: Where the state is kept.
  ///   - gate: The version of this program, and which versions' archives it opens.
  ///   - registry: Restoration classes, types and templates by their stable names.
  ///   - failedLaunchLimit: How many launches in a row may die while they restore, before the state is
  ///     set aside; less than 1 counts as 1.
  ///   - budget: How large the state may be.
  ///   - reservedValues: Gives the reserved values of an archive at each save; the bundle version is
  ///     filled in from the gate.
  public init(
    store: any RestorationStore, gate: VersionGate,
    registry: RestorationRegistry = RestorationRegistry(), failedLaunchLimit: Int = 1,
    budget: RestorationBudget = RestorationBudget(),
    reservedValues: @escaping @MainActor () -> ReservedValues = { ReservedValues() }
  ) {
    self.store = store
    self.gate = gate
    self.registry = registry
    self.budget = budget
    self.failedLaunchLimit = max(1, failedLaunchLimit)
    self.reservedValues = reservedValues
  }

  /// Creates a coordinator that carries older states forward.
  ///
  /// The saved state is migrated in memory, before anything of the application is asked for, and
  /// replaced by the next save; what the plan refuses is not restored.
  ///
  /// - Parameters:
  ///   - store: Where the state is kept.
  ///   - migration: The version of this program, and the steps that lead to it.
  ///   - registry: Restoration classes, types and templates by their stable names.
  ///   - failedLaunchLimit: How many launches in a row may die while they restore, before the state is
  ///     set aside; less than 1 counts as 1.
  ///   - budget: How large the state may be.
  ///   - reservedValues: Gives the reserved values of an archive at each save; the bundle version is
  ///     filled in from the plan.
  public convenience init(
    store: any RestorationStore, migration: MigrationPlan,
    registry: RestorationRegistry = RestorationRegistry(), failedLaunchLimit: Int = 1,
    budget: RestorationBudget = RestorationBudget(),
    reservedValues: @escaping @MainActor () -> ReservedValues = { ReservedValues() }
  ) {
    self.init(
      store: store, gate: migration.gate, registry: registry,
      failedLaunchLimit: failedLaunchLimit, budget: budget, reservedValues: reservedValues)
    self.migration = migration
  }

  /// Prepares, restores, and tells the delegate before and after.
  ///
  /// - Parameters:
  ///   - delegate: The application.
  ///   - opensLink: Whether the program was launched to open a link, which wins over the saved state.
  /// - Returns: What was restored, and if not, why.
  @discardableResult
  public func launch(
    _ delegate: any RestorationDelegate, opensLink: Bool = false
  ) async -> RestoreReport {
    await prepare()
    delegate.willFinishLaunching()
    let report = restore(delegate, opensLink: opensLink)
    delegate.didFinishLaunching(report)
    return report
  }

  /// Reads the saved archive and decides whether it may be restored.
  ///
  /// No code of the application runs, and no object is decoded. When the archive may be restored, a
  /// mark is left in the store; should this launch die before the restore is finished, the next one
  /// does not try again. Calling it again does no harm, and looks again where nothing could be read.
  ///
  /// - Returns: Why nothing will be restored, or `nil`.
  @discardableResult
  public func prepare() async -> RestoreReport.Refusal? {
    // The mark is this launch's own: what it stands for is prepared already, or still being restored.
    if isMarked { return nil }
    phase = await preparedPhase()
    if case .refused(let refusal) = phase { return refusal }
    return nil
  }

  private func preparedPhase() async -> Phase {
    do {
      switch try await store.load() {
      case .absent:
        return .nothingSaved
      case .archive(_, let failures) where failures >= failedLaunchLimit:
        let refuge = try await store.setAside()
        let launches = failures == 1 ? "The last launch" : "The last \(failures) launches"
        return .refused(
          .interrupted(
            "\(launches) ended while restoring the saved state, so it was not restored again; it was "
              + "moved to \(refuge), where it can be inspected."))
      case .archive(let bytes, let failures):
        let archive = try accepted(Archive(bytes))
        let index = try StateIndex(of: archive)
        try store.beginRestoration(attempt: failures + 1)
        isMarked = true
        ignoresSnapshot = index.ignoresSnapshot
        return .ready(archive, index)
      }
    } catch let error as MigrationError where error.code == .unusableArchive {
      return .refused(.damaged(error.description))
    } catch let error as MigrationError {
      return .refused(.version(error))
    } catch let error as ArchiveError {
      return .refused(.damaged("The saved state is damaged and was not restored: \(error)"))
    } catch {
      return .refused(Self.refusal(for: error))
    }
  }

  /// The archive, carried forward where there is a plan, if its version is one that is opened.
  private func accepted(_ archive: Archive) throws -> Archive {
    migrationReport = nil
    guard let migration else {
      try gate.check(archive.reserved)
      return archive
    }
    let migrated = try migration.migrate(archive)
    guard let bytes = migrated.bytes else { return archive }
    migrationReport = migrated.report
    return try Archive(bytes)
  }

  private static func refusal(for error: any Error) -> RestoreReport.Refusal {
    guard let error = error as? RestorationError else { return .storeUnavailable("\(error)") }
    return switch error.code {
    case .damaged: .damaged(error.message)
    case .keyUnavailable: .keyUnavailable(error.message)
    default: .storeUnavailable(error.message)
    }
  }

  /// Restores what ``prepare()`` found; call it between will- and did-finish-launching.
  ///
  /// - Parameters:
  ///   - delegate: The application.
  ///   - opensLink: Whether the program was launched to open a link, which wins over the saved state:
  ///     nothing is restored then, and the state stays until the next save.
  /// - Returns: What was restored, and if not, why. No error of one object ends the restore.
  public func restore(
    _ delegate: any RestorationDelegate, opensLink: Bool = false
  ) -> RestoreReport {
    switch phase {
    case .ready(let archive, let index):
      phase = .restoring
      var report = RestoreReport(.refused(.linkOpened))
      if !opensLink {
        let session = RestoreSession(
          archive, index, delegate: delegate, registry: registry,
          registeredObjects: registeredObjects)
        report = session.restore()
        if report.outcome == .restored { orphans = session.orphans() }
      }
      phase = .finished
      if let error = removeMark() { report = report.adding(error) }
      return report
    case .refused(let refusal):
      return RestoreReport(.refused(refusal))
    case .nothingSaved, .finished, .restoring:
      return RestoreReport(.nothingSaved)
    case .unprepared:
      return RestoreReport(.refused(.notPrepared))
    }
  }

  /// Keeps the restore open until ``completeRestoration()`` is called as many times.
  ///
  /// Call it during the restore, by an object that goes on restoring itself later. Until it is
  /// complete no state is saved, and should the process die, the next launch does not restore.
  public func extendRestoration() {
    extensionCount += 1
  }

  /// Ends one extension of the restore; further calls are ignored.
  ///
  /// - Throws: ``RestorationError`` when the mark of the restore cannot be removed.
  public func completeRestoration() throws(RestorationError) {
    guard extensionCount > 0 else { return }
    extensionCount -= 1
    if case .finished = phase, let error = removeMark() { throw error }
  }

  private func removeMark() -> RestorationError? {
    guard isMarked, extensionCount == 0 else { return nil }
    do {
      try store.endRestoration()
      isMarked = false
      return nil
    } catch {
      return error
    }
  }

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
    var reserved = reservedValues()
    reserved.bundleVersion = gate.programVersion.text
    let session = SaveSession(
      registeredObjects: registeredObjects, registry: registry, orphans: orphans)
    let encoded = try session.encode(delegate, reserved: reserved, budget: budget)
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

  /// What became damaged is kept for inspection by the first save that replaces it.
  private var previousState: PreviousState {
    switch phase {
    case .refused(.damaged): .setAside
    case .refused(.version(let error)):
      keepsRefusedState || error.code == .stepFailed ? .setAside : .replace
    default: .replace
    }
  }

  /// Registers an object that is neither a node nor a view, to be saved and restored with them.
  ///
  /// It is held weakly, and saved as long as it exists; its identifier and those of its
  /// ``RestorableObject/restorationParent`` make its path. Register it again in the next launch before
  /// the restore, or give it an ``RestorableObject/objectRestorationClass``.
  ///
  /// - Parameters:
  ///   - object: The object; its identifier is set.
  ///   - identifier: Its restoration identifier, not empty.
  /// - Throws: ``RestorationError`` when the identifier is empty, or the object is registered under
  ///   another one.
  public func register(
    _ object: any RestorableObject, identifier: String
  ) throws(RestorationError) {
    try registeredObjects.register(object, identifier: identifier)
  }

  /// Removes the saved state, as at the end of a user's session.
  ///
  /// - Throws: ``RestorationError`` when the store cannot be written.
  public func discard() async throws(RestorationError) {
    let store = store
    try await write { () throws(RestorationError) in try await store.remove() }
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
    }
  }

  private static let restorationInProgress = RestorationError(
    .restorationInProgress,
    "Nothing was saved, because the earlier state is still being restored; save when restore() has "
      + "returned and every extension of it is complete.")

  /// Runs writes one after the other, in the order in which they were asked for.
  private func write(
    _ operation: @escaping @Sendable () async throws(RestorationError) -> Void
  ) async throws(RestorationError) {
    let previous = lastWrite
    let task = Task { () async -> Result<Void, RestorationError> in
      await previous?.value
      do throws(RestorationError) {
        return .success(try await operation())
      } catch {
        return .failure(error)
      }
    }
    lastWrite = Task { _ = await task.value }
    try await task.value.get()
  }
}
