package import Keepsake

/// Receives the parts of a value one after the other, in their order, from a walk that keeps none of them.
///
/// A value is either plain, or a container: the walk begins it, hands over its parts and ends it.
package protocol DynamicValueVisitor {
  /// Receives a value that contains no others; a case of an enumeration without values is plain, too.
  mutating func visit(_ value: DynamicValue) throws

  /// Receives a stored value that contains no others, or a nil, before it is read.
  ///
  /// Unless the visitor implements it, the value is read and passed to ``visit(_:)``.
  mutating func visit(stored value: borrowing ValueDecoder) throws

  /// Receives the beginning of a value that contains others.
  mutating func begin(_ container: DynamicContainer) throws

  /// Receives the end of the container that began last.
  mutating func end(_ container: DynamicContainer) throws

  /// Receives the key of the value that follows in a record: a field with the key and its scopes, whose own value has
  /// no meaning.
  mutating func visit(key: DynamicRecord.Field) throws

  /// Receives the key of the value that follows in a dictionary by names.
  mutating func visit(name: String) throws
}

extension DynamicValueVisitor {
  package mutating func visit(stored value: borrowing ValueDecoder) throws {
    try visit(value.dynamicValue())
  }
}

/// A kind of value that contains others.
package enum DynamicContainer {
  case array
  case set
  /// A dictionary whose keys are all strings.
  case names
  /// A dictionary with other keys, which contains entries.
  case entries
  /// A key, and the value under it.
  case entry
  case record(typeName: String, schemaVersion: UInt32)
  /// A case of an enumeration, which contains the record of its values.
  case enumeration(ArchiveKey)
}

extension DynamicValue {
  package func walk(_ visitor: inout some DynamicValueVisitor) throws {
    switch self {
    case .array(let values): try Self.walk(values, in: .array, &visitor)
    case .set(let values): try Self.walk(values, in: .set, &visitor)
    case .dictionary(let entries): try Self.walk(entries, &visitor)
    case .record(let record): try record.walk(&visitor)
    case .enumeration(let name, let record) where !record.fields.isEmpty:
      try visitor.begin(.enumeration(name))
      try record.walk(&visitor)
      try visitor.end(.enumeration(name))
    default: try visitor.visit(self)
    }
  }

  private static func walk(
    _ values: DynamicValues, in container: DynamicContainer,
    _ visitor: inout some DynamicValueVisitor
  ) throws {
    try visitor.begin(container)
    for value in values { try value.walk(&visitor) }
    try visitor.end(container)
  }

  private static func walk(
    _ entries: DynamicEntries, _ visitor: inout some DynamicValueVisitor
  ) throws {
    let isByNames = entries.allSatisfy { if case .string = $0.key { true } else { false } }
    try visitor.begin(isByNames ? .names : .entries)
    for entry in entries {
      if case .string(let name) = entry.key, isByNames {
        try visitor.visit(name: name)
        try entry.value.walk(&visitor)
      } else {
        try visitor.begin(.entry)
        try entry.key.walk(&visitor)
        try entry.value.walk(&visitor)
        try visitor.end(.entry)
      }
    }
    try visitor.end(isByNames ? .names : .entries)
  }
}

extension DynamicRecord {
  fileprivate func walk(_ visitor: inout some DynamicValueVisitor) throws {
    let container = DynamicContainer.record(typeName: typeName, schemaVersion: schemaVersion)
    try visitor.begin(container)
    for field in fields {
      try visitor.visit(key: field)
      try field.value.walk(&visitor)
    }
    try visitor.end(container)
  }
}

// This walk goes through a stored value as the one above goes through a dynamic one. A container is checked when the
// walk reaches it, so a visitor may have received parts of a value before the walk finds damage in it. The depth is
// checked when a value is opened, which also bounds the recursion.

extension ValueDecoder {
  /// Walks through the value without knowing its type; no more than one plain value is in memory.
  package func walk(_ visitor: inout some DynamicValueVisitor) throws {
    if !value.isNil {
      switch value.tag {
      case .record: return try walkRecord(&visitor)
      case .enumeration: return try walkEnumeration(&visitor)
      case .array where !hasUnknownForm:
        return try walk(value.storedElements(), in: .array, &visitor)
      case .set: return try walk(value.storedMembers(), in: .set, &visitor)
      case .dictionary where !hasUnknownForm: return try walkEntries(&visitor)
      default: break
      }
    }
    try visitor.visit(stored: self)
  }

  /// The kind and the width of the value that ``dynamicValue()`` reads, in words.
  package var typeDescription: String {
    if value.isNil { return ArchiveTag.null.description }
    switch value.tag.kind {
    case .reference: return ArchiveTag.reference.description
    case .conditionalReference: return ArchiveTag.conditionalReference.description
    default: return value.tag.description
    }
  }

  /// Passes the elements of an array or a set to a closure, one after the other; false for a value without readable
  /// elements.
  package func forEachElement(_ body: (borrowing ValueDecoder) throws -> Void) throws -> Bool {
    guard !value.isNil, value.tag == .set || value.tag == .array && !hasUnknownForm
    else { return false }
    try forEach(value.tag == .set ? value.storedMembers() : value.storedElements(), body)
    return true
  }

  private func forEach(
    _ elements: StoredElements, _ body: (borrowing ValueDecoder) throws -> Void
  ) throws {
    for index in 0..<elements.count {
      do {
        try body(element(index, of: elements))
      } catch let error as ArchiveError {
        throw error.atElement(index)
      }
    }
  }

  private func walk(
    _ elements: StoredElements, in container: DynamicContainer,
    _ visitor: inout some DynamicValueVisitor
  ) throws {
    try visitor.begin(container)
    try forEach(elements) { element in try element.walk(&visitor) }
    try visitor.end(container)
  }

  private func walkRecord(_ visitor: inout some DynamicValueVisitor) throws {
    let record = try lentRecord()
    try record.walk(&visitor)
  }

  private func walkEnumeration(_ visitor: inout some DynamicValueVisitor) throws {
    let record = try lentRecord(.enumeration)
    let name = record.enumerationCase ?? ""
    let slots = record.shape.slots
    guard
      (0..<slots.count).contains(where: {
        !slots[$0].isAbsent(value.view, recordAt: record.start)
      })
    else {
      return try visitor.visit(.enumeration(name, record.dynamicRecord()))
    }
    try visitor.begin(.enumeration(name))
    try record.walk(&visitor)
    try visitor.end(.enumeration(name))
  }

  private func walkEntries(_ visitor: inout some DynamicValueVisitor) throws {
    let (keys, values) = try value.storedEntries()
    let isByNames = (0..<keys.count).allSatisfy {
      keys.tag(of: $0, value.view) == .string && !keys.isNil($0, value.view)
    }
    try visitor.begin(isByNames ? .names : .entries)
    for index in 0..<keys.count {
      if isByNames {
        try visitor.visit(name: element(index, of: keys).text())
        try walkValue(index, of: values, &visitor)
      } else {
        try visitor.begin(.entry)
        try element(index, of: keys).walk(&visitor)
        try walkValue(index, of: values, &visitor)
        try visitor.end(.entry)
      }
    }
    try visitor.end(isByNames ? .names : .entries)
  }

  private func walkValue(
    _ index: Int, of values: StoredElements, _ visitor: inout some DynamicValueVisitor
  ) throws {
    do {
      try element(index, of: values).walk(&visitor)
    } catch let error as ArchiveError {
      throw error.atElement(index)
    }
  }
}

extension ObjectDecoder {
  fileprivate func walk(_ visitor: inout some DynamicValueVisitor) throws {
    let container = DynamicContainer.record(typeName: typeName, schemaVersion: schemaVersion)
    try visitor.begin(container)
    try walkFields(&visitor)
    try visitor.end(container)
  }

  /// Walks through the keys and the values that ``dynamicRecord()`` reads.
  package func walkFields(_ visitor: inout some DynamicValueVisitor) throws {
    try forEachField { key, value in
      try visitor.visit(key: key)
      try value.walk(&visitor)
    }
  }
}

// A walk through the value at a place, which reads the bytes of that value and no others.

extension ValuePlace {
  /// Walks through the value; an object is a record without a type.
  package func walk(_ visitor: inout some DynamicValueVisitor) throws {
    guard isObject else { return try withValue { value in try value.walk(&visitor) } }
    let container = DynamicContainer.record(typeName: "", schemaVersion: 0)
    try visitor.begin(container)
    try withObject { object in try object.walkFields(&visitor) }
    try visitor.end(container)
  }

  /// Passes the elements of an array or a set to a closure, one after the other; false for a value without readable
  /// elements.
  package func forEachElement(_ body: (borrowing ValueDecoder) throws -> Void) throws -> Bool {
    if isObject { return false }
    return try withValue { value in try value.forEachElement(body) }
  }

  /// The kind and the width of the value, in words.
  package var typeDescription: String {
    get throws { isObject ? tag.description : try withValue { $0.typeDescription } }
  }

  private func withValue<Result>(
    _ body: (borrowing ValueDecoder) throws -> Result
  ) throws -> Result {
    do {
      return try lend(in: archive.part(range), to: body)
    } catch let error as ArchiveError {
      throw error.inObject(objectID)
    }
  }

  private func withObject(_ body: (borrowing ObjectDecoder) throws -> Void) throws {
    do {
      let (part, record) = try archive.openedObject(objectID.rawValue)
      try ObjectDecoder.lend(record, objectID, in: part, to: body)
    } catch let error as ArchiveError {
      throw error.inObject(objectID)
    }
  }
}
