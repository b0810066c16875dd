/// How records of one shape are written again: which keys, in which order, and where the value of
/// each comes from.
///
/// A recipe is made once for a shape; a record is then written by it without its keys being looked
/// at, and values that stay as they are pass as bytes.
package final class RecordRecipe: Sendable {
  /// Where the value of a key comes from.
  enum Source {
    /// A slot of the stored record.
    case slot(Int)
    /// The same value in every record.
    case constant(ArchivedValue)
    /// One of the values that were made for this record.
    case made(Int)
    /// A new nested record of values of the record.
    case record(RecordRecipe)
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

  /// A recipe that changes nothing of the nested records of a shape.
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

  /// Makes a recipe of what edits made of an outline; nil when records like it cannot be written.
  ///
  /// - Parameters:
  ///   - outline: The record that ``ObjectDecoder/outline()`` gave, edited. Each value is a
  ///     placeholder, or a record of such.
  ///   - slotCount: The number of slots of the shape: the first placeholders stand for these.
  ///   - constants: The values that the placeholders behind the slots stand for, nil for one that
  ///     is made for each record.
  ///   - slots: The slots whose values have to be checked if they are not written.
  package convenience init?(
    _ outline: ArchivedRecord, slotCount: Int, constants: [ArchivedValue?],
    checking slots: [Int] = []
  ) {
    for field in outline.fields where field.key.isReserved && field.key != .template { return nil }
    let written = outline.placeholderNumbers
    self.init(
      outline: outline, slotCount: slotCount, constants: constants,
      droppedSlots: slots.filter { !written.contains($0) })
  }

  private init?(
    outline: ArchivedRecord, slotCount: Int, constants: [ArchivedValue?], droppedSlots: [Int]
  ) {
    typeName = outline.typeName
    schemaVersion = outline.schemaVersion
    enumerationCase = nil
    var fields: [Field] = []
    for field in outline.fields {
      var new = Field(scope: field.scope, key: field.key, source: .slot(0))
      if case .record(let inner) = field.value {
        let recipe = RecordRecipe(
          outline: inner, slotCount: slotCount, constants: constants, droppedSlots: [])
        guard let recipe else { return nil }
        new.source = .record(recipe)
      } else if let number = field.value.placeholderNumber, number < slotCount {
        new.source = .slot(number)
        new.isNullable = field.optionalTag != nil
        new.omitsNil = field.omitsNil
      } else if let number = field.value.placeholderNumber,
        constants.indices.contains(number - slotCount)
      {
        new.source =
          constants[number - slotCount].map { .constant($0) } ?? .made(number - slotCount)
      } else {
        return nil
      }
      fields.append(new)
    }
    self.fields = fields
    self.droppedSlots = droppedSlots
  }
}

/// A value that was made for one record.
package struct MadeValue {
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
