extension MigrationError {
  /// What was wrong; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates the code of a name.
    ///
    /// - Parameter rawValue: The stable name, for example `"malformedVersion"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A text is not a bundle version.
    public static let malformedVersion = Code(rawValue: "malformedVersion")
    /// The archive does not say which bundle version wrote it.
    public static let missingVersion = Code(rawValue: "missingVersion")
    /// The archive was written by a version that is older than the policy allows, or than any step
    /// of the plan begins with.
    public static let stale = Code(rawValue: "stale")
    /// The archive was written by a version that is later than the policy allows, though not later
    /// than this program.
    public static let laterThanAllowed = Code(rawValue: "laterThanAllowed")
    /// The archive was written by a version that is later than this program.
    public static let fromTheFuture = Code(rawValue: "fromTheFuture")
    /// The archive was written under another user interface idiom.
    public static let idiomMismatch = Code(rawValue: "idiomMismatch")
    /// The archive was written longer ago than the policy allows.
    public static let expired = Code(rawValue: "expired")
    /// A rule of the application's own refused the archive.
    public static let refusedByPolicy = Code(rawValue: "refusedByPolicy")

    /// A step of a plan leads to the version that it begins with, or to an earlier one.
    public static let backwardsStep = Code(rawValue: "backwardsStep")
    /// The steps of a plan lead back to a version that they came from.
    public static let cycle = Code(rawValue: "cycle")
    /// Two steps of a plan begin with one version.
    public static let duplicateStep = Code(rawValue: "duplicateStep")
    /// A step of a plan begins with a later version than the step before it leads to.
    public static let gap = Code(rawValue: "gap")
    /// A step of a plan begins with an earlier version than the step before it leads to.
    public static let overlap = Code(rawValue: "overlap")
    /// A step of a plan leads to a later version than the program's own.
    public static let stepBeyondProgram = Code(rawValue: "stepBeyondProgram")

    /// A step could not be made; it names itself, the object and the key.
    public static let stepFailed = Code(rawValue: "stepFailed")
    /// The archive is damaged, or what the steps left of it cannot be stored.
    public static let unusableArchive = Code(rawValue: "unusableArchive")
  }
}
