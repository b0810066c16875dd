public import KeepsakeArchive

/// Which archives a program opens.
///
/// A version that is later than the program's own is refused by every policy, and so is a missing
/// one. A policy that names versions can ask for more:
///
/// ```swift
/// let policy = VersionPolicy.atLeast(try BundleVersion("10"))
///   .requiringIdiom(1)
///   .deciding { facts in
///     facts.reserved.systemVersion == nil ? .refuse("it names no system") : .open
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

  /// Opens only what this very version wrote: the rule of an app that compares versions for
  /// equality before it restores.
  public static let exactly = VersionPolicy(rule: .exactly)

  /// Opens what the given version or a later one wrote, up to the program's own version.
  ///
  /// - Parameter version: The earliest version that is opened.
  /// - Returns: The policy.
  public static func atLeast(_ version: BundleVersion) -> VersionPolicy {
    VersionPolicy(rule: .atLeast(version))
  }

  /// Opens what a version within a range wrote, up to the program's own version.
  ///
  /// - Parameter versions: The earliest and the latest version that are opened.
  /// - Returns: The policy.
  public static func within(_ versions: ClosedRange<BundleVersion>) -> VersionPolicy {
    VersionPolicy(rule: .within(versions))
  }

  /// The same policy, which also refuses what was saved under another user interface idiom.
  ///
  /// - Parameter idiom: The idiom that this program runs under; an archive that names none is
  ///   refused.
  /// - Returns: The policy.
  public func requiringIdiom(_ idiom: Int) -> VersionPolicy {
    var policy = self
    policy.idiom = idiom
    return policy
  }

  /// The same policy, which also refuses what was saved too long ago.
  ///
  /// - Parameters:
  ///   - seconds: The greatest age, in seconds; an archive without a timestamp is refused, and one
  ///     from later than now is not.
  ///   - now: Tells the time when an archive is opened; nothing in this module reads a clock.
  /// - Returns: The policy.
  public func expiring(
    afterSeconds seconds: Double, now: @escaping @Sendable () -> ArchiveDate
  ) -> VersionPolicy {
    var policy = self
    policy.expiry = Expiry(seconds: seconds, now: now)
    return policy
  }

  /// The same policy, which also asks a closure when everything else has passed.
  ///
  /// - Parameter decide: Opens or refuses an archive; called before any object is decoded.
  /// - Returns: The policy.
  public func deciding(
    _ decide: @escaping @Sendable (ArchiveFacts) -> VersionDecision
  ) -> VersionPolicy {
    var policy = self
    policy.decisions.append(decide)
    return policy
  }
}

/// What a policy of an application's own decides by: both versions, and the archive's reserved
/// values.
public struct ArchiveFacts: Hashable, Sendable {
  /// The version that wrote the archive.
  public let archiveVersion: BundleVersion
  /// The version of this program; not earlier than ``archiveVersion``.
  public let programVersion: BundleVersion
  /// What the archive says about itself: idiom, timestamp, system version.
  public let reserved: ReservedValues
}

/// What a policy of an application's own decides about an archive.
public enum VersionDecision: Hashable, Sendable {
  /// The archive is opened.
  case open
  /// The archive is refused, for a reason: a clause such as "it was saved in a trial period".
  case refuse(String)
}
