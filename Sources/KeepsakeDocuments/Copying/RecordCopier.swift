package import KeepsakeArchive

/// Copies values from one archive into another, and reads only those that have to be checked.
///
/// The result is the same as if all values were read and written again, and it refuses the same values.
package struct RecordCopier {
  /// A type whose nested records are not copied, since they are to be changed.
  package struct BarredType: Sendable {
    var name: ArchiveKey
    var schemaVersion: UInt32?

    /// A type whose records are barred in one schema version, or in all versions when it is nil.
    package init(name: ArchiveKey, schemaVersion: UInt32? = nil) {
      self.name = name
      self.schemaVersion = schemaVersion
    }
  }

  private let barred: [BarredType]
  /// For each number of a shape, the plan for its nested records, and whether they are barred.
  private var copyPlans: [(copyPlan: RecordCopyPlan, isBarred: Bool)?] = []
  /// True when a barred record was found since this was last set to false.
  package var hasMetBarred = false

  /// The memory of the list of open copies, which is kept from one value to the next.
  var openCopies: [OpenCopy] = []

  package init(barring barred: [BarredType]) {
    self.barred = barred
  }

  /// The plan by which a nested record is written.
  mutating func copyPlan(
    of record: borrowing ObjectDecoder
  ) throws(ArchiveError) -> RecordCopyPlan {
    let number = record.shapeNumber
    if copyPlans.indices.contains(number), let known = copyPlans[number], !known.isBarred {
      return known.copyPlan
    }
    return try newPlan(of: record)
  }

  @inline(never)
  private mutating func newPlan(
    of record: borrowing ObjectDecoder
  ) throws(ArchiveError) -> RecordCopyPlan {
    let number = record.shapeNumber
    if copyPlans.count <= number {
      copyPlans += Array(repeating: nil, count: number + 1 - copyPlans.count)
    }
    let copyPlan = copyPlans[number]?.copyPlan ?? RecordCopyPlan(nested: record)
    let isBarred = bars(copyPlan.typeName, copyPlan.schemaVersion)
    copyPlans[number] = (copyPlan, isBarred)
    if isBarred { throw metBarred() }
    return copyPlan
  }

  /// Checks a value that cannot be copied without being read.
  mutating func check(_ value: DynamicValue) throws(ArchiveError) {
    if !barred.isEmpty, bars(value) { throw metBarred() }
  }

  private func bars(_ typeName: String, _ schemaVersion: UInt32) -> Bool {
    barred.contains { type in
      type.name.name.hasSameBytes(as: typeName)
        && (type.schemaVersion ?? schemaVersion) == schemaVersion
    }
  }

  private func bars(_ value: DynamicValue) -> Bool {
    switch value {
    case .record(let record), .enumeration(_, let record):
      bars(record.typeName, record.schemaVersion) || record.fields.contains { bars($0.value) }
    case .array(let values): values.contains(where: bars)
    case .dictionary(let entries): entries.contains { bars($0.value) }
    default: false
    }
  }

  private mutating func metBarred() -> ArchiveError {
    hasMetBarred = true
    return ArchiveError(.invalidValue, "a nested record is to be changed")
  }
}
