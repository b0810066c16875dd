/// What each node of a saved state contained and presented, by rows.
struct Attachments: ~Copyable {
  /// The rows of contained nodes, those of one container after the other.
  private var contained: [Int]
  /// Where those of each container begin; they end where those of the next one begin.
  private var starts: [Int]
  private var presented: [Int: Int] = [:]

  init(of rows: [ObjectRow]) {
    // How many nodes each row contains, in the place after its own, and from that where they begin.
    starts = Array(repeating: 0, count: rows.count + 1)
    var isRanked = false
    for row in rows.indices {
      guard let parent = rows[row].parent else { continue }
      if rows[row].role == .contained {
        starts[parent + 1] += 1
        if rows[row].rank > 0 { isRanked = true }
      } else if rows[row].role == .presented, presented[parent] == nil {
        presented[parent] = row
      }
    }
    for row in rows.indices { starts[row + 1] += starts[row] }
    contained = Array(repeating: 0, count: starts[rows.count])
    var ends = starts
    for row in rows.indices where rows[row].role == .contained {
      guard let parent = rows[row].parent else { continue }
      contained[ends[parent]] = row
      ends[parent] += 1
    }
    guard isRanked else { return }
    for parent in rows.indices where starts[parent + 1] - starts[parent] > 1 {
      // Rows of equal rank stay in their order.
      contained[starts[parent]..<starts[parent + 1]]
        .sort { (rows[$0].rank, $0) < (rows[$1].rank, $1) }
    }
  }

  /// Whether a node contained or presented any.
  func exist(for row: Int) -> Bool { starts[row] < starts[row + 1] || !presented.isEmpty }

  /// The rows of the nodes that a node contained, in their order.
  func children(of row: Int) -> ArraySlice<Int> { contained[starts[row]..<starts[row + 1]] }

  /// The row of the node that a node presented.
  func presented(by row: Int) -> Int? { presented.isEmpty ? nil : presented[row] }
}
