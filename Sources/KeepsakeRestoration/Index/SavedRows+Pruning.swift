// What is lost with a node that has no identifier (Spec/restoration.md, section 2, rule 3).

extension SavedRows {
  /// A node that was left out with all below it, and the place of the notice that says so.
  struct Pruned {
    let node: any RestorableNode
    let notice: Int
  }

  /// The most objects that are looked at below the pruned nodes of one save.
  private static let examinedCount = 10_000
  /// The most objects that one notice names.
  private static let namedCount = 10

  /// Lets the notices of pruned nodes name what they took with them.
  ///
  /// It is known at the end of a save, since a reference may have rescued a part of it.
  mutating func nameWhatWasPruned() {
    if pruned.isEmpty { return }
    identify()
    var seen = IdentityTable()
    var budget = Self.examinedCount
    for root in pruned {
      let lost = lost(below: root.node, &seen, &budget)
      guard !lost.isEmpty else { continue }
      let more = lost.count - Self.namedCount
      notices.amend(
        root.notice,
        " Lost with it: " + lost.prefix(Self.namedCount).joined(separator: ", ")
          + (more > 0 ? " and \(more) more." : "."))
    }
    pruned = []
  }

  /// The objects below a pruned node that have identifiers and are not saved all the same.
  private func lost(
    below root: any RestorableNode, _ seen: inout IdentityTable, _ budget: inout Int
  ) -> [String] {
    var lost: [String] = []
    var pending = [root]
    while let node = pending.popLast() {
      guard budget > 0, row(ofContained: node) == nil, seen.insert(node, 0) == nil else { continue }
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

  /// What an object is called in a notice, if it has an identifier.
  private static func name(_ object: any RestorableObject) -> String? {
    guard let identifier = object.restorationIdentifier, !identifier.isEmpty else { return nil }
    let typeName = Swift.type(of: object).restorationTypeName
    return "\(typeName)#\(RestorationPath.shown(identifier))"
  }
}
