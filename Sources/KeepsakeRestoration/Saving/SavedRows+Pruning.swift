// The objects that are lost with a node that is left out (Spec/restoration.md, section 2, rule 3), and whether a
// snapshot of the interface would show it (section 2, rule 9).

extension SavedRows {
  /// A node that was left out with everything below it, and the index of its notice.
  struct LeftOut {
    let node: any RestorableNode
    let notice: Int
  }

  /// The maximum number of objects that one save examines below the nodes that it leaves out.
  private static let visitLimit = 10_000
  /// The maximum number of objects that one notice names.
  private static let namedCount = 10

  /// Adds the names of lost objects to the notices about the nodes that they were below.
  ///
  /// The lost objects are known only at the end of a save, since a reference may rescue some of them.
  mutating func addNamesOfLostObjects() {
    if leftOut.isEmpty { return }
    identify()
    var seen: Set<ObjectIdentifier> = []
    var budget = Self.visitLimit
    for root in leftOut {
      let lost = lost(below: root.node, &seen, &budget)
      guard !lost.isEmpty else { continue }
      let more = lost.count - Self.namedCount
      amend(
        root.notice,
        " Lost with it: " + lost.prefix(Self.namedCount).joined(separator: ", ")
          + (more > 0 ? " and \(more) more." : "."))
    }
    leftOut = []
  }

  /// The names of objects below a node that were not saved although they have identifiers.
  private func lost(
    below root: any RestorableNode, _ seen: inout Set<ObjectIdentifier>, _ budget: inout Int
  ) -> [String] {
    var lost: [String] = []
    var pending = [root]
    while let node = pending.popLast() {
      guard budget > 0, row(ofContained: node) == nil,
        seen.insert(ObjectIdentifier(node)).inserted
      else { continue }
      budget -= 1
      if node !== root, let name = Self.name(node) { lost.append(name) }
      for view in node.restorationViews.prefix(budget) where row(ofContained: view) == nil {
        budget -= 1
        if let name = Self.name(view) { lost.append(name) }
      }
      if let presented = node.restorationPresentedNode { pending.append(presented) }
      pending += node.restorationChildren.reversed()
    }
    return lost
  }

  /// The name of an object in a notice, if it has an identifier.
  private static func name(_ object: any RestorableObject) -> String? {
    object.savedIdentifier.map { "\(StableName.shown(of: object))#\(RestorationPath.shown($0))" }
  }

  /// Whether the user sees a topmost screen that is not saved; false without a search when no node was left out.
  mutating func showsUnsavedNode(in windows: [any RestorationWindow]) -> Bool {
    guard hasLeftOutNodes else { return false }
    identify()
    var seen: Set<ObjectIdentifier> = []
    var pending = windows.compactMap(\.restorationRootNode)
    while let node = pending.popLast() {
      guard seen.insert(ObjectIdentifier(node)).inserted else { continue }
      let visible =
        node.restorationPresentedNode.map { [$0] } ?? node.restorationVisibleChildren
      if visible.isEmpty, row(ofContained: node) == nil { return true }
      pending += visible
    }
    return false
  }
}
