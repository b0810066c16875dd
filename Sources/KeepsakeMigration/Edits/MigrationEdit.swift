import KeepsakeArchive
public import KeepsakeDocuments

/// One change that a migration step makes to an archive.
///
/// Most edits change all records of one type: objects, and values nested in them, at any depth. They stream one object
/// at a time, so any number of objects can be changed. Edits of the whole document say so; they keep the objects that
/// they change in memory until the archive is written.
///
/// ```swift
/// let edits: [MigrationEdit] = [
///   .renameKey("nm", to: "name", ofType: "Contact"),
///   .convertKey("age", ofType: "Contact") { value in
///     guard case .string(let text) = value,
///       let age = Int64(text)
///     else { throw NoNumber(value) }
///     return .signed(age, bitWidth: 64)
///   },
/// ]
/// ```
///
/// An absent key stays absent: rename, move, remove and convert then change nothing. Rules: Spec/migration.md,
/// section 5.
public struct MigrationEdit: Sendable {
  enum Action: Sendable {
    /// Changes records of a type.
    case records(ofType: ArchiveKey, @Sendable (inout DynamicRecord) throws -> Effect)
    /// Changes an object's record, whatever its type.
    case objects(@Sendable (inout DynamicRecord) throws -> Effect)
    case document(@Sendable (inout ArchiveDocument) throws -> Void)
  }

  package enum Effect: Int, Comparable {
    /// The edit does not apply to the record.
    case none
    /// The edit applies to the record, but changed nothing.
    case match
    case change
    /// The edit may have nested another record in the record.
    case nesting

    package static func < (left: Effect, right: Effect) -> Bool { left.rawValue < right.rawValue }
  }

  /// The kind of an edit of records, which decides whether it can run once for a shape or must run for each record.
  enum Kind: Sendable {
    /// A closure of the program, or an edit that reads values.
    case opaque
    /// Reads only keys, the type, and values that other edits computed: it has the same effect on all records of a
    /// shape.
    case keys
    /// Like `keys`, and it makes nested records of a type.
    case wrapping(ArchiveKey)
    /// Stores a value where a key is absent.
    case defaulting(DynamicValue, key: ArchiveKey, scope: [String])
    /// Converts the value of one key.
    case converting(
      key: ArchiveKey, scope: [String], @Sendable (DynamicValue) throws -> DynamicValue)
    /// Changes only records of one schema version.
    case schema(from: UInt32)
  }

  let action: Action
  let kind: Kind
  /// The edit in words.
  public let description: String

  init(_ description: String, _ action: Action, _ kind: Kind = .opaque) {
    self.description = description
    self.action = action
    self.kind = kind
  }

  /// An edit by a closure, of each object of any type.
  ///
  /// The plan and the report show the description. An error that the closure throws ends the migration, and the
  /// migration's error names it.
  public static func editObjects(
    _ description: String, _ body: @escaping @Sendable (inout DynamicRecord) throws -> Void
  ) -> MigrationEdit {
    MigrationEdit(description, .objects(reportingEffect(body)))
  }

  /// An edit by a closure, of the whole document: it may insert and remove objects, and read several of them.
  ///
  /// The plan and the report show the description. An error that the closure throws ends the migration, and the
  /// migration's error names it.
  public static func editDocument(
    _ description: String, _ body: @escaping @Sendable (inout ArchiveDocument) throws -> Void
  ) -> MigrationEdit {
    MigrationEdit(description, .document(body))
  }

  /// The same edit with another description.
  package func described(as description: String) -> MigrationEdit {
    MigrationEdit(description, action, kind)
  }

  /// Wraps a closure so that it returns its effect.
  static func reportingEffect(
    _ body: @escaping @Sendable (inout DynamicRecord) throws -> Void
  ) -> @Sendable (inout DynamicRecord) throws -> Effect {
    { record in
      let before = record
      try body(&record)
      return record.effect(since: before)
    }
  }
}

extension MigrationEdit: CustomStringConvertible {}

extension DynamicRecord {
  /// The effect of an edit that changed an earlier record into this one.
  package func effect(since before: DynamicRecord) -> MigrationEdit.Effect {
    let (list, oldList) = (self.fields, before.fields)
    let fields = list.span
    let old = oldList.span
    if fields.isIdentical(to: old) { return hasSameType(as: before) ? .match : .change }
    if fields.count == old.count, hasSameType(as: before) {
      var index = 0
      while index < fields.count, DynamicRecord.areSame(list, oldList, at: index) { index += 1 }
      if index == fields.count { return .match }
    }
    // A container that is not at its old place may have added another record.
    for index in fields.indices where fields[index].value.isContainer {
      if index >= old.count || !DynamicRecord.areSame(list, oldList, at: index) {
        return .nesting
      }
    }
    return .change
  }

  /// Whether the fields at an index of two lists are equal; most have the same storage bits.
  private static func areSame(_ list: [Field], _ other: [Field], at index: Int) -> Bool {
    let fields = list.span
    let old = other.span
    let isIdentical =
      fields[index].key.isIdentical(to: old[index].key) && fields[index].scope.isEmpty
      && old[index].scope.isEmpty && fields.hasIdenticalBits(as: old, at: index, valueBits)
    return isIdentical || fields[index] == old[index]
  }
}

/// The bytes of a field that hold its value.
private let valueBits: Range<Int> = {
  let offset = MemoryLayout<DynamicRecord.Field>.offset(of: \.value) ?? 0
  return offset..<offset + MemoryLayout<DynamicValue>.size
}()
