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
  }

  /// One key of the records that are written.
  struct Field {
    var scope: [String]
    var key: ArchiveKey
    var source: Source
    var isNullable = false
  }

  let typeName: String
  let schemaVersion: UInt32
  /// The name of the case, of an enumeration.
  let enumerationCase: ArchiveKey?
  let fields: [Field]

  /// A recipe that changes nothing of the nested records of a shape.
  init(nested record: borrowing ObjectDecoder) {
    typeName = record.typeName
    schemaVersion = record.schemaVersion
    enumerationCase = record.enumerationCase
    var fields: [Field] = []
    for slot in 0..<record.shape.slots.count {
      // No other than the object itself has reserved keys.
      let field = record.outlineField(ofSlot: slot)
      if field.key.isReserved { continue }
      fields.append(
        Field(
          scope: field.scope, key: field.key, source: .slot(slot),
          isNullable: field.optionalTag != nil))
    }
    self.fields = fields
  }

  /// Makes a recipe of what edits made of an outline; nil when records like it cannot be written.
  ///
  /// - Parameters:
  ///   - outline: The record that ``ObjectDecoder/outline()`` gave, edited. Each value is a
  ///     placeholder.
  ///   - slotCount: The number of slots of the shape: the first placeholders stand for these.
  ///   - constants: The values that the placeholders behind the slots stand for, nil for one that
  ///     is made for each record.
  package init?(_ outline: ArchivedRecord, slotCount: Int, constants: [ArchivedValue?]) {
    typeName = outline.typeName
    schemaVersion = outline.schemaVersion
    enumerationCase = nil
    var fields: [Field] = []
    for field in outline.fields {
      guard let number = field.value.placeholderNumber,
        !field.key.isReserved || field.key == .template
      else { return nil }
      var new = Field(scope: field.scope, key: field.key, source: .slot(number))
      if number < slotCount {
        new.isNullable = field.optionalTag != nil
      } else {
        let index = number - slotCount
        guard constants.indices.contains(index) else { return nil }
        new.source = constants[index].map { .constant($0) } ?? .made(index)
      }
      fields.append(new)
    }
    self.fields = fields
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
