package import KeepsakeArchive

/// The check of an archive's version before anything in it is used.
///
/// The gate reads the archive's reserved values, and decides before any object is decoded and before any code of the
/// app is called. Rules: Spec/migration.md, section 3.
///
/// ```swift
/// let gate = VersionGate(
///   programVersion: try BundleVersion("11.0"),
///   policy: .exactly)
/// try gate.check(archive.reserved)
/// ```
package struct VersionGate: Sendable {
  /// The version of this program, which its own archives name.
  package let programVersion: BundleVersion
  /// The rule for the archives that are opened.
  package let policy: VersionPolicy

  /// Creates a gate for one program version, with the rule for the archives that are opened.
  package init(programVersion: BundleVersion, policy: VersionPolicy) {
    self.programVersion = programVersion
    self.policy = policy
  }

  /// Returns the version of an archive that may be opened; throws for any other archive.
  ///
  /// - Throws: ``MigrationError``: missing, malformed, stale, later than allowed, from the future,
  ///   of another idiom, expired, or refused by the application's own rule.
  @discardableResult
  package func check(_ reserved: ReservedValues) throws(MigrationError) -> BundleVersion {
    guard let text = reserved.bundleVersion else {
      throw refusal(.missingVersion, nil, allowed)
    }
    let version: BundleVersion
    do throws(MigrationError) {
      version = try BundleVersion(text)
    } catch {
      throw MigrationError(
        .malformedVersion, archiveVersion: text, programVersion: programVersion.text,
        message: error.message)
    }
    if version > programVersion { throw refusal(.fromTheFuture, version, allowed) }
    if version < earliest { throw refusal(.stale, version, allowed) }
    if let latest, version > latest { throw refusal(.laterThanAllowed, version, allowed) }
    try checkIdiom(reserved.userInterfaceIdiom, version)
    try checkAge(reserved.timestamp, version)
    let facts = ArchiveFacts(
      archiveVersion: version, programVersion: programVersion, reserved: reserved)
    for decide in policy.decisions {
      if case .refuse(let reason) = decide(facts) {
        throw refusal(.refusedByPolicy, version, reason)
      }
    }
    return version
  }

  private func checkIdiom(_ idiom: Int?, _ version: BundleVersion) throws(MigrationError) {
    guard let expected = policy.idiom, expected != idiom else { return }
    let found = idiom.map { "the user interface idiom \($0)" } ?? "no user interface idiom"
    throw refusal(
      .idiomMismatch, version,
      "it names \(found), and this program runs under the idiom \(expected)")
  }

  private func checkAge(_ timestamp: ArchiveDate?, _ version: BundleVersion) throws(MigrationError)
  {
    guard let expiry = policy.expiry else { return }
    let limit = "this program opens none older than \(Self.words(seconds: expiry.seconds))"
    guard let timestamp else {
      throw refusal(.expired, version, "it does not say when it was saved, and \(limit)")
    }
    let age = expiry.now().secondsSinceReferenceDate - timestamp.secondsSinceReferenceDate
    // An age of NaN exceeds every limit.
    guard age <= expiry.seconds else {
      throw refusal(
        .expired, version, "it was saved \(Self.words(seconds: age)) ago, and \(limit)")
    }
  }

  /// A span of time in its largest whole unit.
  private static func words(seconds: Double) -> String {
    let units = [(86_400.0, "day"), (3_600, "hour"), (60, "minute"), (1, "second")]
    let (size, name) = units.first { seconds >= $0.0 } ?? (1, "second")
    guard let count = Int(exactly: (seconds / size).rounded(.down)) else {
      return "an unknown time"
    }
    return count == 1 ? "1 \(name)" : "\(count) \(name)s"
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

  /// The versions that are opened, in words.
  private var allowed: String {
    switch policy.rule {
    case .exactly: "version \(programVersion)"
    case .atLeast(let version): "version \(version) or later, up to \(programVersion)"
    case .within(let versions): "versions \(versions.lowerBound) to \(versions.upperBound)"
    }
  }

  private func refusal(
    _ code: MigrationError.Code, _ version: BundleVersion?, _ message: String
  ) -> MigrationError {
    MigrationError(
      code, archiveVersion: version?.text, programVersion: programVersion.text, message: message)
  }
}
