package import KeepsakeArchive

/// Writes what was read again.
package enum ArchiveRewriting {
  /// Everything that the objects hold.
  package static func records(of archive: Archive) throws -> [ArchivedRecord] {
    try (1...archive.objectCount).map { number in
      try archive.object(ArchiveObjectID(UInt32(number))).dynamicRecord()
    }
  }

  /// The archive that a writer makes of the values.
  package static func rewritten(_ archive: Archive, _ records: [ArchivedRecord]) throws -> [UInt8] {
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
  /// Whether the values alone, without their types, say how they were written.
  ///
  /// They do not where a value could have been nil and was not, or was a nil of a kind; nor where
  /// a reserved key is of another kind, or in another place, than a writer gives it.
  package var saysAllInValues: Bool {
    var row = 0
    let shapes = tables[2].bytes
    while row + 16 <= shapes.count {
      let count = Int(shapes.word(row + 4))
      for index in 0..<count {
        let slot = row + 16 + 8 * index
        guard slot + 8 <= shapes.count else { return false }
        if shapes[slot + 5] != 0, shapes[slot + 4] != 0 { return false }
        if shapes[slot + 5] == 0, shapes[slot + 4] == 0 { return false }
        if isReserved(shapes.word(slot)),
          !isStandard(shapes.word(slot), tag: shapes[slot + 4], index: index)
        {
          return false
        }
      }
      row += 16 + 8 * count
    }
    return true
  }

  private func isReserved(_ key: UInt32) -> Bool {
    tables[0].bytes.word(Int(key) * 16 + 8) == 1
  }

  /// Whether a reserved key is where the writer of the seeds writes it.
  private func isStandard(_ key: UInt32, tag: UInt8, index: Int) -> Bool {
    // In the order of writing: version, idiom, timestamp, system; an object's template.
    guard tables[0].bytes.word(Int(key) * 16) == 0 else { return false }
    let length = tables[0].bytes.word(Int(key) * 16 + 4)
    return switch (index, length) {
    case (0, 13), (3, 13), (0, 8): tag == 0x2E
    case (1, 18): tag == 0x14
    case (2, 9): tag == 0x3C
    default: false
    }
  }
}

extension ArchivedRecord {
  /// Whether a record that is nested in this one has a reserved key, which no writer gives it.
  package var hasNestedReservedKey: Bool {
    fields.contains { $0.value.hasReservedKey }
  }

  fileprivate var hasReservedKey: Bool {
    fields.contains { $0.key.isReserved || $0.value.hasReservedKey }
  }
}

extension ArchivedValue {
  fileprivate var hasReservedKey: Bool {
    switch self {
    case .array(let values): values.contains(where: \.hasReservedKey)
    case .dictionary(let entries): entries.contains { $0.value.hasReservedKey }
    case .record(let record), .enumeration(_, let record): record.hasReservedKey
    default: false
    }
  }
}
