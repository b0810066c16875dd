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
  ///   configuration: RestorationConfiguration(bundleVersion: try BundleVersion("11.0")))
  /// ```
  ///
  /// - Parameters:
  ///   - directory: The directory of the state, which the app has for itself.
  ///   - keyStore: Where the key is kept; by default in a key file in the directory.
  ///   - freshnessStore: Where the pin of the state is kept, so that an older state put back is refused.
  ///   - configuration: The version of this program, and all else that it says of its state.
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
  ///   - session: The session, which ``StateSessions`` has opened; one coordinator has it for itself.
  ///   - configuration: The version of this program, and all else that it says of its state.
  public convenience init(session: StateSession, configuration: RestorationConfiguration) {
    self.init(store: session, configuration: configuration.describingThisMachine)
  }
}

extension RestorationConfiguration {
  /// The configuration with the time of each save and the version of the system among the reserved values.
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
