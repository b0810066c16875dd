public import KeepsakeArchive
public import KeepsakeMigration

/// The settings of a coordinator: versions, migration, registered names and limits of the state.
///
/// ```swift
/// var configuration = RestorationConfiguration(
///   bundleVersion: try BundleVersion("11.0"))
/// try configuration.registry.register(
///   restorationClass: DetailController.self)
/// ```
@MainActor
public struct RestorationConfiguration {
  /// The version of this program, which each state records, and the versions whose states are restored.
  package let gate: VersionGate
  /// The steps that migrate older states.
  ///
  /// They run in memory, before any call of the application; the next save replaces the older state. A state that the
  /// plan refuses is not restored.
  package let migration: MigrationPlan?
  /// Restoration classes, types and templates by their stable names.
  public var registry: RestorationRegistry
  /// The maximum size of the state.
  public var budget: RestorationBudget
  /// The number of launches in a row that may die while they restore the same state, before it is moved aside; less
  /// than 1 counts as 1.
  public var failedLaunchLimit: Int
  /// True when the app reports its first frame with ``RestorationCoordinator/didDrawFirstFrame()``.
  ///
  /// By default a launch has succeeded when `didFinishLaunching` has returned. An app that draws later, and could die as
  /// soon as it shows what was restored, sets this to `true`.
  public var awaitsFirstFrame = false
  /// True when a save keeps the state that it replaces under another name, if that was refused for its version.
  ///
  /// A state on which a step of a migration failed is always kept.
  public var keepsRefusedState = false
  /// A number for the kind of interface, recorded with each state.
  public var userInterfaceIdiom: Int?
  /// Gives the reserved values of an archive at each save; bundle version and interface idiom are filled in.
  public var reservedValues: @MainActor () -> ReservedValues

  /// Creates the configuration of a program that restores what its gate opens.
  ///
  /// The limit is the number of launches in a row that may die with the state that they restore. The closure gives the
  /// reserved values of an archive at each save; by default none.
  package init(
    gate: VersionGate, registry: RestorationRegistry = RestorationRegistry(),
    budget: RestorationBudget = RestorationBudget(), failedLaunchLimit: Int = 1,
    reservedValues: @escaping @MainActor () -> ReservedValues = { ReservedValues() }
  ) {
    self.gate = gate
    migration = nil
    self.registry = registry
    self.budget = budget
    self.failedLaunchLimit = failedLaunchLimit
    self.reservedValues = reservedValues
  }

  /// Creates the configuration of a program that restores the states of some versions, by default its own, as they are.
  ///
  /// The limit is the number of launches in a row that may die with the state that they restore.
  public init(
    bundleVersion: BundleVersion, versionPolicy: VersionPolicy = .exactly,
    registry: RestorationRegistry = RestorationRegistry(), failedLaunchLimit: Int = 1
  ) {
    self.init(
      gate: VersionGate(programVersion: bundleVersion, policy: versionPolicy), registry: registry,
      failedLaunchLimit: failedLaunchLimit)
  }

  /// Creates the configuration of a program that carries older states forward by the steps of a plan.
  ///
  /// The limit is the number of launches in a row that may die with the state that they restore.
  public init(
    migration: MigrationPlan, registry: RestorationRegistry = RestorationRegistry(),
    failedLaunchLimit: Int = 1
  ) {
    gate = migration.gate
    self.migration = migration
    self.registry = registry
    budget = RestorationBudget()
    self.failedLaunchLimit = failedLaunchLimit
    reservedValues = { ReservedValues() }
  }
}
