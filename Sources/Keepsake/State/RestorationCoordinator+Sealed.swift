import KeepsakeArchive
public import KeepsakeMigration
public import KeepsakeRestoration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RestorationCoordinator {
  /// Creates a coordinator that keeps its state in a sealed file of a directory.
  ///
  /// ```swift
  /// let coordinator = RestorationCoordinator(
  ///   directory: try .user("com.example.contacts"), bundleVersion: try BundleVersion("11.0"))
  /// ```
  ///
  /// - Parameters:
  ///   - directory: The directory of the state, which the app has for itself.
  ///   - keyStore: Where the key is kept; by default in a key file in the directory.
  ///   - freshnessStore: Where the pin of the state is kept, so that an older state put back is refused.
  ///   - bundleVersion: The version of this program.
  ///   - versionPolicy: Which versions' archives are restored; by default only this version's.
  ///   - userInterfaceIdiom: A number for the kind of interface, recorded with the state.
  ///   - budget: How large the state may be.
  ///   - registry: Restoration classes, types and templates by their stable names.
  ///   - failedLaunchLimit: How many launches in a row may die while they restore, before the state is
  ///     set aside.
  public convenience init(
    directory: StateDirectory, keyStore: (any KeyStore)? = nil,
    freshnessStore: (any FreshnessStore)? = nil, bundleVersion: BundleVersion,
    versionPolicy: VersionPolicy = .exactly, userInterfaceIdiom: Int? = nil,
    budget: RestorationBudget = RestorationBudget(),
    registry: RestorationRegistry = RestorationRegistry(), failedLaunchLimit: Int = 1
  ) {
    self.init(
      sealedStore: SealedStateStore(
        directory: directory, keyStore: keyStore, freshnessStore: freshnessStore),
      bundleVersion: bundleVersion, versionPolicy: versionPolicy,
      userInterfaceIdiom: userInterfaceIdiom, budget: budget, registry: registry,
      failedLaunchLimit: failedLaunchLimit)
  }

  /// Creates a coordinator that keeps its state in a session, for one of several windows.
  ///
  /// - Parameters:
  ///   - session: The session, which ``StateSessions`` has opened; one coordinator has it for itself.
  ///   - bundleVersion: The version of this program.
  ///   - versionPolicy: Which versions' archives are restored; by default only this version's.
  ///   - userInterfaceIdiom: A number for the kind of interface, recorded with the state.
  ///   - budget: How large the state may be.
  ///   - registry: Restoration classes, types and templates by their stable names.
  ///   - failedLaunchLimit: How many launches in a row may die while they restore, before the state is
  ///     set aside.
  public convenience init(
    session: StateSession, bundleVersion: BundleVersion,
    versionPolicy: VersionPolicy = .exactly, userInterfaceIdiom: Int? = nil,
    budget: RestorationBudget = RestorationBudget(),
    registry: RestorationRegistry = RestorationRegistry(), failedLaunchLimit: Int = 1
  ) {
    self.init(
      sealedStore: session, bundleVersion: bundleVersion, versionPolicy: versionPolicy,
      userInterfaceIdiom: userInterfaceIdiom, budget: budget, registry: registry,
      failedLaunchLimit: failedLaunchLimit)
  }

  private convenience init(
    sealedStore: any RestorationStore, bundleVersion: BundleVersion, versionPolicy: VersionPolicy,
    userInterfaceIdiom: Int?, budget: RestorationBudget, registry: RestorationRegistry,
    failedLaunchLimit: Int
  ) {
    self.init(
      store: sealedStore,
      gate: VersionGate(programVersion: bundleVersion, policy: versionPolicy), registry: registry,
      failedLaunchLimit: failedLaunchLimit, budget: budget
    ) { Self.reservedValues(userInterfaceIdiom) }
  }

  /// Creates a coordinator that keeps its state in a sealed file of a directory, and carries what
  /// older versions saved forward.
  ///
  /// - Parameters:
  ///   - directory: The directory of the state, which the app has for itself.
  ///   - keyStore: Where the key is kept; by default in a key file in the directory.
  ///   - freshnessStore: Where the pin of the state is kept, so that an older state put back is refused.
  ///   - migration: The version of this program, and the steps that lead to it.
  ///   - userInterfaceIdiom: A number for the kind of interface, recorded with the state.
  ///   - budget: How large the state may be.
  ///   - registry: Restoration classes, types and templates by their stable names.
  ///   - failedLaunchLimit: How many launches in a row may die while they restore, before the state is
  ///     set aside.
  public convenience init(
    directory: StateDirectory, keyStore: (any KeyStore)? = nil,
    freshnessStore: (any FreshnessStore)? = nil, migration: MigrationPlan,
    userInterfaceIdiom: Int? = nil, budget: RestorationBudget = RestorationBudget(),
    registry: RestorationRegistry = RestorationRegistry(), failedLaunchLimit: Int = 1
  ) {
    self.init(
      store: SealedStateStore(
        directory: directory, keyStore: keyStore, freshnessStore: freshnessStore),
      migration: migration, registry: registry, failedLaunchLimit: failedLaunchLimit, budget: budget
    ) { Self.reservedValues(userInterfaceIdiom) }
  }

  /// What an archive says of this moment and this machine.
  private static func reservedValues(_ userInterfaceIdiom: Int?) -> ReservedValues {
    ReservedValues(
      userInterfaceIdiom: userInterfaceIdiom,
      timestamp: ArchiveDate(
        secondsSinceReferenceDate: Date.now.timeIntervalSinceReferenceDate),
      systemVersion: ProcessInfo.processInfo.operatingSystemVersionString)
  }
}
