import KeepsakeArchive
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
  ///   directory: try .user("com.example.contacts"),
  ///   configuration: RestorationConfiguration(
  ///     bundleVersion: try BundleVersion("11.0")))
  /// ```
  ///
  /// - Parameters:
  ///   - directory: The directory of the state, which only this app uses.
  ///   - keyStore: The store of the key; by default a key file in the directory.
  ///   - freshnessStore: The store of the state's pin, with which an older state is refused.
  ///   - configuration: The version of this program, and the other settings of its state.
  public convenience init(
    directory: StateDirectory, keyStore: (any KeyStore)? = nil,
    freshnessStore: (any FreshnessStore)? = nil, configuration: RestorationConfiguration
  ) {
    self.init(
      store: SealedStateStore(
        directory: directory, keyStore: keyStore, freshnessStore: freshnessStore),
      configuration: configuration.describingThisMachine)
  }

  /// Creates a coordinator that keeps its state in a session, for one of several windows.
  ///
  /// - Parameters:
  ///   - session: A session that ``StateSessions`` has opened; only one coordinator may use it.
  ///   - configuration: The version of this program, and the other settings of its state.
  public convenience init(session: StateSession, configuration: RestorationConfiguration) {
    self.init(store: session, configuration: configuration.describingThisMachine)
  }
}

extension RestorationConfiguration {
  /// The configuration, with the time of each save and the version of the system among the reserved values.
  fileprivate var describingThisMachine: RestorationConfiguration {
    var configuration = self
    configuration.reservedValues = { [reservedValues] in
      var values = reservedValues()
      values.timestamp =
        values.timestamp
        ?? ArchiveDate(secondsSinceReferenceDate: Date.now.timeIntervalSinceReferenceDate)
      values.systemVersion =
        values.systemVersion ?? ProcessInfo.processInfo.operatingSystemVersionString
      return values
    }
    return configuration
  }
}
