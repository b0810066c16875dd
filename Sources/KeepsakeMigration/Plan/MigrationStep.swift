public import KeepsakeArchive

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

/// One step of a type's own schema: what changed in the keys of its records from one schema version
/// to another.
///
/// Each record says which schema version it was written with, so single objects are carried forward
/// whatever version of the program wrote the archive. Records with a version that no step begins
/// with stay as they are. Rules: Spec/migration.md, section 6.
public struct SchemaMigrationStep: Sendable {
  /// The name of the type.
  public let typeName: String
  /// The schema version that the step begins with.
  public let from: UInt32
  /// The schema version that it leads to.
  public let to: UInt32
  /// What the step is for, in words; may be empty.
  public let summary: String
  let body: @Sendable (inout ArchivedRecord) throws -> Void

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type; of nested values too.
  ///   - from: The schema version that the step begins with.
  ///   - to: The schema version that it leads to; greater than `from`.
  ///   - summary: What the step is for, in words.
  ///   - body: Changes one record, whose schema version is raised afterwards; what it throws ends
  ///     the migration and is named in the error.
  public init(
    ofType typeName: String, from: UInt32, to: UInt32, _ summary: String = "",
    _ body: @escaping @Sendable (inout ArchivedRecord) throws -> Void
  ) {
    self.typeName = typeName
    self.from = from
    self.to = to
    self.summary = summary
    self.body = body
  }
}

extension SchemaMigrationStep: CustomStringConvertible {
  /// The type and the two versions, as in `schema of Contact, 1 -> 2`.
  public var description: String { "schema of \(typeName), \(from) -> \(to)" }
}
