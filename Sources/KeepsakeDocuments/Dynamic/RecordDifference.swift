package import KeepsakeArchive

/// One thing in which two records differ.
///
/// A key that was renamed shows as one removed and one added.
package struct RecordDifference: Hashable, Sendable {
  /// The kind of difference.
  package enum Subject: Hashable, Sendable {
    /// The name of the type.
    case typeName
    /// The version of the type's set of keys.
    case schemaVersion
    /// The value under a key, with the scopes of the key from the outermost.
    case value(scope: [String], key: ArchiveKey)
  }

  /// The kind of difference.
  package let subject: Subject
  /// The value in the old record, or nil when the key is added.
  package let old: DynamicValue?
  /// The value in the new record, or nil when the key is removed.
  package let new: DynamicValue?
}

extension RecordDifference: CustomStringConvertible {
  /// The difference on one line, as in `- age: 36`, `+ age: 36` or `~ age: "36" -> 36`.
  package var description: String {
    switch (old, new) {
    case (let old?, let new?): "~ \(name): \(old) -> \(new)"
    case (let old?, nil): "- \(name): \(old)"
    case (nil, let new?): "+ \(name): \(new)"
    case (nil, nil): name
    }
  }

  /// The key after its scopes, such as `Base.title`, with control characters escaped; or `type` or
  /// `schema version` in angle brackets.
  package var name: String {
    switch subject {
    case .typeName: "<type>"
    case .schemaVersion: "<schema version>"
    case .value(let scope, let key): DisplayedPath.text(of: scope + [key.description]).displayed
    }
  }
}

extension DynamicRecord {
  /// The differences between an older record and this one, by scope and key.
  ///
  /// The order of the fields is no difference.
  ///
  /// - Parameter old: The older record.
  /// - Returns: The differences; none when both have the same type, keys and stored values.
  /// - Complexity: In proportion to the fields and their values.
  package func differences(from old: DynamicRecord) -> [RecordDifference] {
    var differences: [RecordDifference] = []
    if !typeName.hasSameBytes(as: old.typeName) {
      differences.append(
        .init(subject: .typeName, old: .string(old.typeName), new: .string(typeName)))
    }
    if schemaVersion != old.schemaVersion {
      differences.append(
        .init(
          subject: .schemaVersion, old: .unsigned(UInt64(old.schemaVersion), bitWidth: 32),
          new: .unsigned(UInt64(schemaVersion), bitWidth: 32)))
    }
    var (before, after) = (old.fieldsInKeyOrder[...], fieldsInKeyOrder[...])
    while let gone = before.first, let added = after.first {
      if gone.precedes(added) {
        differences.append(.init(subject: gone.subject, old: gone.value, new: nil))
        before.removeFirst()
        continue
      }
      after.removeFirst()
      if added.precedes(gone) {
        differences.append(.init(subject: added.subject, old: nil, new: added.value))
        continue
      }
      before.removeFirst()
      if gone.value != added.value {
        differences.append(.init(subject: gone.subject, old: gone.value, new: added.value))
      }
    }
    differences += before.map { .init(subject: $0.subject, old: $0.value, new: nil) }
    differences += after.map { .init(subject: $0.subject, old: nil, new: $0.value) }
    return differences
  }

  private var fieldsInKeyOrder: [Field] {
    let isOrdered = zip(fields, fields.dropFirst()).allSatisfy { $0.precedes($1) }
    return isOrdered ? fields : fields.sorted { $0.precedes($1) }
  }
}

extension DynamicRecord.Field {
  fileprivate var subject: RecordDifference.Subject { .value(scope: scope, key: key) }
}

/// The kind of change that was made to a record.
package enum RecordChange: Int, Comparable {
  case none
  /// Keys or values changed, but no container.
  case values
  /// A container changed, which may have added another record.
  case containers

  package static func < (left: RecordChange, right: RecordChange) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension DynamicRecord {
  /// The kind of change between an earlier record and this one.
  package func change(since before: DynamicRecord) -> RecordChange {
    let (list, oldList) = (self.fields, before.fields)
    let fields = list.span
    let old = oldList.span
    if fields.isIdentical(to: old) { return hasSameType(as: before) ? .none : .values }
    var change = RecordChange.values
    if fields.count == old.count, hasSameType(as: before) {
      var index = 0
      while index < fields.count, DynamicRecord.areSame(list, oldList, at: index) { index += 1 }
      if index == fields.count { change = .none }
    }
    if change == .none { return .none }
    // A container that is not at its old place may have added another record.
    for index in fields.indices where fields[index].value.isContainer {
      if index >= old.count || !DynamicRecord.areSame(list, oldList, at: index) {
        return .containers
      }
    }
    return .values
  }

  /// Whether the fields at an index of two lists are equal; most have the same storage bits.
  private static func areSame(_ list: [Field], _ other: [Field], at index: Int) -> Bool {
    let fields = list.span
    let old = other.span
    let isIdentical =
      fields[index].key.isIdentical(to: old[index].key) && fields[index].scope.isEmpty
      && old[index].scope.isEmpty && fields.hasIdenticalValue(as: old, at: index)
    return isIdentical || fields[index] == old[index]
  }
}

extension Span where Element == DynamicRecord.Field {
  /// Whether the values of two fields have the same storage bits.
  func hasIdenticalValue(as other: Span<Element>, at index: Int) -> Bool {
    hasIdenticalBits(as: other, at: index, valueBits)
  }
}

/// The bytes of a field that hold its value.
private let valueBits: Range<Int> = {
  let offset = MemoryLayout<DynamicRecord.Field>.offset(of: \.value) ?? 0
  return offset..<offset + MemoryLayout<DynamicValue>.size
}()
