import KeepsakeArchive

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

extension ArchivedRecord {
  /// The kind of change between an earlier record and this one.
  package func change(since before: ArchivedRecord) -> RecordChange {
    let fields = fields.span
    let old = before.fields.span
    if fields.isIdentical(to: old) { return hasSameType(as: before) ? .none : .values }
    var change = RecordChange.values
    if fields.count == old.count, hasSameType(as: before) {
      var index = 0
      while index < fields.count, isSame(as: before, at: index) { index += 1 }
      if index == fields.count { change = .none }
    }
    if change == .none { return .none }
    // A container that is not at its old place may have added another record.
    for index in fields.indices where fields[index].value.isContainer {
      if index >= old.count || !isSame(as: before, at: index) {
        return .containers
      }
    }
    return .values
  }

  /// Whether the fields at an index are equal; most have the same storage bits.
  private func isSame(as other: ArchivedRecord, at index: Int) -> Bool {
    let fields = fields.span
    let old = other.fields.span
    let isIdentical =
      fields[index].key.isIdentical(to: old[index].key) && fields[index].scope.isEmpty
      && old[index].scope.isEmpty && fields.hasIdenticalValue(as: old, at: index)
    return isIdentical || fields[index] == old[index]
  }
}

extension Span where Element == ArchivedRecord.Field {
  /// Whether the values of two fields have the same storage bits.
  func hasIdenticalValue(as other: Span<Element>, at index: Int) -> Bool {
    hasIdenticalBits(as: other, at: index, valueBits)
  }
}

/// The bytes of a field that hold its value.
private let valueBits: Range<Int> = {
  let offset = MemoryLayout<ArchivedRecord.Field>.offset(of: \.value) ?? 0
  return offset..<offset + MemoryLayout<ArchivedValue>.size
}()
