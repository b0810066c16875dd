/// One step of a migration: what changed in the archives of a program from one version to another.
///
/// A step belongs to the version in which the layout changed. It begins with the earliest version of
/// the old layout, and carries forward what that version wrote, and what every version between the
/// two wrote. Rules: Spec/migration.md, section 4.
///
/// ```swift
/// let step = MigrationStep(
///   from: try BundleVersion("10.0"), to: try BundleVersion("11.0"), "contacts have whole names",
///   edits: [.renameKey("nm", to: "name", ofType: "Contact")])
/// ```
public struct MigrationStep: Sendable {
  /// The earliest version whose archives the step carries forward.
  public let from: BundleVersion
  /// The version whose layout they have afterwards.
  public let to: BundleVersion
  /// What the step is for, in words; may be empty.
  public let summary: String
  /// The changes, made in this order.
  public let edits: [MigrationEdit]

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - from: The earliest version whose archives the step carries forward.
  ///   - to: The version whose layout they have afterwards; later than `from`.
  ///   - summary: What the step is for, in words.
  ///   - edits: The changes, made in this order.
  public init(
    from: BundleVersion, to: BundleVersion, _ summary: String = "", edits: [MigrationEdit]
  ) {
    self.from = from
    self.to = to
    self.summary = summary
    self.edits = edits
  }
}

extension MigrationStep: CustomStringConvertible {
  /// The two versions, as in `10.0 -> 11.0`.
  public var description: String { "\(from) -> \(to)" }
}
