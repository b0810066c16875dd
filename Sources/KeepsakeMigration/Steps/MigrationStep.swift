public import KeepsakeDocuments

/// One step of a migration: the changes in a program's archives from one version to another.
///
/// A step belongs to the version in which the layout changed. It begins with the earliest version of the old layout,
/// and migrates the archives of all versions from that one up to, but not including, the new one. Rules:
/// Spec/migration.md, section 4.
///
/// ```swift
/// let step = MigrationStep(
///   from: try BundleVersion("10.0"),
///   to: try BundleVersion("11.0"),
///   "contacts have whole names",
///   edits: [.renameKey("nm", to: "name", ofType: "Contact")])
/// ```
public struct MigrationStep: Sendable {
  /// The earliest version whose archives the step migrates.
  package let from: BundleVersion
  /// The version whose layout the archives have afterwards.
  package let to: BundleVersion
  /// The purpose of the step, in words; may be empty.
  package let summary: String
  /// The changes, made in this order.
  package let edits: [MigrationEdit]

  /// Creates a step from the earliest version whose archives it migrates to the later one whose layout they then have.
  ///
  /// The summary says the purpose of the step. The edits are made in this order.
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

/// One step of a type's own schema: the changes in the keys of its records from one schema version to another.
///
/// Each record states the schema version that it was written with. So a step looks only at the record, and not at the
/// version of the program that wrote the archive. A record stays unchanged when no step begins with its schema
/// version. Rules: Spec/migration.md, section 6.
public struct SchemaMigrationStep: Sendable {
  /// The name of the type.
  package let typeName: String
  /// The schema version that the step begins with.
  package let from: UInt32
  /// The schema version that the step leads to.
  package let to: UInt32
  /// The purpose of the step, in words; may be empty.
  package let summary: String
  let body: @Sendable (inout DynamicRecord) throws -> Void

  /// Creates a step from one schema version to a greater one, for records of a type, also those nested in others.
  ///
  /// The summary says the purpose of the step. The closure changes one record, whose schema version is set afterwards.
  /// An error that it throws ends the migration, and the migration's error names it.
  public init(
    ofType typeName: String, from: UInt32, to: UInt32, _ summary: String = "",
    _ body: @escaping @Sendable (inout DynamicRecord) throws -> Void
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
