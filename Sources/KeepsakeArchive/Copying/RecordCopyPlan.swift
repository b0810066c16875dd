/// How records of one shape are written again: which keys, in which order, and where the value of
/// each comes from.
///
/// A plan is made once for a shape; records are then written by it without their keys being
/// looked at, and values that do not change are copied as bytes.
package final class RecordCopyPlan: Sendable {
  /// Where the value of a key comes from.
  enum Source {
    /// A slot of the stored record.
    case slot(Int)
    /// The same value in every record.
    case constant(ArchivedValue)
    /// One of the values that were computed for this record.
    case computed(Int)
    /// A new nested record of values of the record.
    case record(RecordCopyPlan)
  }

  /// One key of the records that are written.
  struct Field {
    var scope: [String]
    var key: ArchiveKey
    var source: Source
    var isNullable = false
    var omitsNil = false
  }

  let typeName: String
  let schemaVersion: UInt32
  /// The name of the case, of an enumeration.
  let enumerationCase: ArchiveKey?
  let fields: [Field]
  /// The slots whose values are not written, and are checked all the same.
  let droppedSlots: [Int]

  /// A plan that changes nothing of the nested records of a shape.
  init(nested record: borrowing ObjectDecoder) {
    typeName = record.typeName
    schemaVersion = record.schemaVersion
    enumerationCase = record.enumerationCase
    var fields: [Field] = []
    for slot in 0..<record.shape.slots.count {
      let field = record.field(ofSlot: slot, .null)
      fields.append(
        Field(
          scope: field.scope, key: field.key, source: .slot(slot),
          isNullable: field.optionalTag != nil, omitsNil: field.omitsNil))
    }
    self.fields = fields
    droppedSlots = []
  }

  /// Makes a plan from edited placeholders; nil when such records cannot be written.
  ///
  /// - Parameters:
  ///   - placeholders: The record that ``ObjectDecoder/placeholders()`` gave, edited. Each value is a
  ///     placeholder, or a record of such.
  ///   - slotCount: The number of slots of the shape: the first placeholders stand for these.
  ///   - constants: The values that the placeholders after those of the slots stand for, nil for one
  ///     that is computed for each record.
  ///   - slots: The slots whose values have to be checked if they are not written.
  package convenience init?(
    _ placeholders: ArchivedRecord, slotCount: Int, constants: [ArchivedValue?],
    checking slots: [Int] = []
  ) {
    for field in placeholders.fields where field.key.isReserved && field.key != .template {
      return nil
    }
    let written = placeholders.placeholderNumbers
    self.init(
      placeholders: placeholders, slotCount: slotCount, constants: constants,
      droppedSlots: slots.filter { !written.contains($0) })
  }

  private init?(
    placeholders: ArchivedRecord, slotCount: Int, constants: [ArchivedValue?], droppedSlots: [Int]
  ) {
    typeName = placeholders.typeName
    schemaVersion = placeholders.schemaVersion
    enumerationCase = nil
    var fields: [Field] = []
    for field in placeholders.fields {
      var new = Field(scope: field.scope, key: field.key, source: .slot(0))
      if case .record(let inner) = field.value {
        let copyPlan = RecordCopyPlan(
          placeholders: inner, slotCount: slotCount, constants: constants, droppedSlots: [])
        guard let copyPlan else { return nil }
        new.source = .record(copyPlan)
      } else if let number = field.value.placeholderNumber, number < slotCount {
        new.source = .slot(number)
        new.isNullable = field.optionalTag != nil
        new.omitsNil = field.omitsNil
      } else if let number = field.value.placeholderNumber,
        constants.indices.contains(number - slotCount)
      {
        new.source =
          constants[number - slotCount].map { .constant($0) } ?? .computed(number - slotCount)
      } else {
        return nil
      }
      fields.append(new)
    }
    self.fields = fields
    self.droppedSlots = droppedSlots
  }
}

/// A value that was computed for one record.
package struct ComputedValue {
  package var value: ArchivedValue
  /// How it is declared if it may be nil; see ``ArchivedRecord/Field/optionalTag``.
  package var optionalTag: ArchiveTag?

  package init(_ value: ArchivedValue, optionalTag: ArchiveTag? = nil) {
    self.value = value
    self.optionalTag = optionalTag
  }

  /// Puts another value in place; it stays optional while it is declared as before.
  package mutating func replace(by new: ArchivedValue) {
    if let tag = optionalTag, new != .null, new.storedTag != tag { optionalTag = new.storedTag }
    value = new
  }
}
