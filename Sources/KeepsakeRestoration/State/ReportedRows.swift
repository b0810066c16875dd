import KeepsakeArchive

/// The rows of a finished save or restore, from which the objects of its report are made.
struct ReportedRows: Sendable {
  private var rows: [ObjectRow]
  private let typeNames: [String]
  /// The rows of the roots of windows.
  private let roots: Set<Int?>
  /// The archive, for the types and sizes of records that a restore has not read; nil after a save.
  private let archive: Archive?

  /// Takes over the rows, and releases their objects.
  init(
    _ rows: inout [ObjectRow], typeNames: [String], windows: [Int?], archive: Archive? = nil
  ) {
    for row in rows.indices { rows[row].participant = nil }
    self.rows = rows
    rows = []
    self.typeNames = typeNames
    self.archive = archive
    roots = Set(windows)
  }

  /// The objects of the rows that have an identifier.
  var objects: [ReportedObject] {
    var rows = rows
    var objects: [ReportedObject] = []
    objects.reserveCapacity(rows.count)
    var positions: [Int?] = Array(repeating: nil, count: rows.count)
    for row in rows.indices where !rows[row].identifier.isEmpty {
      let path = rows.path(row)
      let described = rows[row]
      let record = record(described)
      positions[row] = objects.count
      objects.append(
        ReportedObject(
          path: path, typeName: record.typeName, kind: described.role.kind,
          disposition: archive == nil ? saved(row) : restored(row), source: described.source,
          byteCount: record.byteCount, parentIndex: described.parent.flatMap { positions[$0] },
          rank: described.role == .contained ? described.rank : nil))
    }
    return objects
  }

  private func record(_ row: ObjectRow) -> (typeName: String, byteCount: Int) {
    if let number = row.typeNumber { return (typeNames[number], row.byteCount) }
    guard let id = row.record, let record = try? archive?.object(id) else { return ("?", 0) }
    return (record.typeName, record.byteCount)
  }

  private func saved(_ row: Int) -> ReportedObject.Disposition {
    if rows[row].flags.contains(.stateless) { return .inDefaultState }
    return rows[row].role == .node && !roots.contains(row) ? .rescued : .saved
  }

  private func restored(_ row: Int) -> ReportedObject.Disposition {
    switch rows[row].progress {
    case .restored: .restored
    case .partlyRestored: .partlyRestored
    case .created: .inDefaultState
    case .waiting, .dropped, .declined, .malformed: .dropped
    }
  }
}
