package import KeepsakeArchive

// A record of placeholders has the keys of a shape, each with a placeholder for its value. An edit of keys has the
// same effect on this record as it would have on every record of the shape.

extension ObjectDecoder {
  /// The number of the record's shape.
  package var shapeNumber: Int { Int(shape.number) }

  /// The number of slots of the shape.
  package var slotCount: Int { shape.slots.count }

  /// True when a record of the shape may have no value under some of its keys.
  package var hasAbsentValues: Bool { shape.hasAbsentValues }

  /// The record's type and keys; each value is a placeholder that holds the number of its slot.
  package func placeholders() -> ArchivedRecord {
    var record = ArchivedRecord(typeName: typeName, schemaVersion: schemaVersion)
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

extension ArchivedValue {
  /// A placeholder for another value; it cannot be stored, since its tag is invalid.
  package static func placeholder(_ number: Int) -> ArchivedValue {
    .unknown(
      ArchiveTag(rawValue: 0xFF),
      bytes: (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  /// The number of a placeholder, or nil for any other value.
  package var placeholderNumber: Int? {
    guard case .unknown(ArchiveTag(rawValue: 0xFF), let bytes) = self else { return nil }
    return bytes.load(UInt32.self, at: 0).map { Int($0) }
  }
}

extension ArchivedRecord {
  /// The numbers of the placeholders in the record.
  var placeholderNumbers: Set<Int> {
    fields.reduce(into: []) { numbers, field in
      if case .record(let inner) = field.value {
        numbers.formUnion(inner.placeholderNumbers)
      } else if let number = field.value.placeholderNumber {
        numbers.insert(number)
      }
    }
  }
}
