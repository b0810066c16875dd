extension RestoreSession {
  /// Step 3: a node at exactly the same path, which is a child of the very parent found before.
  func existingNode(_ row: Int, in parent: Int?) -> (any RestorableNode)? {
    if rows.progress[row].isMoved { return liveNode(at: path(row)) }
    let identifier = identifier(row)
    guard let parent else {
      return siblings.member(
        identifier, ordinal: index.ordinals[row], of: .init(row: -1, isOfViews: false),
        isPresent: { _ in true },
        read: {
          delegate.restorationWindows.compactMap { $0.restorationRootNode.map { .node($0) } }
        })?.node
    }
    guard let container = rows.participants[parent]?.node else { return nil }
    return siblings.member(
      identifier, ordinal: index.ordinals[row], of: .init(row: parent, isOfViews: false),
      isPresent: { $0.object.restorationParent === container },
      read: { Self.nodes(below: container).map { .node($0) } })?.node
  }

  /// A view is searched for among those of its owner.
  func findView(_ row: Int, in parent: Int?) -> Found? {
    if let parent, let owner = rows.participants[parent]?.node,
      let view = siblings.member(
        identifier(row), ordinal: 0, of: .init(row: parent, isOfViews: true),
        isPresent: { $0.object.restorationParent === owner },
        read: { owner.restorationViews.map { .view($0) } })
    {
      return Found(participant: view, source: .owner)
    }
    drop(
      row, .notFound,
      "The view \(path(row)) was not restored, because its node has no view with that identifier.")
    return nil
  }

  /// A registered object is searched for among those that are registered, and else made by its class.
  func findRegisteredObject(_ row: Int) -> Found? {
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
    let coder = RestorationDecoder(recordOf: row, session: self)
    do {
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
    rows.aliases.isEmpty ? index.identifiers[row] : path(row).identifier
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
