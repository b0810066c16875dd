extension SavedRows {
  /// An object whose turn it is to encode.
  struct Work {
    let object: any RestorableObject
    let typeNumber: Int
    let template: String?
    /// How many rows there were before it encoded its state.
    let count: Int
  }

  /// Adds what a row's object contains, presents and owns.
  ///
  /// - Returns: The object, or `nil` when there is no such row.
  mutating func collect(_ row: Int) -> Work? {
    guard row < count else { return nil }
    beginCollecting(row)
    let participant = participant(row)
    var template: String?
    switch participant {
    case .node(let node):
      collect(node, row)
      template = node.restorationTemplate
      if let restorationClass = node.restorationClass { setClass(restorationClass, of: row) }
    case .object(let object):
      if let restorationClass = object.objectRestorationClass {
        setClass(restorationClass, of: row)
      }
    case .view: break
    }
    return Work(
      object: participant.object, typeNumber: Int(typeNumbers[row]), template: template,
      count: count)
  }

  private mutating func collect(_ node: any RestorableNode, _ row: Int) {
    let children = node.restorationChildren
    let presented = node.restorationPresentedNode
    if !children.isEmpty || presented != nil {
      var ordinals = Ordinals(of: node, count: children.count + 1)
      // A child that a wide stack lists twice has two ordinals, so that its places do not tell.
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
      // A view without an identifier has no state to save, which is the ordinary case.
      guard let identifier = view.restorationIdentifier, !identifier.isEmpty,
        isParent(node, of: view, row), self.row(ofContained: view) == nil
      else { continue }
      _ = addMember(.view(view), as: .view, identifier, in: row)
    }
  }

  /// Adds the root of a window, unless it has no identifier or is no root.
  ///
  /// - Returns: Its row, or `nil` when it is not saved.
  mutating func addRoot(_ root: any RestorableNode) -> Int? {
    guard let identifier = identifier(of: root, in: nil), isParent(nil, of: root, nil) else {
      return nil
    }
    return row(ofContained: root) ?? addReferred(.node(root), as: .node, identifier, in: nil)
  }

  private mutating func add(
    _ child: consuming any RestorableNode, as role: StateIndex.Role,
    in container: (node: any RestorableNode, row: Int), _ ordinals: inout Ordinals
  ) -> Int? {
    let found = identifier(of: child, in: container.row)
    let ordinal = ordinals.next(found)
    guard let identifier = found, isParent(container.node, of: child, container.row) else {
      return nil
    }
    if let known = row(ofContained: child) {
      // What was referred to before is a child now; what is listed twice stays what it was first.
      if index.parent(known) == container.row, index.role(known) == .node {
        index.roles[known] = role.rawValue
      }
      return known
    }
    return addMember(.node(child), as: role, identifier, in: container.row, ordinal: ordinal)
  }

  /// Writes down the order of children that were not reached in it.
  private mutating func rank(_ children: [any RestorableNode], in row: Int) {
    var rank: UInt32 = 0
    for child in children {
      guard let known = self.row(of: child), index.parent(known) == row else { continue }
      index.ranks[known] = rank
      rank += 1
    }
  }

  private mutating func identifier(of node: any RestorableNode, in row: Int?) -> String? {
    if let identifier = node.restorationIdentifier, !identifier.isEmpty { return identifier }
    let notice = leaveOut(
      node, in: row, .pruned,
      "was left out with everything below it, because it has no restoration identifier; give it "
        + "one to save it.")
    if let notice { pruned.append(Pruned(node: node, notice: notice)) }
    return nil
  }

  private mutating func isParent(
    _ parent: (any RestorableNode)?, of object: any RestorableObject, _ row: Int?
  ) -> Bool {
    if object.restorationParent === parent { return true }
    leaveOut(
      object, in: row, .inconsistentContainment,
      "was left out, because its restorationParent is another object; make the containment real.")
    return false
  }

  @discardableResult
  private mutating func leaveOut(
    _ object: any RestorableObject, in row: Int?, _ code: RestorationDiagnostic.Code,
    _ reason: String
  ) -> Int? {
    let parentPath = row.map { index.path($0) }
    let whereabouts = parentPath.map { "below \($0)" } ?? "at the root of a window"
    return report(
      code, at: parentPath,
      "A \(Swift.type(of: object).restorationTypeName) \(whereabouts) \(reason)")
  }
}
