import Keepsake

// Objects with more names than a record can have are imported as dictionaries, as Codable stores them (Spec/archive.md,
// section 9).

extension DynamicRecord {
  /// The most words of a shape (Spec/archive.md, 4.3): one for each value, two for a record in its slot.
  private static let largestWordCount = 65_535

  /// True when a record has too many values for a shape; `cellCount` of them are records that may be stored in a slot.
  static func exceedsShape(_ count: Int, cellCount: @autoclosure () -> Int) -> Bool {
    count > largestWordCount / 2 && count + cellCount() > largestWordCount
  }

  /// The record with a dictionary in place of each record that has too many names.
  ///
  /// If this record itself has too many, its dictionary is under `value`.
  func withDictionaries() -> DynamicRecord {
    if !hasTooManyNames { return self }
    let value = DynamicValue.record(self).withDictionaries()
    if case .record(var record) = value {
      record.typeName = typeName
      return record
    }
    return DynamicRecord(typeName: typeName, fields: [Field(key: "value", value: value)])
  }

  /// True when this record, or one in it, has too many names for a shape.
  fileprivate var hasTooManyNames: Bool {
    exceedsShape || fields.contains { $0.value.hasTooManyNames }
  }

  fileprivate var exceedsShape: Bool {
    Self.exceedsShape(fields.count, cellCount: fields.count { $0.value.isCell })
  }
}

extension DynamicValue {
  fileprivate var hasTooManyNames: Bool {
    switch self {
    case .array(let values): values.contains { $0.hasTooManyNames }
    case .record(let record): record.hasTooManyNames
    default: false
    }
  }

  fileprivate func withDictionaries() -> DynamicValue {
    switch self {
    case .array(let values): return .array(values.map { $0.withDictionaries() })
    case .record(var record):
      for index in record.fields.indices {
        record.fields[index].value = record.fields[index].value.withDictionaries()
      }
      guard record.exceedsShape else { return .record(record) }
      return .dictionary(
        record.fields.map { DynamicEntry(key: .string($0.key.name), value: $0.value) })
    default: return self
    }
  }

  /// True when the value is a record that may be stored in a slot, since all its values have a fixed width.
  fileprivate var isCell: Bool {
    guard case .record(let record) = self, !record.fields.isEmpty else { return false }
    return record.fields.allSatisfy { field in
      switch field.value {
      case .string, .bytes, .url, .array, .dictionary, .set, .enumeration: false
      case .record: field.value.isCell
      default: true
      }
    }
  }
}
