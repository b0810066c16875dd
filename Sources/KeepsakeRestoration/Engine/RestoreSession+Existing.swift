import KeepsakeArchive

extension RestoreSession {
  /// Step 3: a node at exactly the same path, which is a child of the very parent found before.
  func existingNode(_ row: Int, in parent: Int?) -> (any RestorableNode)? {
    if rows.progress[row].isMoved { return liveNode(at: path(row)) }
    if nodes.row != parent ?? -1 {
      guard changeNodes(to: parent) else { return nil }
    }
    let (identifier, ordinal) = (identifier(row), index.ordinals[row])
    let found = nodes.member(identifier, ordinal: ordinal) { $0.restorationIdentifier }
    if let found, nodes.container == nil || found.restorationParent === nodes.container {
      return found
    }
    // A factory that was asked in the meantime may have changed the container.
    guard nodes.mayBeReread else { return nil }
    nodes.reread(readNodes(of: nodes.container))
    return nodes.member(identifier, ordinal: ordinal) { $0.restorationIdentifier }
  }

  /// Turns to the children of another row.
  private func changeNodes(to parent: Int?) -> Bool {
    let container = parent.flatMap { rows.participants[$0]?.node }
    if parent != nil, container == nil { return false }
    if nodes.isWide { wideContainers[nodes.row] = nodes }
    nodes =
      wideContainers.removeValue(forKey: parent ?? -1)
      ?? Siblings(of: parent ?? -1, container, readNodes(of: container))
    return true
  }

  private func readNodes(of container: (any RestorableNode)?) -> [any RestorableNode] {
    if let container { return Self.nodes(below: container) }
    return delegate.restorationWindows.compactMap(\.restorationRootNode)
  }

  /// A view is searched for among those of its owner.
  func findView(_ row: Int, in parent: Int?) -> Found? {
    if let parent, let owner = rows.participants[parent]?.node {
      if views.row != parent { views = Siblings(of: parent, owner, owner.restorationViews) }
      let identifier = identifier(row)
      var view = views.member(identifier, ordinal: 0) { $0.restorationIdentifier }
      if view == nil, views.mayBeReread {
        views.reread(owner.restorationViews)
        view = views.member(identifier, ordinal: 0) { $0.restorationIdentifier }
      }
      if let view { return Found(participant: .view(view), source: .owner) }
    }
    drop(
      row, .notFound,
      "The view \(path(row)) was not restored, because its node has no view with that identifier.")
    return nil
  }

  /// A registered object is searched for among those that are registered, and else made by its class.
  func findRegisteredObject(_ row: Int, _ finder: inout ObjectFinder) -> Found? {
    if let object = registeredObjects.object(at: path(row)) {
      return Found(participant: .object(object), source: .registration)
    }
    guard let name = index.className(row), !index.flags(row).contains(.orphan) else {
      drop(
        row, .notFound,
        "\(path(row)) was not restored, because no object is registered at this path and no "
          + "restoration class was saved with it.")
      return nil
    }
    guard let restorationClass = registry.objectRestorationClass(named: name) else {
      return dropUnregistered(row, "object restoration class", name)
    }
    do {
      let coder = RestorationDecoder(
        values: try open(index.objects[row], with: &finder), session: self)
      guard let object = try restorationClass.restorableObject(withPath: path(row), coder: coder)
      else {
        drop(
          row, .declined,
          "\(path(row)) was not restored, because its restoration class returned none.")
        return nil
      }
      try registeredObjects.register(object, identifier: identifier(row))
      return Found(participant: .object(object), source: .restorationClass)
    } catch {
      drop(
        row, .factoryFailed,
        "\(path(row)) was not restored, because it could not be made: \(error)")
      return nil
    }
  }

  /// The identifier of a row, which an alias may have changed.
  func identifier(_ row: Int) -> String {
    registry.hasPathAliases ? path(row).identifier : index.identifiers[row]
  }

  /// The node that a path leads to from the roots of the windows, as they are now.
  private func liveNode(at path: RestorationPath) -> (any RestorableNode)? {
    var candidates = delegate.restorationWindows.compactMap(\.restorationRootNode)
    var found: (any RestorableNode)?
    for identifier in path.components {
      found = candidates.first { $0.restorationIdentifier == identifier }
      guard let found else { return nil }
      candidates = Self.nodes(below: found)
    }
    return found
  }

  static func nodes(below node: any RestorableNode) -> [any RestorableNode] {
    guard let presented = node.restorationPresentedNode else { return node.restorationChildren }
    return node.restorationChildren + [presented]
  }
}
