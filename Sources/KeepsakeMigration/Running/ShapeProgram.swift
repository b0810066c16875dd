import KeepsakeArchive
import KeepsakeDocuments

/// The combined effect of the edits of one pass on the objects of one shape.
///
/// An edit that reads only keys has the same effect on every object of a shape. So the edits run once, on the
/// placeholders of the shape, and each object then needs only its conversions; other values are copied unread.
final class ShapeProgram {
  /// A value that is computed for each object.
  struct Conversion {
    /// The source of the old value.
    enum Source {
      case slot(Int)
      case constant(DynamicValue)
      case computed(Int)
    }

    /// The index of the part that the conversion belongs to.
    var part: Int
    var edit: MigrationEdit
    var key: String
    var source: Source
    /// The index of the result among the values computed for the object.
    var target: Int
    var convert: @Sendable (DynamicValue) throws -> DynamicValue
  }

  let copyPlan: RecordCopyPlan
  let typeName: String
  let schemaVersion: UInt32
  /// The conversions in the order of their edits.
  let conversions: [Conversion]
  let computedCount: Int
  /// True for each part that changes every object of the shape, whatever its values.
  let changes: [Bool]
  /// The parts that change at least some objects of the shape.
  let mayChange: [Int]

  /// Makes the program for the shape of an object; nil when an edit must read each record.
  init?(_ parts: [MigrationStage.Part], _ object: borrowing ObjectDecoder) {
    var builder = Builder(parts, object)
    for (index, part) in parts.enumerated() {
      builder.changes.append(false)
      for edit in part.edits {
        guard builder.add(edit, part: index, object) else { return nil }
      }
    }
    let copyPlan = RecordCopyPlan(
      builder.placeholders, slotCount: builder.slotCount, constants: builder.constants,
      checking: (0..<builder.slotCount).filter { slot in
        object.hasRules(slot: slot) && !builder.converts(slot)
      })
    guard let copyPlan else { return nil }
    self.copyPlan = copyPlan
    typeName = builder.placeholders.typeName
    schemaVersion = builder.placeholders.schemaVersion
    conversions = builder.conversions
    computedCount = builder.constants.count
    changes = builder.changes
    mayChange = parts.indices.filter { part in
      builder.changes[part] || builder.conversions.contains { $0.part == part }
    }
  }
}

extension ShapeProgram {
  /// Applies edits to the placeholders of a shape.
  private struct Builder {
    let slotCount: Int
    /// The types that edits change.
    private let editedTypes: Set<ArchiveKey>
    var placeholders: DynamicRecord
    /// The values that edits added, numbered after the slots; nil for a value that is computed for each object.
    var constants: [DynamicValue?] = []
    var conversions: [Conversion] = []
    var changes: [Bool] = []

    init(_ parts: [MigrationStage.Part], _ object: borrowing ObjectDecoder) {
      editedTypes = Set(
        parts.flatMap(\.edits).compactMap { edit in
          if case .records(let type, _) = edit.action { type } else { nil }
        })
      slotCount = object.slotCount
      placeholders = object.placeholders()
    }

    /// Applies an edit; false when it must read each record.
    mutating func add(
      _ edit: MigrationEdit, part: Int, _ object: borrowing ObjectDecoder
    ) -> Bool {
      guard case .records(let typeName, let body) = edit.action else { return false }
      guard ArchiveKey(placeholders.typeName) == typeName else { return true }
      switch edit.kind {
      case .opaque: return false
      case .schema(let from): return placeholders.schemaVersion != from
      case .keys: return add(body, part: part)
      case .wrapping(let nestedType):
        // Edits of the nested type would have to run on the new records.
        return !editedTypes.contains(nestedType) && add(body, part: part)
      case .defaulting(let value, let key, let scope):
        // A container may hold records to which later edits apply, and each reference must be checked.
        if value.isContainer { return false }
        if case .reference = value { return false }
        guard (try? placeholders.checkSpelling(of: key, inScope: scope)) != nil else {
          return false
        }
        if placeholders.setDefault(.placeholder(next), forKey: key, inScope: scope) {
          constants.append(value)
          changes[part] = true
        }
      case .converting(let key, let scope, let convert):
        return add(edit, part: part, key, scope, convert, object)
      }
      return true
    }

    private mutating func add(
      _ body: (inout DynamicRecord) throws -> MigrationEdit.Effect, part: Int
    ) -> Bool {
      guard let effect = try? body(&placeholders) else { return false }
      if effect > .match { changes[part] = true }
      return true
    }

    func converts(_ slot: Int) -> Bool {
      conversions.contains { if case .slot(slot) = $0.source { true } else { false } }
    }

    private var next: Int { slotCount + constants.count }

    private mutating func add(
      _ edit: MigrationEdit, part: Int, _ key: ArchiveKey, _ scope: [String],
      _ convert: @escaping @Sendable (DynamicValue) throws -> DynamicValue,
      _ object: borrowing ObjectDecoder
    ) -> Bool {
      var old: Int?
      let new = DynamicValue.placeholder(next)
      let isPresent = placeholders.convertValue(forKey: key, inScope: scope) { value in
        old = value.placeholderNumber
        return new
      }
      // If the key exists but holds no placeholder, an edit made its value; the conversion must then read each
      // record.
      guard let old else {
        return !isPresent && (try? placeholders.checkSpelling(of: key, inScope: scope)) != nil
      }
      let source: Conversion.Source
      if old < slotCount {
        // A container may hold nested records to which earlier edits apply.
        if object.isContainer(slot: old) { return false }
        source = .slot(old)
      } else {
        source = constants[old - slotCount].map { .constant($0) } ?? .computed(old - slotCount)
      }
      conversions.append(
        Conversion(
          part: part, edit: edit, key: MigrationEdit.name(key, scope), source: source,
          target: constants.count, convert: convert))
      constants.append(nil)
      return true
    }
  }
}
