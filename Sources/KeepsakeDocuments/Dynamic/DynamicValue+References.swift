package import KeepsakeArchive

// References inside values. Kinds that this version does not know never hold the number of an
// object (Spec/archive.md, 5.1), nor do members of sets and keys of dictionaries; a conditional
// reference holds a number of its own kind (4.4).

extension DynamicValue {
  package var isContainer: Bool {
    switch self {
    case .array, .dictionary, .set, .record, .enumeration: true
    default: false
    }
  }

  var holdsReferences: Bool {
    contains { value in if case .reference(_?) = value { true } else { false } }
  }

  /// Visits every reference to an object, in the order of the values.
  func forEachReference<E: Error>(_ body: (ArchiveObjectID) throws(E) -> Void) throws(E) {
    _ = try contains { (value) throws(E) in
      if case .reference(let id?) = value { try body(id) }
      return false
    }
  }

  /// True when the predicate holds for the value, or for a value that is nested in it.
  ///
  /// The values are visited in their order and without recursion, since values that a program makes may be
  /// nested deeper than any archive. Members of sets and keys of dictionaries contain nothing and are
  /// left out.
  func contains<E: Error>(
    where predicate: (DynamicValue) throws(E) -> Bool
  ) throws(E) -> Bool {
    if try predicate(self) { return true }
    if !isContainer { return false }
    var outer: [NestedValues] = []
    var values = NestedValues(self)
    while true {
      guard let value = values.next() else {
        guard let rest = outer.popLast() else { return false }
        values = rest
        continue
      }
      if try predicate(value) { return true }
      if value.isContainer {
        outer.append(values)
        values = NestedValues(value)
      }
    }
  }

  /// Changes the values directly in a container for which `isWanted` holds; `updateRecord` changes a record.
  mutating func updateNested(
    where isWanted: (DynamicValue) -> Bool, _ body: (inout DynamicValue) throws -> Void,
    record updateRecord: (inout DynamicRecord) throws -> Void
  ) rethrows {
    let whole = self
    // The payload must be uniquely referenced while it is changed, or each change would copy it.
    self = .null
    switch consume whole {
    case .array(var values):
      for index in values.indices where isWanted(values[index]) {
        do {
          try body(&values[index])
        } catch let error as ArchiveError {
          throw error.atElement(index)
        }
      }
      self = .array(values)
    case .dictionary(var entries):
      for index in entries.indices where isWanted(entries[index].value) {
        try body(&entries[index].value)
      }
      self = .dictionary(entries)
    case .record(var record):
      try updateRecord(&record)
      self = .record(record)
    case .enumeration(let name, var record):
      try updateRecord(&record)
      self = .enumeration(name, record)
    case let other: self = other
    }
  }

  /// Replaces each reference in a value that holds some; `levels` is the number of further levels that may be
  /// nested in it.
  fileprivate mutating func mapReferences(
    levels: Int, _ body: (ArchiveObjectID) throws -> ArchiveObjectID?
  ) throws {
    if case .reference(let id?) = self {
      self = .reference(try body(id))
      return
    }
    guard levels > 0 else {
      var error = ArchiveError(
        .limitExceeded, "values are nested deeper than ArchiveLimits.nestingDepth allows")
      error.remedy = LimitName.nestingDepth.advice
      throw error
    }
    try updateNested(where: \.holdsReferences) {
      try $0.mapReferences(levels: levels - 1, body)
    } record: {
      try $0.mapReferences(levels: levels - 1, body)
    }
  }
}

extension DynamicRecord {
  /// The objects that the record refers to, in the order of its fields; an object with two references occurs
  /// twice.
  package var references: [ArchiveObjectID] {
    var references: [ArchiveObjectID] = []
    forEachReference { references.append($0) }
    return references
  }

  package var holdsReferences: Bool {
    let list = fields
    let span = list.span
    for index in span.indices where span[index].value.holdsReferences { return true }
    return false
  }

  package func forEachReference<E: Error>(
    _ body: (ArchiveObjectID) throws(E) -> Void
  ) throws(E) {
    for field in fields { try field.value.forEachReference(body) }
  }

  /// Replaces each reference in the record, in the order of its fields; `levels` is the number of levels of
  /// values that it may have.
  package mutating func mapReferences(
    levels: Int, _ body: (ArchiveObjectID) throws -> ArchiveObjectID?
  ) throws {
    guard holdsReferences else { return }
    try fields.update(where: \.holdsReferences) { try $0.mapReferences(levels: levels, body) }
  }
}

extension [DynamicRecord.Field] {
  mutating func update(
    where isWanted: (DynamicValue) -> Bool, _ body: (inout DynamicValue) throws -> Void
  ) rethrows {
    for index in indices where isWanted(self[index].value) {
      do {
        try body(&self[index].value)
      } catch let error as ArchiveError {
        throw error.under(self[index].name)
      }
    }
  }
}

/// The values directly in a container, one after the other; an iterator of the standard library would allocate memory
/// for each container.
private struct NestedValues {
  private enum Content {
    case values(DynamicValues)
    case entries(DynamicEntries)
    case fields([DynamicRecord.Field])
  }

  private let content: Content
  private let count: Int
  private var index = 0

  init(_ container: DynamicValue) {
    switch container {
    case .array(let values): (content, count) = (.values(values), values.count)
    case .dictionary(let entries): (content, count) = (.entries(entries), entries.count)
    case .record(let record), .enumeration(_, let record):
      let fields = record.fields
      (content, count) = (.fields(fields), fields.count)
    default: (content, count) = (.values(DynamicValues()), 0)
    }
  }

  mutating func next() -> DynamicValue? {
    if index == count { return nil }
    defer { index += 1 }
    switch content {
    case .values(let values): return values[index]
    case .entries(let entries): return entries[index].value
    case .fields(let fields): return fields[index].value
    }
  }
}
