/// What each node of a saved state contained and presented, by rows.
struct Attachments: ~Copyable {
  private var children: [[Int]]
  private var presented: [Int: Int] = [:]

  init(of rows: [ObjectRow]) {
    children = Array(repeating: [], count: rows.count)
    var isRanked = false
    for row in rows.indices {
      guard let parent = rows[row].parent else { continue }
      if rows[row].role == .contained {
        children[parent].append(row)
        if rows[row].rank > 0 { isRanked = true }
      } else if rows[row].role == .presented, presented[parent] == nil {
        presented[parent] = row
      }
    }
    guard isRanked else { return }
    for parent in children.indices where children[parent].count > 1 {
      // Rows of equal rank stay in their order.
      children[parent].sort { (rows[$0].rank, $0) < (rows[$1].rank, $1) }
    }
  }

  /// The rows of the nodes that a node contained, in their order.
  func children(of row: Int) -> [Int] { children[row] }

  /// The row of the node that a node presented.
  func presented(by row: Int) -> Int? { presented.isEmpty ? nil : presented[row] }
}
