public import Keepsake

/// The result of a simulated relaunch.
@MainActor
public struct Relaunch<App: RestorationDelegate> {
  /// The app of the second launch.
  public let app: App
  /// The report of the save that ended the first launch.
  public let saveReport: SaveReport
  /// The report of the restore in the second launch.
  public let restoreReport: RestoreReport
}

/// Saves an app's state, and launches a new app from it, all within this process.
///
/// The first frame of the new app counts as drawn.
///
/// ```swift
/// let configuration = RestorationConfiguration(
///   bundleVersion: try BundleVersion("1.0"))
/// let app = MyApp()
/// app.openDetail()
/// let relaunch = try await relaunch(
///   app, configuration: configuration
/// ) { MyApp() }
/// #expect(relaunch.app.isShowingDetail)
/// ```
///
/// - Parameters:
///   - app: The app to save, in its current state.
///   - store: The store between the two launches; by default a new one.
///   - configuration: The version of the app, its registry, its budget, and the other settings of its coordinator.
///   - nextConfiguration: The configuration of the second launch, if it differs: that of a later version with a gate
///     or a migration of its own.
///   - register: Registers the objects of the first launch that are neither nodes nor views; the new app registers
///     its own in `shouldRestoreState(with:)`.
///   - newApp: Makes the app of the second launch.
/// - Returns: The new app with the reports of the save and of the restore.
/// - Throws: `RestorationError` when an object cannot be registered or the state cannot be saved.
@MainActor
public func relaunch<App: RestorationDelegate>(
  _ app: App, store: InMemoryStateStore = InMemoryStateStore(),
  configuration: RestorationConfiguration, nextConfiguration: RestorationConfiguration? = nil,
  registering register: (RestorationCoordinator) throws(RestorationError) -> Void = { _ in },
  newApp: () -> App
) async throws(RestorationError) -> Relaunch<App> {
  let saving = RestorationCoordinator(
    store: FreshStore(store: store), configuration: configuration)
  await saving.prepare()
  try register(saving)
  let saveReport = try await saving.save(app)
  let restoring = RestorationCoordinator(
    store: store, configuration: nextConfiguration ?? configuration)
  let next = newApp()
  let restoreReport = await restoring.launch(next)
  restoring.didDrawFirstFrame()
  return Relaunch(app: next, saveReport: saveReport, restoreReport: restoreReport)
}

/// The store as a running app sees it: nothing is left to restore.
private struct FreshStore: RestorationStore {
  let store: InMemoryStateStore

  func load() async throws(RestorationError) -> StoredState { .absent }

  func save(_ archive: [UInt8], previous: PreviousState) async throws(RestorationError) {
    try await store.save(archive, previous: previous)
  }

  func remove() async throws(RestorationError) { try await store.remove() }

  func setAside() async throws(RestorationError) -> String { try await store.setAside() }

  // Without a state to restore, no restore begins or ends.
  func beginRestoration(attempt: Int) {}

  func endRestoration() {}
}
