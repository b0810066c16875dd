extension RestoredRows {
  /// Which rows stand for nodes that the roots of the windows contain and present.
  func attached(to roots: [any RestorableNode]) -> [Bool] {
    var walk = Walk(count: participants.count)
    for root in roots { reach(root, &walk) }
    // What lies below a row has a later one as a rule, so that one pass over the rows meets most nodes.
    for row in 0..<participants.count {
      guard walk.isAttached[row], case .node(let node)? = participants[row] else { continue }
      walk.next = row + 1
      visit(node, &walk)
      while let node = walk.pending.popLast() { visit(node, &walk) }
    }
    while let node = walk.pending.popLast() { visit(node, &walk) }
    return walk.isAttached
  }

  /// A walk of the interface.
  private struct Walk {
    var isAttached: [Bool]
    /// The row behind the last one that was visited in its turn, or is visited now.
    var next = 0
    /// Nodes that were reached and have no turn to come.
    var pending: [any RestorableNode] = []
    /// The nodes that no row stands for; they are kept, so that none has the address of another.
    var strangers: [ObjectIdentifier: any RestorableNode] = [:]
    var expected = 0

    init(count: Int) {
      isAttached = Array(repeating: false, count: count)
    }
  }

  private func visit(_ node: any RestorableNode, _ walk: inout Walk) {
    for child in node.restorationChildren { reach(child, &walk) }
    if let presented = node.restorationPresentedNode { reach(presented, &walk) }
  }

  private func reach(_ node: any RestorableNode, _ walk: inout Walk) {
    if let row = row(of: node, expected: &walk.expected) {
      if !walk.isAttached[row], row < walk.next { walk.pending.append(node) }
      walk.isAttached[row] = true
    } else if walk.strangers.updateValue(node, forKey: ObjectIdentifier(node)) == nil {
      walk.pending.append(node)
    }
  }
}
