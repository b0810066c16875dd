public import KeepsakeArchive

/// One change that a migration step makes to an archive.
///
/// Most edits are of all records of one type: objects, and values nested in them, at any depth. They
/// pass through memory one object at a time, so any number of objects can be changed; edits that say
/// that they are of the whole document keep the objects that they change until the archive is
/// written.
///
/// ```swift
/// let edits: [MigrationEdit] = [
///   .renameKey("nm", to: "name", ofType: "Contact"),
///   .convertKey("age", ofType: "Contact") { value in
///     guard case .string(let text) = value, let age = Int64(text) else { throw NoNumber(value) }
///     return .signed(age, bitWidth: 64)
///   },
/// ]
/// ```
///
/// A key that is absent is left absent: rename, move, remove and convert then change nothing. Rules:
/// Spec/migration.md, section 5.
public struct MigrationEdit: Sendable {
  enum Action: Sendable {
    /// Changes records of a type.
    case records(ofType: ArchiveKey, @Sendable (inout ArchivedRecord) throws -> Effect)
    /// Changes an object's record, whatever its type.
    case objects(@Sendable (inout ArchivedRecord) throws -> Effect)
    case document(@Sendable (inout ArchiveDocument) throws -> Void)
  }

  /// What an edit did to a record.
  enum Effect: Int, Comparable {
    /// The record has nothing that the edit is of.
    case none
    /// What the edit is of is there, and as the edit leaves it.
    case match
    case change
    /// It may have put another record into the record.
    case nesting

    static func < (left: Effect, right: Effect) -> Bool { left.rawValue < right.rawValue }
  }

  /// What is known of an edit of records besides what it does.
  enum Kind: Sendable {
    /// A closure of the program's own, or an edit that looks at values.
    case opaque
    /// Looks at keys and at the type only, and at values that other edits computed: what it does to one
    /// record it does to all of the shape.
    case keys
    /// The same, and it makes nested records of a type.
    case wrapping(ArchiveKey)
    /// Stores a value where a key is absent.
    case defaulting(ArchivedValue, key: ArchiveKey, scope: [String])
    /// Makes the value of one key anew out of the old one.
    case converting(
      key: ArchiveKey, scope: [String], @Sendable (ArchivedValue) throws -> ArchivedValue)
    /// Changes only records of one schema version.
    case schema(from: UInt32)
  }

  let action: Action
  let kind: Kind
  /// What the edit does, in words.
  public let description: String

  init(_ description: String, _ action: Action, _ kind: Kind = .opaque) {
    self.description = description
    self.action = action
    self.kind = kind
  }

  /// An edit of a program's own, of each record of one type.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type.
  ///   - description: What it does, in words, for the plan and the report.
  ///   - body: Changes one record; what it throws ends the migration and is named in the error.
  /// - Returns: The edit.
  public static func editRecords(
    ofType typeName: String, _ description: String,
    _ body: @escaping @Sendable (inout ArchivedRecord) throws -> Void
  ) -> MigrationEdit {
    MigrationEdit(
      "\(description) (\(typeName))", .records(ofType: ArchiveKey(typeName), telling(body)))
  }

  /// An edit of a program's own, of each object, whatever its type.
  ///
  /// - Parameters:
  ///   - description: What it does, in words, for the plan and the report.
  ///   - body: Changes one object's record; what it throws ends the migration and is named in the
  ///     error.
  /// - Returns: The edit.
  public static func editObjects(
    _ description: String, _ body: @escaping @Sendable (inout ArchivedRecord) throws -> Void
  ) -> MigrationEdit {
    MigrationEdit(description, .objects(telling(body)))
  }

  /// An edit of a program's own, of the whole document: it inserts and removes objects, and sees
  /// several at once.
  ///
  /// - Parameters:
  ///   - description: What it does, in words, for the plan and the report.
  ///   - body: Changes the document; what it throws ends the migration and is named in the error.
  /// - Returns: The edit.
  public static func editDocument(
    _ description: String, _ body: @escaping @Sendable (inout ArchiveDocument) throws -> Void
  ) -> MigrationEdit {
    MigrationEdit(description, .document(body))
  }

  /// The same edit in other words.
  package func described(as description: String) -> MigrationEdit {
    MigrationEdit(description, action, kind)
  }

  /// Finds out whether a closure changed anything.
  static func telling(
    _ body: @escaping @Sendable (inout ArchivedRecord) throws -> Void
  ) -> @Sendable (inout ArchivedRecord) throws -> Effect {
    { record in
      let before = record
      try body(&record)
      return switch record.change(since: before) {
      case .none: .match
      case .values: .change
      case .containers: .nesting
      }
    }
  }
}

extension MigrationEdit: CustomStringConvertible {}
