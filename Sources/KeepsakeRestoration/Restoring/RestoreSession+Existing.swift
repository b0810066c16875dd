import KeepsakeArchive

// Step 3 of the search: what exists at the path of a row.

extension RestoreSession {
  /// The most nodes that are looked at below nodes without identifiers, for one row above them.
  private static let examinedCount = 10_000

  /// A node at exactly the path of a row, which lies below the very object of the parent's row.
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

  /// Turns to the members of another container.
  private mutating func turn(to row: Int?, _ container: (any RestorableNode)?) {
    if let nodes, nodes.row == row { return }
    if let nodes, nodes.isWide { wideContainers[nodes.row] = nodes }
    nodes =
      wideContainers.removeValue(forKey: row) ?? Siblings(of: row, delegate.nodesBelow(container))
  }

  /// What was rescued by a reference lies below nodes without identifiers, today as then.
  private mutating func rescuedNode(
    _ identifier: String, _ ordinal: UInt32, in row: Int?, _ container: (any RestorableNode)?
  ) -> (any RestorableNode)? {
    var hidden = hiddenNodes[row] ?? Siblings(of: row, hiddenNodes(below: container))
    defer { hiddenNodes[row] = hidden }
    return hidden.find(
      identifier, ordinal: ordinal, { $0.restorationIdentifier },
      read: { hiddenNodes(below: container) })
  }

  /// The nodes with identifiers below a container and below nothing else that has one.
  private func hiddenNodes(below container: (any RestorableNode)?) -> [any RestorableNode] {
    var found: [any RestorableNode] = []
    var seen: Set<ObjectIdentifier> = []
    var pending = delegate.nodesBelow(container).filter { $0.savedIdentifier == nil }
    var next = 0
    while next < pending.count, next < Self.examinedCount {
      let node = pending[next]
      next += 1
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      for below in node.nodesBelow {
        if below.savedIdentifier == nil { pending.append(below) } else { found.append(below) }
      }
    }
    return found
  }

  /// A view is searched for among those of its owner.
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

  /// The node that a path leads to from the roots of the windows, as they are now.
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
  /// The nodes directly below a node, or the roots of the windows.
  fileprivate func nodesBelow(_ container: (any RestorableNode)?) -> [any RestorableNode] {
    container?.nodesBelow ?? restorationWindows.compactMap(\.restorationRootNode)
  }
}

/// The members of a container as they were when its first child was searched for.
///
/// Children are searched for in the order in which they were saved, which as a rule is the one in which
/// they stand today: most are found by one comparison.
@MainActor
struct Siblings<Member> {
  /// How often a container that may have changed is read again: a wide one with many children that are
  /// gone must not cost the product of both numbers.
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

  /// Whether the members are so many that they are kept, since it costs more to read them again.
  var isWide: Bool { members.count > 16 }

  /// Finds a member, in the container as it is now if it was not there before.
  ///
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - ordinal: How many members with the identifier come first.
  ///   - identify: Gives the identifier of a member.
  ///   - isRight: Whether a member that was found is still where it was.
  ///   - read: Gives the members as they are now.
  /// - Returns: The member, or `nil` when there is none.
  mutating func find(
    _ identifier: String, ordinal: UInt32, _ identify: (Member) -> String?,
    where isRight: (Member) -> Bool = { _ in true }, read: () -> [Member]
  ) -> Member? {
    let found = member(identifier, ordinal: ordinal, identify)
    if let found, isRight(found) { return found }
    // A factory that was asked in the meantime may have changed the container.
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
