// The walk over the objects that an object contains, presents and owns (Spec/restoration.md, section 3).

extension SavedRows {
  /// The object to encode next.
  struct PendingObject {
    let object: any RestorableObject
    let typeNumber: Int
    let template: String?
    /// The number of rows before it encoded its state.
    let count: Int
  }

  /// Adds the objects that a row's object contains, presents and owns; nil when the row does not exist.
  ///
  /// The row is the first one that has not been collected. The record of the row before it has `byteCount` bytes.
  mutating func collect(_ row: Int, afterRecordOf byteCount: Int) -> PendingObject? {
    if row > 0 { self[row - 1].byteCount = byteCount }
    guard row < count, let typeNumber = rows[row].typeNumber else { return nil }
    beginCollecting()
    var template: String?
    let object: any RestorableObject
    switch rows[row].participant {
    case nil: return nil
    case .node(let node):
      collect(node, row)
      template = describeOrigin(of: row, node)
      object = node
    case .object(let registered):
      describeOrigin(of: row, object: registered)
      object = registered
    case .view(let view): object = view
    }
    return PendingObject(object: object, typeNumber: typeNumber, template: template, count: count)
  }

  private mutating func collect(_ node: any RestorableNode, _ row: Int) {
    let children = node.restorationChildren
    let presented = node.restorationPresentedNode
    if !children.isEmpty || presented != nil {
      var ordinals = Ordinals(of: node, count: children.count + 1)
      // A child that a wide stack lists twice has two ordinals, so its place does not identify it.
      if ordinals.areCounted, children.count > 8 { identify() }
      var last = -1
      var isOrdered = true
      for child in children {
        guard let added = add(child, as: .contained, in: (node, row), &ordinals) else { continue }
        isOrdered = isOrdered && added > last
        last = added
      }
      if let presented { _ = add(presented, as: .presented, in: (node, row), &ordinals) }
      if !isOrdered { rank(children, in: row) }
    }
    for view in node.restorationViews {
      // A view without an identifier is not saved, which is the ordinary case.
      guard let identifier = view.savedIdentifier, isParent(node, of: .view(view), row),
        self.row(ofContained: view) == nil
      else { continue }
      _ = add(.view(view), as: .view, identifier, in: row)
    }
  }

  mutating func addRoot(_ root: (any RestorableNode)?) {
    windows.append(root.flatMap { row(ofRoot: $0) })
  }

  private mutating func row(ofRoot root: any RestorableNode) -> Int? {
    guard let identifier = identifier(of: root, in: nil), isParent(nil, of: .node(root), nil) else {
      return nil
    }
    let known = row(ofContained: root) ?? add(.node(root), as: .node, identifier, in: nil)
    guard let known else { return nil }
    guard let other = windows.firstIndex(of: known) else { return known }
    let path = path(known)
    report(
      .duplicatePath, at: path,
      "Windows \(other + 1) and \(windows.count + 1) show the same \(path), so the second one was saved without a "
        + "root; give each window a root of its own.")
    return nil
  }

  private mutating func add(
    _ child: consuming any RestorableNode, as role: ObjectRow.Role,
    in container: (node: any RestorableNode, row: Int), _ ordinals: inout Ordinals
  ) -> Int? {
    let found = identifier(of: child, in: container.row)
    let ordinal = ordinals.next(found)
    guard let identifier = found, isParent(container.node, of: .node(child), container.row) else {
      return nil
    }
    if let known = row(ofContained: child) {
      // A node that was reached by a reference before becomes a child now; a node that is listed twice keeps its
      // first role.
      if self[known].parent == container.row, self[known].role == .node { self[known].role = role }
      return known
    }
    return add(.node(child), as: role, identifier, in: container.row, ordinal: ordinal)
  }

  /// Records the order of children, when they were reached in another order.
  private mutating func rank(_ children: [any RestorableNode], in row: Int) {
    var rank: UInt32 = 0
    for child in children {
      guard let known = self.row(of: child), self[known].parent == row else { continue }
      self[known].rank = rank
      rank += 1
    }
  }

  private mutating func identifier(of node: any RestorableNode, in row: Int?) -> String? {
    if let identifier = node.savedIdentifier { return identifier }
    leaveOut(
      .node(node), in: row, .pruned,
      "because it has no restoration identifier; give it one to save it.")
    return nil
  }

  private mutating func isParent(
    _ parent: (any RestorableNode)?, of participant: @autoclosure () -> Participant, _ row: Int?
  ) -> Bool {
    let child = participant()
    if child.object.restorationParent === parent { return true }
    leaveOut(
      child, in: row, .inconsistentContainment,
      "because its restorationParent is another object; let it return its container.")
    return false
  }
}
