extension RestoreSession {
  /// Reports nodes that exist again although nothing on screen contains or presents them.
  func reportUnattached() {
    let isAttached = attachedRows()
    for row in 0..<index.count where !isAttached[row] && rows.participants[row]?.node != nil {
      report(
        .unattached, at: path(row),
        "\(path(row)) was restored, but no window shows it; let its container attach it in "
          + "attachRestoredChildren(_:) or in its own decoding.")
    }
  }

  /// Which rows the nodes on screen stand for.
  private func attachedRows() -> [Bool] {
    var walk = AttachmentWalk(count: index.count)
    for window in delegate.restorationWindows {
      if let root = window.restorationRootNode { walk.reach(root, rows) }
    }
    // What lies below a row has a later one as a rule, so that one pass over the rows meets most nodes.
    for row in 0..<index.count {
      guard walk.isAttached[row], case .node(let node)? = rows.participants[row] else { continue }
      walk.next = row + 1
      walk.visit(node, rows)
      while let node = walk.pending.popLast() { walk.visit(node, rows) }
    }
    while let node = walk.pending.popLast() { walk.visit(node, rows) }
    return walk.isAttached
  }
}

/// A walk of the interface that finds which rows its nodes stand for.
@MainActor
private struct AttachmentWalk {
  var isAttached: [Bool]
  /// The row behind the last one that was visited in its turn, or is visited now.
  var next = 0
  /// Nodes that were reached and have no turn to come.
  var pending: [any RestorableNode] = []
  /// The nodes that no row stands for.
  private var strangers: [ObjectIdentifier: any RestorableNode] = [:]
  private var expected = 0

  init(count: Int) {
    isAttached = Array(repeating: false, count: count)
  }

  /// Visits what a node contains and presents.
  mutating func visit(_ node: any RestorableNode, _ rows: borrowing RestoredRows) {
    for child in node.restorationChildren { reach(child, rows) }
    if let presented = node.restorationPresentedNode { reach(presented, rows) }
  }

  mutating func reach(_ node: any RestorableNode, _ rows: borrowing RestoredRows) {
    if let row = rows.row(of: node, expected: &expected) {
      if !isAttached[row], row < next { pending.append(node) }
      isAttached[row] = true
    } else if strangers.updateValue(node, forKey: ObjectIdentifier(node)) == nil {
      pending.append(node)
    }
  }
}
