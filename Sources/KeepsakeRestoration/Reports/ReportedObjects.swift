import KeepsakeArchive
import Synchronization

/// The rows of a save or a restore, from which the objects of its report are made.
struct ReportedRows: Sendable {
  let index: StateIndex
  let typeNames: [String]
  /// How many of the index's rows the report tells of.
  let count: Int
  /// The number of each row's type in `typeNames`; -1 for one whose record was not decoded.
  var typeNumbers: [Int32] = []
  var byteCounts: [UInt32] = []
  /// What became of each row; of a save, nothing but what the index says.
  var progress: [RestoredRow] = []
  /// Which rows' objects have decoded their state.
  var isRestored: [Bool] = []
  /// The paths that are others than the index says.
  var aliases: [Int: RestorationPath] = [:]

  /// Where the types and sizes of records are that were not decoded.
  var archive: Archive?

  func objects() -> [ReportedObject] {
    var objects: [ReportedObject] = []
    objects.reserveCapacity(count)
    let roots = Set(index.windows)
    var positions: [Int?] = Array(repeating: nil, count: count)
    for row in 0..<count {
      guard let kind = index.role(row)?.kind, !index.identifiers[row].isEmpty else { continue }
      // A row whose parent does not come before it, or lies too deep, stands for itself.
      let parent = index.parent(row).flatMap { $0 < row ? positions[$0] : nil }
        .flatMap { objects[$0].path.count < RestorationPath.maximumCount ? $0 : nil }
      let identifier = index.identifiers[row]
      let path =
        aliases[row] ?? parent.map { objects[$0].path.appending(identifier) }
        ?? RestorationPath(root: identifier)
      let record = record(row)
      positions[row] = objects.count
      objects.append(
        ReportedObject(
          path: path, typeName: record.typeName, kind: kind,
          disposition: disposition(row, roots: roots),
          source: progress.isEmpty ? nil : progress[row].source, byteCount: record.byteCount,
          parentIndex: parent))
    }
    return objects
  }

  private func record(_ row: Int) -> (typeName: String, byteCount: Int) {
    if typeNumbers[row] >= 0 {
      return (typeNames[Int(typeNumbers[row])], Int(byteCounts[row]))
    }
    guard let id = index.objects[row].objectID, let record = try? archive?.object(id) else {
      return ("?", 0)
    }
    return (record.typeName, record.byteCount)
  }

  private func disposition(_ row: Int, roots: Set<UInt32>) -> ReportedObject.Disposition {
    guard !progress.isEmpty else {
      if index.flags(row).contains(.stateless) { return .inDefaultState }
      return index.role(row) == .node && !roots.contains(UInt32(row + 1)) ? .rescued : .saved
    }
    if progress[row].state != .created { return .dropped }
    return isRestored[row] ? .restored : .inDefaultState
  }
}

/// The objects of a report, made when somebody asks for them: a save does not wait for its report.
final class ReportedObjects: Sendable {
  private let rows: ReportedRows?
  private let made = Mutex<[ReportedObject]?>(nil)

  init(_ rows: ReportedRows?) {
    self.rows = rows
  }

  static let none = ReportedObjects(nil)

  var objects: [ReportedObject] {
    made.withLock { made in
      if let made { return made }
      let objects = rows?.objects() ?? []
      made = objects
      return objects
    }
  }
}

extension ReportedObjects: Hashable {
  static func == (left: ReportedObjects, right: ReportedObjects) -> Bool {
    left === right || left.objects == right.objects
  }

  func hash(into hasher: inout Hasher) { hasher.combine(objects) }
}
