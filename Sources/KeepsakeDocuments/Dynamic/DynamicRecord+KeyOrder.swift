package import KeepsakeArchive

// Fields that are added where the order of their keys puts them (Spec/archive.md, section 9).

extension DynamicRecord {
  /// The keys of the slots without values.
  package var absentKeys: [ArchiveKey] { absentSlots.map(\.key) }

  /// Adds fields under keys that the record lacks.
  ///
  /// The record has its keys in the order of their bytes, and has them so afterwards; keys in scopes are added last.
  package mutating func insertInKeyOrder(_ added: [Field]) {
    var added = added.sorted { $0.precedes($1) }[...]
    var merged: [Field] = []
    merged.reserveCapacity(fields.count + added.count)
    let absent = absentSlots
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
    fields = merged + added
    if !absent.isEmpty { type = DynamicType(typeName, schemaVersion, absent: movedSlots) }
  }
}
