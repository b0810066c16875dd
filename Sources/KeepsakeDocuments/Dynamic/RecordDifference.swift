package import KeepsakeArchive

/// One difference between two records; a renamed key is one removed and one added key.
package struct RecordDifference: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case typeName
    case schemaVersion
    /// The value under a key, with the scopes of the key from the outermost.
    case value(scope: [String], key: ArchiveKey)
  }

  package let subject: Subject
  /// The value in the old record, or nil when the key is added.
  package let old: DynamicValue?
  /// The value in the new record, or nil when the key is removed.
  package let new: DynamicValue?
}

extension RecordDifference: CustomStringConvertible {
  /// The difference on one line, as in `- age: 36`, `+ age: 36` or `~ age: "36" -> 36`.
  package var description: String { text(named: name) { "\($0)" } }

  /// The description, with another name, and with values in the text of a closure.
  package func text(named name: String, _ text: (DynamicValue) -> String) -> String {
    switch (old, new) {
    case (let old?, let new?): "~ \(name): \(text(old)) -> \(text(new))"
    case (let old?, nil): "- \(name): \(text(old))"
    case (nil, let new?): "+ \(name): \(text(new))"
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
  /// The differences from an older record, by scope and key; the order of the fields is ignored.
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
