import KeepsakeArchive

// Step 3 of the search: an existing object at the path of a row.

extension RestoreSession {
  /// The maximum number of nodes without identifiers that the search for rescued nodes visits below one container.
  private static let visitLimit = 10_000

  /// The existing node at exactly the path of a row, below the object of the parent's row.
  mutating func existingNode(_ row: Int, in parent: Int?) -> (any RestorableNode)? {
    if rows[row].isMoved { return liveNode(at: path(row)) }
    let container = parent.flatMap { rows[$0].participant?.node }
    if parent != nil, container == nil { return nil }
    turn(to: parent, container)
    let (identifier, ordinal) = (identifier(row), rows[row].ordinal)
    let found = nodes?.find(
      identifier, ordinal: ordinal, { $0.restorationIdentifier },
      where: { container == nil || $0.restorationParent === container },
      read: { [delegate] in delegate.nodesBelow(container) })
    if found != nil || rows[row].role != .node { return found }
    return rescuedNode(identifier, ordinal, in: parent, container)
  }

  /// Switches to the members of another container.
  private mutating func turn(to row: Int?, _ container: (any RestorableNode)?) {
    if let nodes, nodes.row == row { return }
    if let nodes, nodes.isWide { wideContainers[nodes.row] = nodes }
    nodes =
      wideContainers.removeValue(forKey: row) ?? Siblings(of: row, delegate.nodesBelow(container))
  }

  /// Finds a node that was rescued by a reference: it is below nodes without identifiers, as it was at the save.
  private mutating func rescuedNode(
    _ identifier: String, _ ordinal: UInt32, in row: Int?, _ container: (any RestorableNode)?
  ) -> (any RestorableNode)? {
    var hidden = hiddenNodes[row] ?? Siblings(of: row, [])
    defer { hiddenNodes[row] = hidden }
    return hidden.find(
      identifier, ordinal: ordinal, { $0.restorationIdentifier },
      read: { hiddenNodes(below: container) })
  }

  /// The nodes with identifiers below a container, with only nodes without identifiers in between.
  private func hiddenNodes(below container: (any RestorableNode)?) -> [any RestorableNode] {
    var found: [any RestorableNode] = []
    var seen: Set<ObjectIdentifier> = []
    var pending = delegate.nodesBelow(container).filter { $0.savedIdentifier == nil }
    var next = 0
    while next < pending.count, next < Self.visitLimit {
      let node = pending[next]
      next += 1
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      for below in node.nodesBelow {
        if below.savedIdentifier == nil { pending.append(below) } else { found.append(below) }
      }
    }
    return found
  }

  /// Finds a view among those of its owner.
  mutating func findView(_ row: Int, in parent: Int?) -> Found<any RestorableView>? {
    if let parent, let owner = rows[parent].participant?.node {
      if views?.row != parent { views = Siblings(of: parent, owner.restorationViews) }
      let identifier = identifier(row)
      let view = views?.find(
        identifier, ordinal: 0, { $0.restorationIdentifier }, read: { owner.restorationViews })
      if let view { return Found(object: view, source: .owner) }
    }
    drop(row, .notFound) { path in
      "The view \(path) was not restored, because its node has no view with that identifier."
    }
    return nil
  }

  /// The present node at a path, from the roots of the windows.
  private func liveNode(at path: RestorationPath) -> (any RestorableNode)? {
    var found: (any RestorableNode)?
    for identifier in path.components {
      found = delegate.nodesBelow(found).first {
        $0.restorationIdentifier?.hasSameBytes(as: identifier) == true
      }
      if found == nil { return nil }
    }
    return found
  }
}

extension RestorationDelegate {
  /// The nodes directly below a node; the roots of the windows for nil.
  fileprivate func nodesBelow(_ container: (any RestorableNode)?) -> [any RestorableNode] {
    container?.nodesBelow ?? restorationWindows.compactMap(\.restorationRootNode)
  }
}

/// The members of a container, as they were when its first child was searched for.
///
/// The search follows the saved order of the children, which is usually their present order. So most children are
/// found with one comparison.
@MainActor
struct Siblings<Member> {
  /// The maximum number of times that one container is read again.
  ///
  /// Without this limit, a wide container would be read in full for each of its missing children.
  private static var rereadLimit: Int { 64 }

  /// The row of the container; `nil` for the windows.
  let row: Int?
  private(set) var members: [Member]
  private var next = 0
  private var positions: [NameKey: [Int]]?
  private var rereadCount = 0

  init(of row: Int?, _ members: [Member]) {
    self.row = row
    self.members = members
  }

  /// True when the list of members is kept for later, because reading it again would be expensive.
  var isWide: Bool { members.count > 16 }

  /// Finds a member, and reads the container again when it is not found at first; nil when it does not exist.
  ///
  /// The ordinal is the number of members with the same identifier before it. `isRight` says whether a found member is
  /// still in the container.
  mutating func find(
    _ identifier: String, ordinal: UInt32, _ identify: (Member) -> String?,
    where isRight: (Member) -> Bool = { _ in true }, read: () -> [Member]
  ) -> Member? {
    let found = member(identifier, ordinal: ordinal, identify)
    if let found, isRight(found) { return found }
    // A factory that ran in the meantime may have changed the container.
    guard rereadCount < Self.rereadLimit else { return nil }
    members = read()
    next = 0
    positions = nil
    rereadCount += 1
    return member(identifier, ordinal: ordinal, identify)
  }

  private mutating func member(
    _ identifier: String, ordinal: UInt32, _ identify: (Member) -> String?
  ) -> Member? {
    if positions == nil, ordinal == 0, next < members.count,
      identify(members[next])?.hasSameBytes(as: identifier) == true
    {
      next += 1
      return members[next - 1]
    }
    if positions == nil {
      var found: [NameKey: [Int]] = [:]
      for (position, member) in members.enumerated() {
        if let identifier = identify(member) {
          found[NameKey(identifier), default: []].append(position)
        }
      }
      positions = found
    }
    guard let found = positions?[NameKey(identifier)], Int(ordinal) < found.count else {
      return nil
    }
    return members[found[Int(ordinal)]]
  }
}
