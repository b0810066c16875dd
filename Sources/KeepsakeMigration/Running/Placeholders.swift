package import KeepsakeArchive
package import KeepsakeDocuments

// A record of placeholders has the keys of a shape, each with a placeholder for its value. An edit of keys has the
// same effect on this record as it would have on every record of the shape.

extension ObjectDecoder {
  /// True when a record of the shape may have no value under some of its keys.
  var hasAbsentValues: Bool { shape.hasAbsentValues }

  /// The record's type and keys; each value is a placeholder that holds the number of its slot.
  package func placeholders() -> DynamicRecord {
    var fields: [DynamicRecord.Field] = []
    for slot in 0..<slotCount { fields.append(field(ofSlot: slot, .placeholder(slot))) }
    return DynamicRecord(typeName: typeName, schemaVersion: schemaVersion, fields: fields)
  }

  /// Whether the value of a slot can contain other values.
  func isContainer(slot: Int) -> Bool { shape.slots[slot].tag.isContainer }

  /// Whether the value of a slot has to be checked; numbers need no check, since any bits are a number.
  package func hasRules(slot: Int) -> Bool {
    let row = shape.slots[slot]
    return !(row.tag.hasFreeBits || row.tag.isBit) || row.placement.nilMask != 0
  }
}

extension DynamicValue {
  /// A placeholder for another value; it cannot be stored, since its tag is invalid.
  static func placeholder(_ number: Int) -> DynamicValue {
    .unknown(
      ArchiveTag(rawValue: 0xFF),
      bytes: (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  /// The number of a placeholder, or nil for any other value.
  var placeholderNumber: Int? {
    guard case .unknown(ArchiveTag(rawValue: 0xFF), let bytes) = self else { return nil }
    return bytes.load(UInt32.self, at: 0).map { Int($0) }
  }
}

extension DynamicRecord {
  fileprivate var placeholderNumbers: Set<Int> {
    fields.reduce(into: []) { numbers, field in
      if case .record(let inner) = field.value {
        numbers.formUnion(inner.placeholderNumbers)
      } else if let number = field.value.placeholderNumber {
        numbers.insert(number)
      }
    }
  }
}

extension RecordCopyPlan {
  /// Makes a plan from edited placeholders; nil when no plan can write such records.
  ///
  /// The placeholders are the edited record of ``ObjectDecoder/placeholders()``: each value is a placeholder, or a
  /// record of placeholders. The first `slotCount` ones represent the slots of the shape. The constants are the values
  /// of the later ones; nil for a value that is computed for each record. The values of `slots` are checked if they
  /// are not written; they are nil for a nested record.
  package convenience init?(
    _ placeholders: DynamicRecord, slotCount: Int, constants: [DynamicValue?],
    checking slots: [Int]? = []
  ) {
    var fields: [Field] = []
    fields.reserveCapacity(placeholders.fields.count)
    for field in placeholders.fields {
      if slots != nil, field.key.isReserved, field.key != .template { return nil }
      let source: Source
      var isStored = false
      if case .record(let inner) = field.value {
        let copyPlan = RecordCopyPlan(
          inner, slotCount: slotCount, constants: constants, checking: nil)
        guard let copyPlan else { return nil }
        source = .record(copyPlan)
      } else {
        guard let number = field.value.placeholderNumber else { return nil }
        isStored = number < slotCount
        if isStored {
          source = .slot(number)
        } else {
          let index = number - slotCount
          guard constants.indices.contains(index) else { return nil }
          source = constants[index].map { .constant($0) } ?? .computed(index)
        }
      }
      fields.append(
        Field(
          scope: field.scope, key: field.key, source: source,
          isNullable: isStored && field.optionalTag != nil, omitsNil: isStored && field.omitsNil))
    }
    var dropped = slots ?? []
    if !dropped.isEmpty {
      let written = placeholders.placeholderNumbers
      dropped.removeAll(where: written.contains)
    }
    self.init(
      typeName: placeholders.typeName, schemaVersion: placeholders.schemaVersion, fields,
      droppedSlots: dropped)
  }
}
