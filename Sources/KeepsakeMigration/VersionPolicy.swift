/// Which bundle versions' archives a program opens.
///
/// A version that is later than the program's own is refused by every policy, and so is a missing
/// one. Rules: Spec/migration.md, section 2.
public struct VersionPolicy: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case exactly
    case atLeast(BundleVersion)
    case within(ClosedRange<BundleVersion>)
  }

  let rule: Rule

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
}
