import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeCodable

/// The keys of a stored value that its type does not know, kept until the value is saved again (Spec/state.md,
/// section 6).
package struct KeptKeys: Sendable {
  /// No keys, of a value whose type knows all of them.
  package static let none = KeptKeys(keys: UnreadKeys(), known: .null, report: UnknownKeyReport())

  private let keys: UnreadKeys
  /// The value as its type writes it, to tell which elements stayed at their places.
  private let known: DynamicValue
  /// The names of the keys.
  package let report: UnknownKeyReport

  private init(keys: UnreadKeys, known: DynamicValue, report: UnknownKeyReport) {
    self.keys = keys
    self.known = known
    self.report = report
  }

  /// Finds the keys to keep among those that a type did not ask for.
  ///
  /// The value is given as it was read, and as its type writes it again. `dropped` has the keys that former types did
  /// not ask for while the value was migrated.
  init(
    _ unread: UnreadKeys, in stored: DynamicValue, known: DynamicValue,
    dropped: [(migration: String, keys: UnreadKeys)]
  ) {
    var merge = KeyMerge(isLoading: true)
    var whole = known
    keys = merge.add(unread, of: stored, to: &whole)
    for (_, keys) in dropped { merge.reportLost(keys, at: "") }
    merge.migrations = dropped.map(\.migration)
    self.known = known
    report = merge.report
  }

  /// Adds the keys to the archive of a value that is saved, and returns it with the keys to keep at the next save.
  func added(
    to archive: [UInt8], version: Int, _ limits: ArchiveLimits
  ) throws -> (archive: [UInt8], kept: KeptKeys) {
    if keys.isEmpty { return (archive, .none) }
    let known = try StoredValue.content(inArchive: archive, limits)
    var whole = known
    var merge = KeyMerge(isLoading: false)
    let kept = KeptKeys(
      keys: merge.add(keys, of: self.known, to: &whole), known: known, report: merge.report)
    if kept.keys.isEmpty { return (archive, kept) }
    let bytes = try StoredValue.archive(
      of: whole, typeName: CodableArchive.typeName, limits,
      reserved: ReservedValues(bundleVersion: String(version)))
    return (bytes, kept)
  }
}

/// One pass that adds unknown keys to a value as its type writes it.
private struct KeyMerge {
  /// True when a value was just loaded: its elements are then compared with the stored ones, which have more keys.
  let isLoading: Bool
  private var kept: Set<String> = []
  private var lost: Set<String> = []
  var migrations: [String] = []

  var report: UnknownKeyReport {
    UnknownKeyReport(kept: kept, lost: lost, migrations: migrations)
  }

  init(isLoading: Bool) { self.isLoading = isLoading }

  /// Adds keys that an older value had to a newer one, and returns those that were added.
  mutating func add(
    _ keys: UnreadKeys, of old: DynamicValue, to new: inout DynamicValue, at path: String = ""
  ) -> UnreadKeys {
    for name in keys.lost { lost.insert(Self.path(path, name)) }
    // The payload must be uniquely referenced while it is changed, or each change would copy it.
    switch (new, old) {
    case (.record(var record), _):
      new = .null
      let added = add(keys, of: old.record, to: &record, at: path)
      new = .record(record)
      return added
    case (.array(var elements), .array(let oldElements)):
      new = .null
      let added = add(keys, of: oldElements, to: &elements, at: path + "[]")
      new = .array(elements)
      return added
    case (.dictionary(var entries), .dictionary(let oldEntries)):
      new = .null
      let added = add(keys, of: oldEntries, to: &entries, at: path + "[]")
      new = .dictionary(entries)
      return added
    default:
      reportLost(keys, at: path)
      return UnreadKeys()
    }
  }

  private mutating func add(
    _ keys: UnreadKeys, of old: DynamicRecord, to record: inout DynamicRecord, at path: String
  ) -> UnreadKeys {
    var added = UnreadKeys()
    let indices = record.indices
    let oldIndices = keys.parts.isEmpty ? [:] : old.indices
    let oldFields = old.fields
    for part in keys.parts {
      guard case .key(let key) = part.step, let index = indices[key] else {
        reportLost(part, at: path)
        continue
      }
      let before = oldIndices[key].map { oldFields[$0].value } ?? .null
      var value = record.fields[index].value
      record.fields[index].value = .null
      added.add(
        add(part.keys, of: before, to: &value, at: Self.path(path, key.name)), at: part.step)
      record.fields[index].value = value
    }
    let absent = Set(record.absentSlots.map(\.key))
    // The type knows the keys that it writes.
    added.fields = keys.fields.filter { field in
      !field.scope.isEmpty || indices[field.key] == nil && !absent.contains(field.key)
    }
    for field in added.fields { kept.insert(Self.path(path, field.key.name)) }
    record.insertInKeyOrder(added.fields)
    return added
  }

  private mutating func add(
    _ keys: UnreadKeys, of old: DynamicValues, to elements: inout DynamicValues,
    at path: String
  ) -> UnreadKeys {
    var added = UnreadKeys()
    var places = ElementPlaces(old: old, new: elements, isLoading: isLoading)
    for part in keys.parts {
      guard case .element(let index) = part.step, places.isSameElement(at: index) else {
        reportLost(part.keys, at: path)
        continue
      }
      added.add(add(part.keys, of: old[index], to: &elements[index], at: path), at: part.step)
    }
    return added
  }

  private mutating func add(
    _ keys: UnreadKeys, of old: DynamicEntries, to entries: inout DynamicEntries,
    at path: String
  ) -> UnreadKeys {
    var added = UnreadKeys()
    let indices = entries.indicesByKey
    let oldIndices = old.indicesByKey
    for part in keys.parts {
      guard case .entry(let key) = part.step, let index = indices[key],
        let oldIndex = oldIndices[key]
      else {
        reportLost(part.keys, at: path)
        continue
      }
      added.add(
        add(part.keys, of: old[oldIndex].value, to: &entries[index].value, at: path),
        at: part.step)
    }
    return added
  }

  /// Reports keys in a value that is no longer there.
  mutating func reportLost(_ keys: UnreadKeys, at path: String) {
    for field in keys.fields { lost.insert(Self.path(path, field.key.name)) }
    for name in keys.lost { lost.insert(Self.path(path, name)) }
    for part in keys.parts { reportLost(part, at: path) }
  }

  private mutating func reportLost(_ part: UnreadKeys.Part, at path: String) {
    switch part.step {
    case .key(let key): reportLost(part.keys, at: Self.path(path, key.name))
    case .element, .entry: reportLost(part.keys, at: path + "[]")
    }
  }

  /// The path to a key; a hostile file may nest long names, so a long path is cut.
  private static func path(_ path: String, _ name: String) -> String {
    let name = DisplayedPath.text(of: [name], mostBytes: DisplayedPath.mostBytesInSentence)
    if path.isEmpty { return name }
    if path.utf8.count < DisplayedPath.mostBytes { return path + "." + name }
    return path.hasSuffix(DisplayedPath.mark) ? path : path + DisplayedPath.mark
  }
}

/// Finds out which elements of an array stayed at their places.
private struct ElementPlaces {
  let old: DynamicValues
  let new: DynamicValues
  let isLoading: Bool
  private lazy var oldElements = Set(old)
  private lazy var newElements = Set(new)

  init(old: DynamicValues, new: DynamicValues, isLoading: Bool) {
    self.old = old
    self.new = new
    self.isLoading = isLoading
  }

  /// Whether the element at an index is the one that was there before, perhaps changed.
  ///
  /// Elements that have an `id` are the same when it is equal. Others are the same when they are unchanged, or when
  /// the array is as long as before and neither of the two is in the other array.
  mutating func isSameElement(at index: Int) -> Bool {
    guard old.indices.contains(index), new.indices.contains(index) else { return false }
    if let id = old[index].id, let newID = new[index].id { return id.agrees(with: newID) }
    if old[index].agrees(with: new[index]) { return true }
    if isLoading || old.count != new.count { return false }
    return !newElements.contains(old[index]) && !oldElements.contains(new[index])
  }
}

extension DynamicValue {
  fileprivate var record: DynamicRecord {
    if case .record(let record) = self { record } else { DynamicRecord() }
  }

  fileprivate var id: DynamicValue? {
    if case .record(let record) = self { record["id"] } else { nil }
  }

  /// True when two values are equal except for keys that only one of them has, and for the widths of integers.
  fileprivate func agrees(with other: DynamicValue) -> Bool {
    switch (self, other) {
    case (.signed(let number, _), .signed(let otherNumber, _)): return number == otherNumber
    case (.unsigned(let number, _), .unsigned(let otherNumber, _)): return number == otherNumber
    case (.array(let values), .array(let otherValues)):
      return values.count == otherValues.count
        && zip(values, otherValues).allSatisfy { $0.agrees(with: $1) }
    case (.dictionary(let entries), .dictionary(let otherEntries)):
      return entries.count == otherEntries.count
        && zip(entries, otherEntries).allSatisfy {
          $0.key == $1.key && $0.value.agrees(with: $1.value)
        }
    case (.record(let record), .record(let otherRecord)):
      let indices = otherRecord.indices
      let otherFields = otherRecord.fields
      return record.fields.allSatisfy { field in
        guard field.scope.isEmpty, let index = indices[field.key] else { return true }
        return field.value.agrees(with: otherFields[index].value)
      }
    default: return self == other
    }
  }
}

extension DynamicRecord {
  /// Adds fields under keys that the record lacks, in the order of the keys (Spec/archive.md, section 9).
  ///
  /// The keys of the record must be sorted by their bytes, and stay sorted. Keys in scopes are added last.
  fileprivate mutating func insertInKeyOrder(_ added: [Field]) {
    var added = added.sorted { $0.precedes($1) }[...]
    let (fields, absent) = (self.fields, absentSlots)
    var merged: [Field] = []
    merged.reserveCapacity(fields.count + added.count)
    var movedSlots: [AbsentSlot] = []
    func insert(before key: ArchiveKey) {
      while let next = added.first, next.scope.isEmpty, next.key.name.bytesPrecede(key.name) {
        merged.append(added.removeFirst())
      }
    }
    var next = 0
    for index in 0...fields.count {
      while next < absent.count, absent[next].index <= index {
        var slot = absent[next]
        insert(before: slot.key)
        slot.index = merged.count
        movedSlots.append(slot)
        next += 1
      }
      guard index < fields.count else { break }
      insert(before: fields[index].key)
      merged.append(fields[index])
    }
    self = DynamicRecord(
      type: DynamicType(typeName, schemaVersion, absent: movedSlots), fields: merged + added)
  }

  /// The indices of the unscoped fields, by their keys.
  fileprivate var indices: [ArchiveKey: Int] {
    var indices: [ArchiveKey: Int] = [:]
    let fields = fields
    for index in fields.indices where fields[index].scope.isEmpty {
      indices[fields[index].key] = index
    }
    return indices
  }
}

extension DynamicEntries {
  /// The indices of the entries by their keys.
  fileprivate var indicesByKey: [DynamicValue: Int] {
    var indicesByKey: [DynamicValue: Int] = [:]
    for index in indices { indicesByKey[self[index].key] = index }
    return indicesByKey
  }
}
