package import KeepsakeArchive

/// The plan by which records of one shape are written again: their keys, in order, with the source of each value.
///
/// A plan is made once for a shape. Records are then written by it without a look at their keys, and unchanged values
/// are copied as bytes.
package final class RecordCopyPlan: Sendable {
  /// The source of a key's value.
  package enum Source: Sendable {
    case slot(Int)
    /// The same value in every record.
    indirect case constant(DynamicValue)
    /// One of the values that are computed for each record.
    case computed(Int)
    /// A new nested record, made of values of the record.
    case record(RecordCopyPlan)
  }

  /// One key of the records that are written.
  package struct Field: Sendable {
    var scope: [String]
    var key: ArchiveKey
    var source: Source
    var isNullable: Bool
    var omitsNil: Bool

    package init(
      scope: [String], key: ArchiveKey, source: Source, isNullable: Bool = false,
      omitsNil: Bool = false
    ) {
      self.scope = scope
      self.key = key
      self.source = source
      self.isNullable = isNullable
      self.omitsNil = omitsNil
    }

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

  package init(
    typeName: String, schemaVersion: UInt32, enumerationCase: ArchiveKey? = nil, _ fields: [Field],
    droppedSlots: [Int] = []
  ) {
    self.typeName = typeName
    self.schemaVersion = schemaVersion
    self.enumerationCase = enumerationCase
    self.fields = fields
    self.droppedSlots = droppedSlots
  }

  /// Makes the plan that copies nested records of a shape unchanged.
  convenience init(nested record: borrowing ObjectDecoder) {
    var fields: [Field] = []
    fields.reserveCapacity(record.slotCount)
    for slot in 0..<record.slotCount {
      let field = record.field(ofSlot: slot, .null)
      fields.append(
        Field(
          scope: field.scope, key: field.key, source: .slot(slot),
          isNullable: field.optionalTag != nil, omitsNil: field.omitsNil))
    }
    self.init(
      typeName: record.typeName, schemaVersion: record.schemaVersion,
      enumerationCase: record.enumerationCase, fields)
  }
}

package struct ComputedValue {
  package var value: DynamicValue
  /// The tag that the value is declared with if it may be nil; see ``DynamicRecord/Field/optionalTag``.
  package var optionalTag: ArchiveTag?

  package init(_ value: DynamicValue, optionalTag: ArchiveTag? = nil) {
    self.value = value
    self.optionalTag = optionalTag
  }
}

extension ObjectDecoder {
  package var shapeNumber: Int { Int(shape.number) }

  package var slotCount: Int { shape.slots.count }

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
