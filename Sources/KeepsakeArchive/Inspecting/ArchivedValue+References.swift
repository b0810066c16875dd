// References inside values. Kinds that this version does not know never hold the number of an
// object (Spec/archive.md, 5.1), nor do members of sets and keys of dictionaries; a conditional
// reference holds a number of its own kind (4.5).

extension ArchivedValue {
  /// Whether other values can be in the value.
  public var isContainer: Bool {
    switch self {
    case .array, .dictionary, .set, .record, .enumeration: true
    default: false
    }
  }

  /// Whether there is a reference to an object in the value.
  var holdsReferences: Bool {
    switch self {
    case .reference(let id): id != nil
    case .array(let values): values.contains(where: \.holdsReferences)
    case .dictionary(let entries): entries.contains { $0.value.holdsReferences }
    case .record(let record), .enumeration(_, let record): record.holdsReferences
    case .null, .bool, .signed, .unsigned, .int128, .uint128, .float16, .float, .double, .string,
      .bytes, .date, .uuid, .url, .set, .conditionalReference, .unknown:
      false
    }
  }

  /// Visits every reference to an object, in the order of the values.
  func forEachReference<E: Error>(_ body: (ArchiveObjectID) throws(E) -> Void) throws(E) {
    switch self {
    case .reference(let id): if let id { try body(id) }
    case .array(let values): for value in values { try value.forEachReference(body) }
    case .dictionary(let entries):
      for entry in entries { try entry.value.forEachReference(body) }
    case .record(let record), .enumeration(_, let record): try record.forEachReference(body)
    case .null, .bool, .signed, .unsigned, .int128, .uint128, .float16, .float, .double, .string,
      .bytes, .date, .uuid, .url, .set, .conditionalReference, .unknown:
      break
    }
  }

  /// Puts another reference in place of each, in a value that holds some.
  mutating func mapReferences(
    _ body: (ArchiveObjectID) throws(ArchiveError) -> ArchiveObjectID?
  ) throws(ArchiveError) {
    if case .reference(let id?) = self {
      self = .reference(try body(id))
      return
    }
    let whole = self
    // While the payload is changed nothing else may hold it, or each change would copy it.
    self = .null
    switch consume whole {
    case .array(var values):
      for index in values.indices where values[index].holdsReferences {
        do throws(ArchiveError) {
          try values[index].mapReferences(body)
        } catch {
          throw error.atElement(index)
        }
      }
      self = .array(values)
    case .dictionary(var entries):
      for index in entries.indices where entries[index].value.holdsReferences {
        try entries[index].value.mapReferences(body)
      }
      self = .dictionary(entries)
    case .record(var record):
      try record.mapReferences(body)
      self = .record(record)
    case .enumeration(let name, var record):
      try record.mapReferences(body)
      self = .enumeration(name, record)
    case let other: self = other
    }
  }
}

extension ArchivedRecord {
  /// The objects that the record refers to, in the order of its fields; one that is referred to twice is there
  /// twice.
  public var references: [ArchiveObjectID] {
    var references: [ArchiveObjectID] = []
    forEachReference { references.append($0) }
    return references
  }

  /// Whether there is a reference to an object in the record.
  var holdsReferences: Bool {
    let span = fields.span
    for index in span.indices where span[index].value.holdsReferences { return true }
    return false
  }

  func forEachReference<E: Error>(_ body: (ArchiveObjectID) throws(E) -> Void) throws(E) {
    for field in fields { try field.value.forEachReference(body) }
  }

  /// Puts another reference in place of each, in the order of the fields.
  mutating func mapReferences(
    _ body: (ArchiveObjectID) throws(ArchiveError) -> ArchiveObjectID?
  ) throws(ArchiveError) {
    guard holdsReferences else { return }
    for index in fields.indices where fields[index].value.holdsReferences {
      do throws(ArchiveError) {
        try fields[index].value.mapReferences(body)
      } catch {
        throw error.under(fields[index].name)
      }
    }
  }
}
