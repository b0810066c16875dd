public import KeepsakeArchive

/// The rule for the archives that a program opens, by their versions.
///
/// Every policy refuses a missing version, and one that is later than the program's own. A policy can have further
/// conditions:
///
/// ```swift
/// let policy = VersionPolicy.atLeast(try BundleVersion("10"))
///   .requiringIdiom(1)
///   .deciding { facts in
///     facts.reserved.systemVersion == nil
///       ? .refuse("it names no system") : .open
///   }
/// ```
///
/// Rules: Spec/migration.md, section 2.
public struct VersionPolicy: Sendable {
  enum Rule: Hashable, Sendable {
    case exactly
    case atLeast(BundleVersion)
    case within(ClosedRange<BundleVersion>)
  }

  struct Expiry: Sendable {
    var seconds: Double
    var now: @Sendable () -> ArchiveDate
  }

  let rule: Rule
  private(set) var idiom: Int?
  private(set) var expiry: Expiry?
  private(set) var decisions: [@Sendable (ArchiveFacts) -> VersionDecision] = []

  private init(rule: Rule) {
    self.rule = rule
  }

  /// Opens only archives of exactly this version: the rule of an app that compares versions for equality before it
  /// restores.
  public static let exactly = VersionPolicy(rule: .exactly)

  /// Opens archives of the given version or a later one, up to the program's own version.
  public static func atLeast(_ version: BundleVersion) -> VersionPolicy {
    VersionPolicy(rule: .atLeast(version))
  }

  /// Opens archives of the versions in a range, up to the program's own version.
  public static func within(_ versions: ClosedRange<BundleVersion>) -> VersionPolicy {
    VersionPolicy(rule: .within(versions))
  }

  /// The same policy, which also refuses archives that were saved under another user interface idiom, or name none.
  public func requiringIdiom(_ idiom: Int) -> VersionPolicy {
    var policy = self
    policy.idiom = idiom
    return policy
  }

  /// The same policy, which also refuses archives that are older than a number of seconds.
  ///
  /// An archive without a timestamp is refused; one with a timestamp in the future is not. The closure returns the time
  /// when an archive is opened; nothing in this module reads a clock.
  public func expiring(
    afterSeconds seconds: Double, now: @escaping @Sendable () -> ArchiveDate
  ) -> VersionPolicy {
    var policy = self
    policy.expiry = Expiry(seconds: seconds, now: now)
    return policy
  }

  /// The same policy, which also calls a closure when all other conditions are met, before any object is decoded.
  public func deciding(
    _ decide: @escaping @Sendable (ArchiveFacts) -> VersionDecision
  ) -> VersionPolicy {
    var policy = self
    policy.decisions.append(decide)
    return policy
  }
}

/// The facts for a decision of the application: both versions, and the archive's reserved values.
public struct ArchiveFacts: Hashable, Sendable {
  /// The version that wrote the archive.
  public let archiveVersion: BundleVersion
  /// The version of this program; not earlier than ``archiveVersion``.
  public let programVersion: BundleVersion
  /// The reserved values of the archive: idiom, timestamp, system version.
  public let reserved: ReservedValues
}

/// The decision of the application about an archive.
public enum VersionDecision: Hashable, Sendable {
  /// The archive is opened.
  case open
  /// The archive is refused, for a reason: a clause such as "it was saved in a trial period".
  case refuse(String)
}
