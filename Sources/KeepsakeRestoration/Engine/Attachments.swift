/// What each node of a saved state contained and presented, by the rows of an index.
struct Attachments: ~Copyable {
  /// Where the children of each row begin in `children`; one more than there are rows.
  private var starts: [Int]
  private var children: [UInt32]
  private var presented: [Int: Int] = [:]

  init(of index: StateIndex) {
    var starts = Array(repeating: 0, count: index.count + 1)
    let contained = StateIndex.Role.contained.rawValue
    for row in 0..<index.count {
      // A parent that does not come first is none (Spec/restoration.md, section 1).
      guard let parent = index.parent(row), parent < row else { continue }
      if index.roles[row] == contained {
        starts[parent + 1] += 1
      } else if index.role(row) == .presented, presented[parent] == nil {
        presented[parent] = row
      }
    }
    for row in 0..<index.count { starts[row + 1] += starts[row] }
    var next = starts
    var children = [UInt32](repeating: 0, count: starts[index.count])
    for row in 0..<index.count where index.roles[row] == contained {
      guard let parent = index.parent(row), parent < row else { continue }
      children[next[parent]] = UInt32(row)
      next[parent] += 1
    }
    if !index.ranks.numbers.isEmpty {
      for row in 0..<index.count where starts[row + 1] - starts[row] > 1 {
        // Rows of equal rank stay in their order.
        children[starts[row]..<starts[row + 1]].sort {
          (index.ranks[Int($0)], $0) < (index.ranks[Int($1)], $1)
        }
      }
    }
    self.starts = starts
    self.children = children
  }

  func hasAny(_ row: Int) -> Bool {
    starts[row] < starts[row + 1] || (!presented.isEmpty && presented[row] != nil)
  }

  /// Where the rows of the nodes are that a node contained, in their order.
  func positions(of row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }

  func child(at position: Int) -> Int { Int(children[position]) }

  /// The row of the node that a node presented.
  func presented(by row: Int) -> Int? { presented[row] }
}
