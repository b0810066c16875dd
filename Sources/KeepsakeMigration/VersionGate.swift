public import KeepsakeArchive

/// The check that stands between an opened archive and everything in it.
///
/// The gate looks at one reserved value, the bundle version, and decides before any object is
/// decoded and before any part of the app is asked for anything. Rules: Spec/migration.md,
/// section 3.
///
/// ```swift
/// let gate = VersionGate(programVersion: try BundleVersion("11.0"), policy: .exactly)
/// try gate.check(archive.reserved)
/// ```
public struct VersionGate: Sendable {
  /// The version of this program, which its own archives will name.
  public let programVersion: BundleVersion
  /// Which versions' archives are opened.
  public let policy: VersionPolicy

  /// Creates a gate for one program version.
  ///
  /// - Parameters:
  ///   - programVersion: The version of this program.
  ///   - policy: Which versions' archives are opened.
  public init(programVersion: BundleVersion, policy: VersionPolicy) {
    self.programVersion = programVersion
    self.policy = policy
  }

  /// Lets an archive pass, or says why not.
  ///
  /// - Parameter reserved: The archive's reserved values.
  /// - Returns: The version that wrote the archive.
  /// - Throws: ``MigrationError``: missing, malformed, stale, later than allowed or from
  ///   the future.
  @discardableResult
  public func check(_ reserved: ReservedValues) throws(MigrationError) -> BundleVersion {
    guard let text = reserved.bundleVersion else {
      throw refusal(.missingVersion, nil)
    }
    let version: BundleVersion
    do throws(MigrationError) {
      version = try BundleVersion(text)
    } catch {
      throw MigrationError(
        code: .malformedVersion, archiveVersion: text, programVersion: programVersion.text,
        detail: error.detail)
    }
    if version > programVersion { throw refusal(.fromTheFuture, version) }
    if version < earliest { throw refusal(.stale, version) }
    if let latest, version > latest { throw refusal(.laterThanAllowed, version) }
    return version
  }

  private var earliest: BundleVersion {
    switch policy.rule {
    case .exactly: programVersion
    case .atLeast(let version): version
    case .within(let versions): versions.lowerBound
    }
  }

  private var latest: BundleVersion? {
    switch policy.rule {
    case .exactly, .atLeast: nil
    case .within(let versions): versions.upperBound
    }
  }

  private func refusal(_ code: MigrationError.Code, _ version: BundleVersion?) -> MigrationError {
    let allowed =
      switch policy.rule {
      case .exactly: "version \(programVersion)"
      case .atLeast(let version): "version \(version) or later, up to \(programVersion)"
      case .within(let versions): "versions \(versions.lowerBound) to \(versions.upperBound)"
      }
    return MigrationError(
      code: code, archiveVersion: version?.text, programVersion: programVersion.text,
      detail: allowed)
  }
}
