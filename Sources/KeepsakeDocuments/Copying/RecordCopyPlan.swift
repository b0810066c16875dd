package import KeepsakeArchive

/// The plan by which records of one shape are written again: their keys, in order, with the source of each value.
///
/// A plan is made once for a shape. Records are then written by it without a look at their keys, and unchanged values
/// are copied as bytes.
package final class RecordCopyPlan: Sendable {
  /// The source of a key's value.
  enum Source {
    /// A slot of the stored record.
    case slot(Int)
    /// The same value in every record.
    indirect case constant(DynamicValue)
    /// One of the values that are computed for each record.
    case computed(Int)
    /// A new nested record, made of values of the record.
    case record(RecordCopyPlan)
  }

  /// One key of the records that are written.
  struct Field {
    var scope: [String]
    var key: ArchiveKey
    var source: Source
    var isNullable = false
    var omitsNil = false

    var place: ArchivePlace {
      let place = ArchivePlace.key(key)
      return omitsNil ? place.omittingNil : isNullable ? place.nullable : place
    }
  }

  let typeName: String
  let schemaVersion: UInt32
  /// The name of the case of an enumeration; nil for other records.
  let enumerationCase: ArchiveKey?
  let fields: [Field]
  /// The slots whose values are not written, but are still checked.
  let droppedSlots: [Int]

  /// Makes the plan that copies nested records of a shape unchanged.
  init(nested record: borrowing ObjectDecoder) {
    typeName = record.typeName
    schemaVersion = record.schemaVersion
    enumerationCase = record.enumerationCase
    var fields: [Field] = []
    fields.reserveCapacity(record.shape.slots.count)
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

  /// Makes a plan from edited placeholders; nil when no plan can write such records.
  ///
  /// The placeholders are the edited record of ``ObjectDecoder/placeholders()``: each value is a placeholder, or a
  /// record of placeholders. The first `slotCount` ones represent the slots of the shape. The constants are the values
  /// of the later ones; nil for a value that is computed for each record. The values of `slots` are checked if they
  /// are not written.
  package convenience init?(
    _ placeholders: DynamicRecord, slotCount: Int, constants: [DynamicValue?],
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
    placeholders: DynamicRecord, slotCount: Int, constants: [DynamicValue?], droppedSlots: [Int]
  ) {
    typeName = placeholders.typeName
    schemaVersion = placeholders.schemaVersion
    enumerationCase = nil
    var fields: [Field] = []
    fields.reserveCapacity(placeholders.fields.count)
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
  package var value: DynamicValue
  /// The tag that the value is declared with if it may be nil; see ``DynamicRecord/Field/optionalTag``.
  package var optionalTag: ArchiveTag?

  package init(_ value: DynamicValue, optionalTag: ArchiveTag? = nil) {
    self.value = value
    self.optionalTag = optionalTag
  }

  /// Replaces the value; an optional value stays optional, with the tag of the new one.
  package mutating func replace(by new: DynamicValue) {
    if let tag = optionalTag, new != .null, new.storedTag != tag { optionalTag = new.storedTag }
    value = new
  }
}

// A record of placeholders has the keys of a shape, each with a placeholder for its value. An edit of keys has the
// same effect on this record as it would have on every record of the shape.

extension ObjectDecoder {
  package var shapeNumber: Int { Int(shape.number) }

  package var slotCount: Int { shape.slots.count }

  /// True when a record of the shape may have no value under some of its keys.
  package var hasAbsentValues: Bool { shape.hasAbsentValues }

  /// The record's type and keys; each value is a placeholder that holds the number of its slot.
  package func placeholders() -> DynamicRecord {
    var record = DynamicRecord(typeName: typeName, schemaVersion: schemaVersion)
    record.fields.reserveCapacity(shape.slots.count)
    for slot in 0..<shape.slots.count {
      record.fields.append(field(ofSlot: slot, .placeholder(slot)))
    }
    return record
  }

  /// Whether the value of a slot can contain other values.
  package func isContainer(slot: Int) -> Bool { shape.slots[slot].tag.isContainer }

  /// Whether the value of a slot has to be checked; numbers need no check, since any bits are a number.
  package func hasRules(slot: Int) -> Bool {
    let row = shape.slots[slot]
    return !(row.tag.hasFreeBits || row.tag.isBit) || row.placement.nilMask != 0
  }

  /// Reads the value of a slot without knowing its type.
  package func computedValue(ofSlot slot: Int) throws(ArchiveError) -> ComputedValue {
    let row = shape.slots[slot]
    do throws(ArchiveError) {
      return ComputedValue(
        try value(ofSlot: slot).dynamicValue(),
        optionalTag: row.placement.nilMask != 0 ? row.tag : nil)
    } catch {
      throw located(error, inSlot: slot)
    }
  }
}
