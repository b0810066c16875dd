public import KeepsakeArchive

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
