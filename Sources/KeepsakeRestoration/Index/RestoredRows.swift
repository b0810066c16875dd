import KeepsakeArchive

/// What became of one row of a saved state.
struct RestoredRow: Sendable {
  enum State: UInt8, Sendable {
    case waiting, created, dropped
    /// The row is not what a save writes.
    case malformed
  }

  var state = State.waiting
  var source: ReportedObject.Source?
  /// Whether an alias gave the row a path in another container than its former one.
  var isMoved = false
  /// Whether the application said that it does not want the object back.
  var isDeclined = false
  /// The number of components of the path.
  var depth: UInt16 = 1
}

/// The rows of a restore: what became of each, and the object that it has today.
@MainActor
struct RestoredRows: ~Copyable {
  private(set) var progress: [RestoredRow]
  private(set) var participants: [Participant?]
  /// Whether any row was left out that a save has written.
  private(set) var hasDropped = false
  /// The paths of rows that others lie below.
  private var prefixes: [RestorationPath.Prefix?]
  /// The paths that are others than the index says.
  private(set) var aliases: [Int: RestorationPath] = [:]
  /// The row that each object stands for.
  private var owners: IdentityTable
  /// The row of each number of an object plus one, or 0; the ids of an archive have no gaps.
  private var rowsOfRecords: [UInt32]

  /// Takes over an index, and finds the rows that are not what a save writes.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - recordCount: The number of records of the archive.
  ///   - reserved: The records that stand for no object.
  init(_ index: StateIndex, recordCount: Int, reserved: [UInt32?]) {
    let count = index.count
    progress = Array(repeating: RestoredRow(), count: count)
    participants = Array(repeating: nil, count: count)
    prefixes = Array(repeating: nil, count: count)
    owners = IdentityTable(capacity: count)
    rowsOfRecords = Array(repeating: 0, count: recordCount + 1)
    for row in 0..<count {
      if let record = index.objects[row].objectID?.rawValue, !reserved.contains(record),
        Int(record) <= recordCount, rowsOfRecords[Int(record)] == 0,
        isPlaced(row, in: index)
      {
        rowsOfRecords[Int(record)] = UInt32(row + 1)
      } else {
        progress[row].state = .malformed
      }
    }
  }

  /// Whether a row has a name and a role, and its parent comes before it and not too deep.
  private mutating func isPlaced(_ row: Int, in index: StateIndex) -> Bool {
    guard index.role(row) != nil, !index.identifiers[row].isEmpty else { return false }
    guard let parent = index.parent(row) else { return true }
    guard parent < row, progress[parent].depth < RestorationPath.maximumCount else { return false }
    progress[row].depth = progress[parent].depth + 1
    return true
  }

  /// Whether an object may be searched for a row.
  enum Standing {
    case malformed, withoutParent, ready
  }

  /// Whether an object may be searched for a row, below that of another one.
  func standing(of row: Int, below parent: Int?) -> Standing {
    if progress[row].state == .malformed { return .malformed }
    if let parent, progress[parent].state != .created { return .withoutParent }
    return .ready
  }

  /// The row of a record, for a number that may be anything.
  func row(ofRecord record: UInt32) -> Int? {
    guard Int(record) < rowsOfRecords.count, rowsOfRecords[Int(record)] > 0 else { return nil }
    return Int(rowsOfRecords[Int(record)]) - 1
  }

  /// The path of a row that is not malformed.
  mutating func path(_ row: Int, in index: StateIndex) -> RestorationPath {
    if !aliases.isEmpty, let alias = aliases[row] { return alias }
    var ancestors: RestorationPath.Prefix?
    if progress[row].state != .malformed, let parent = index.parent(row) {
      ancestors = prefix(parent, in: index)
    }
    return RestorationPath(index.identifiers[row], below: ancestors)
  }

  /// The path of a row as the beginning of others.
  private mutating func prefix(_ row: Int, in index: StateIndex) -> RestorationPath.Prefix {
    if let prefix = prefixes[row] { return prefix }
    let prefix = path(row, in: index).prefix
    prefixes[row] = prefix
    return prefix
  }

  /// Gives a row another path than the index says, before the rows below it ask for theirs.
  mutating func setAlias(_ path: RestorationPath, of row: Int, isMoved: Bool) {
    aliases[row] = path
    prefixes[row] = nil
    progress[row].isMoved = isMoved
  }

  /// Lets an object stand for a row.
  ///
  /// - Returns: The row that it stands for already, or `nil`.
  mutating func adopt(
    _ participant: Participant, from source: ReportedObject.Source, for row: Int
  ) -> Int? {
    if let other = owners.insert(participant.object, row) { return other }
    participants[row] = participant
    progress[row].source = source
    progress[row].state = .created
    return nil
  }

  /// The node of a row, unless an alias has put it elsewhere.
  func unmovedNode(_ row: Int) -> (any RestorableNode)? {
    progress[row].isMoved ? nil : participants[row]?.node
  }

  /// The nodes that a row's node contained, in their order; `nil` for each that was not restored.
  func children(
    of row: Int, _ attachments: borrowing Attachments
  ) -> [(any RestorableNode)?] {
    var children: [(any RestorableNode)?] = []
    children.reserveCapacity(attachments.positions(of: row).count)
    for position in attachments.positions(of: row) {
      let child = attachments.child(at: position)
      if !progress[child].isMoved { children.append(participants[child]?.node) }
    }
    return children
  }

  /// The row that a node stands for.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - expected: The row that is looked at first; then the one behind that of the node.
  /// - Returns: The row, or `nil` when the node stands for none.
  func row(of node: any RestorableNode, expected: inout Int) -> Int? {
    while expected < participants.count {
      if case .node(let candidate)? = participants[expected] {
        guard candidate === node else { break }
        expected += 1
        return expected - 1
      }
      expected += 1
    }
    guard let row = owners.value(of: node) else { return nil }
    expected = row + 1
    return row
  }

  mutating func drop(_ row: Int, isDeclined: Bool) {
    hasDropped = true
    progress[row].state = .dropped
    progress[row].isDeclined = isDeclined
  }
}
