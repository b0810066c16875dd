import KeepsakeArchive

extension RestoreSession {
  /// An object and where it came from.
  struct Found {
    let object: any RestorableObject
    let source: ReportedObject.Source
  }

  /// Searches for a node in four steps: restoration class, delegate, existing node, template.
  ///
  /// - Returns: The node, or `nil` after the record was dropped with its reason.
  func findNode(_ index: Int, in parent: Int?) -> Found? {
    let record = records[index]
    if record.fields.isOrphan { return findUnclaimed(index, existingNode(for: record, in: parent)) }
    do {
      let coder = try coder(for: record.id)
      if let name = record.fields.restorationClass {
        return try askClass(named: name, for: index, coder)
      }
      let present = existingNode(for: record, in: parent)
      if let node = try delegate.restorableNode(withPath: record.path, coder: coder) {
        if let present, present !== node {
          report(
            .duplicateInstance, at: record.path,
            "The delegate made a new object for \(record.path) although one exists there; return "
              + "nil, or the existing object.")
        }
        return Found(object: node, source: .delegate)
      }
      if let present { return Found(object: present, source: .existing) }
      return try instantiateTemplate(for: index)
    } catch {
      drop(
        index, .factoryFailed,
        "\(record.path) was not restored, because it could not be made: \(error)")
      return nil
    }
  }

  /// A record that was kept once is only for what exists again by itself.
  private func findUnclaimed(_ index: Int, _ node: (any RestorableNode)?) -> Found? {
    if let node { return Found(object: node, source: .existing) }
    drop(
      index, .notFound,
      "\(records[index].path) was kept for one more launch, and nobody claimed it; it is gone now.")
    return nil
  }

  /// Step 1: nothing else is asked when a restoration class was saved.
  private func askClass(
    named name: String, for index: Int, _ coder: borrowing RestorationDecoder
  ) throws -> Found? {
    let path = records[index].path
    guard let restorationClass = registry.restorationClass(named: name) else {
      return dropUnregistered(index, "restoration class", name)
    }
    guard let node = try restorationClass.restorableNode(withPath: path, coder: coder) else {
      drop(
        index, .declined, "\(path) was not restored, because its restoration class returned none.")
      return nil
    }
    return Found(object: node, source: .restorationClass)
  }

  /// Searches for a registered object: one that was registered again, else one that its class makes.
  func findRegisteredObject(_ index: Int) -> Found? {
    let record = records[index]
    if let object = registeredObjects.object(at: record.path) {
      return Found(object: object, source: .registration)
    }
    guard let name = record.fields.restorationClass, !record.fields.isOrphan else {
      drop(
        index, .notFound,
        "\(record.path) was not restored, because no object is registered at this path and no "
          + "restoration class was saved with it.")
      return nil
    }
    guard let restorationClass = registry.objectRestorationClass(named: name) else {
      return dropUnregistered(index, "object restoration class", name)
    }
    do {
      let coder = try coder(for: record.id)
      guard
        let object = try restorationClass.restorableObject(withPath: record.path, coder: coder)
      else {
        drop(
          index, .declined,
          "\(record.path) was not restored, because its restoration class returned none.")
        return nil
      }
      try registeredObjects.register(object, identifier: record.path.identifier)
      return Found(object: object, source: .restorationClass)
    } catch {
      drop(
        index, .factoryFailed,
        "\(record.path) was not restored, because it could not be made: \(error)")
      return nil
    }
  }

  private func dropUnregistered(_ index: Int, _ role: String, _ name: String) -> Found? {
    drop(
      index, .unregisteredClass,
      "\(records[index].path) was not restored, because no \(role) is registered under the name "
        + "\(name); register it, or an alias after a rename.")
    return nil
  }

  /// Step 3: a node at exactly the same path, which is a child of the very parent found before.
  private func existingNode(for record: Record, in parent: Int?) -> (any RestorableNode)? {
    if record.isMoved { return liveNode(at: record.path) }
    let candidates: [any RestorableNode]
    if let parent {
      guard let container = records[parent].object as? any RestorableNode else { return nil }
      candidates = Self.nodes(below: container)
    } else {
      candidates = delegate.restorationWindows.compactMap(\.restorationRootNode)
    }
    return candidates.filter { $0.restorationIdentifier == record.path.identifier }
      .dropFirst(Int(record.fields.ordinal)).first
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

  private static func nodes(below node: any RestorableNode) -> [any RestorableNode] {
    node.restorationChildren + (node.restorationPresentedNode.map { [$0] } ?? [])
  }

  /// Step 4: the named template.
  private func instantiateTemplate(for index: Int) throws -> Found? {
    let record = records[index]
    guard let name = record.template else {
      drop(
        index, .notFound,
        "\(record.path) was not restored, because it has no restoration class, the delegate made "
          + "none, none exists at this path, and no template was saved with it.")
      return nil
    }
    guard let instantiate = registry.template(named: name) else {
      return dropUnregistered(index, "template", name)
    }
    guard let node = try instantiate(record.path) else {
      drop(index, .declined, "\(record.path) was not restored, because its template returned none.")
      return nil
    }
    return Found(object: node, source: .template)
  }
}
