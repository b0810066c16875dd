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
    var isAttached = Array(repeating: false, count: index.count)
    var strangers = IdentityTable()
    // The interface is walked in the order of a save, so that the next node mostly has the next row.
    var expected = 0
    var nodes = delegate.restorationWindows.compactMap(\.restorationRootNode)
    var position = 0
    while position < nodes.count {
      let node = nodes[position]
      position += 1
      if let row = rows.row(of: node, expected: &expected) {
        if isAttached[row] { continue }
        isAttached[row] = true
      } else if strangers.insert(node, 0) != nil {
        continue
      }
      nodes += node.restorationChildren
      if let presented = node.restorationPresentedNode { nodes.append(presented) }
    }
    return isAttached
  }
}
