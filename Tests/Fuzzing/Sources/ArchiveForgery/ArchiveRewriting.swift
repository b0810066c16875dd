package import KeepsakeArchive
package import KeepsakeDocuments

/// Reads an archive, and writes its content again.
package enum ArchiveRewriting {
  /// The content of all objects.
  package static func records(of archive: Archive) throws -> [DynamicRecord] {
    try (1...archive.objectCount).map { number in
      try archive.object(ArchiveObjectID(UInt32(number))).dynamicRecord()
    }
  }

  /// The archive that a writer makes from the values.
  package static func rewritten(_ archive: Archive, _ records: [DynamicRecord]) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: archive.reserved)
    writer.conditionalObjects = try archive.conditionalObjects
    for (index, record) in records.enumerated() {
      var template: String?
      for field in record.fields where field.key == .template && field.scope.isEmpty {
        if case .string(let name) = field.value { template = name }
      }
      try writer.writeObject(
        ArchiveObjectID(UInt32(index + 1)), typeName: record.typeName,
        schemaVersion: record.schemaVersion, template: template
      ) { $0.encodeFields(of: record) }
    }
    return try writer.finish(root: archive.rootID)
  }
}

extension ArchiveParts {
  /// True when the values alone, without their types, determine how they were written.
  ///
  /// They do not if a value could have been nil and was not, if it was a nil of a kind, or if a reserved key
  /// has another kind or another place than a writer gives it.
  package var saysAllInValues: Bool {
    let shapes = tables[2].bytes
    let keys = entryStarts(ofTable: 0)
    for row in entryStarts(ofTable: 2) {
      for index in 0..<shapes.number(row + 2, byteCount: 2) {
        let place = row + 4 + 4 * index
        guard place + 4 <= shapes.count else { return false }
        let word = shapes.word(place)
        let tag = UInt8(truncatingIfNeeded: word)
        if word & 0x100 != 0, tag != 0 { return false }
        if word & 0x100 == 0, tag == 0 { return false }
        let key = Int(word >> 12)
        guard key < keys.count else { return false }
        let flags = tables[0].bytes.number(keys[key], byteCount: 1)
        // A writer gives an object only one reserved key, in the first place.
        let length = tables[0].bytes.number(keys[key] + 1, byteCount: 1)
        if flags & 3 == 1, flags != 1 || index != 0 || length != 8 || tag != 0x2E { return false }
      }
    }
    return hasKnownValues
  }

  /// True when all archive values are known to a writer.
  private var hasKnownValues: Bool {
    var offset = 0
    while offset < values.count {
      guard 1...4 ~= values[offset] else { return false }
      offset += 6 + Int(values.word(offset + 2))
    }
    return true
  }
}

extension DynamicRecord {
  /// True when a record nested in this one has a reserved key, which no writer gives it.
  package var hasNestedReservedKey: Bool {
    fields.contains { $0.value.hasReservedKey }
  }

  fileprivate var hasReservedKey: Bool {
    fields.contains { $0.key.isReserved || $0.value.hasReservedKey }
  }
}

extension DynamicValue {
  fileprivate var hasReservedKey: Bool {
    switch self {
    case .array(let values): values.contains(where: \.hasReservedKey)
    case .dictionary(let entries): entries.contains { $0.value.hasReservedKey }
    case .record(let record), .enumeration(_, let record): record.hasReservedKey
    default: false
    }
  }
}
