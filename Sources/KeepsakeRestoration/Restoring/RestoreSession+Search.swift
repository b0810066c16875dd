import KeepsakeArchive

extension RestoreSession {
  /// An object and its origin.
  struct Found<Object> {
    let object: Object
    let source: ReportedObject.Source
  }

  /// Searches for a node in four steps: restoration class, delegate, existing node, template; nil after the row was
  /// dropped with its reason.
  mutating func findNode(_ row: Int, in parent: Int?) -> Found<any RestorableNode>? {
    if rows[row].flags.contains(.unclaimed) {
      return findUnclaimed(row, existingNode(row, in: parent))
    }
    do {
      let coder = try coder(of: row)
      if namesClass(row) { return try makeByClass(of: row, coder) }
      let present = existingNode(row, in: parent)
      if let node = try delegate.restorableNode(withPath: path(row), coder: coder) {
        if let present, present !== node {
          report(.duplicateInstance, row) { path in
            "The delegate made a new object for \(path) although one exists there; return "
              + "nil, or the existing object."
          }
        }
        return Found(object: node, source: .delegate)
      }
      // The delegate may have built the node at its place and returned nil.
      if let present = present ?? existingNode(row, in: parent) {
        return Found(object: present, source: .existing)
      }
      return try instantiateTemplate(for: row, coder)
    } catch {
      dropFailed(row, error)
      return nil
    }
  }

  /// Gives a record that was kept from an earlier launch only to a node that exists already.
  private mutating func findUnclaimed(
    _ row: Int, _ node: (any RestorableNode)?
  ) -> Found<any RestorableNode>? {
    if let node { return Found(object: node, source: .existing) }
    drop(row, .notFound) { path in
      "\(path) was kept for one more launch, and no object claimed it; it was deleted now."
    }
    return nil
  }

  /// Step 1: asks the restoration class; when a row names one, the other steps are skipped.
  private mutating func makeByClass(
    of row: Int, _ coder: borrowing RestorationDecoder
  ) throws -> Found<any RestorableNode>? {
    guard let restorationClass = restorationClass(row) else {
      dropUnregistered(row, "restoration class", className(row) ?? "")
      return nil
    }
    guard let node = try restorationClass.restorableNode(withPath: path(row), coder: coder) else {
      dropDeclined(row, "restoration class")
      return nil
    }
    return Found(object: node, source: .restorationClass)
  }

  private mutating func dropFailed(_ row: Int, _ error: any Error) {
    drop(row, .factoryFailed) { path in
      "\(path) was not restored, because it could not be created: \(error)"
    }
  }

  private mutating func dropDeclined(_ row: Int, _ factory: String) {
    drop(row, .declined) { path in
      "\(path) was not restored, because its \(factory) returned nil."
    }
  }

  private mutating func dropUnregistered(_ row: Int, _ role: String, _ name: String) {
    drop(row, .unregisteredClass) { path in
      "\(path) was not restored, because no \(role) is registered under the name "
        + "\(name); register it, or an alias after a rename."
    }
  }

  /// Step 4: makes the node from the named template.
  private mutating func instantiateTemplate(
    for row: Int, _ coder: borrowing RestorationDecoder
  ) throws -> Found<any RestorableNode>? {
    let isTemplate = rows[row].flags.contains(.template)
    guard isTemplate, let name = try coder.decodeIfPresent(String.self, forKey: .template) else {
      drop(row, .notFound) { path in
        "\(path) was not restored, because it has no restoration class, the delegate made no "
          + "object, no object exists at this path, and no template was saved with it."
      }
      return nil
    }
    guard let instantiate = registry.template(named: name) else {
      dropUnregistered(row, "template", name)
      return nil
    }
    guard let node = try instantiate(path(row)) else {
      dropDeclined(row, "template")
      return nil
    }
    return Found(object: node, source: .template)
  }

  /// Finds the registered object of a row; if none is registered, the row's restoration class makes it.
  ///
  /// Returns nil when the row was dropped or waits for the registration.
  mutating func findRegisteredObject(_ row: Int) -> Found<any RestorableObject>? {
    let parent = rows[row].parent.flatMap { rows[$0].participant?.object }
    let path = path(row)
    let registered = registeredObjects.object(identifier(row)) { candidate in
      if registry.hasPathAliases { return registeredObjects.hasPath(candidate, path) }
      // The parents that the restore has made are in no container yet, so their whole paths are unknown; compare the
      // parents themselves.
      return registeredObjects.namedAncestor(of: candidate) === parent
    }
    if let registered { return Found(object: registered, source: .registration) }
    guard let name = className(row), !rows[row].flags.contains(.unclaimed) else { return nil }
    guard let restorationClass = registry.objectRestorationClass(named: name) else {
      dropUnregistered(row, "object restoration class", name)
      return nil
    }
    do {
      let coder = try coder(of: row)
      guard let object = try restorationClass.restorableObject(withPath: path, coder: coder)
      else {
        dropDeclined(row, "restoration class")
        return nil
      }
      try registeredObjects.register(object, identifier: identifier(row))
      registeredObjects.remember(object, madeBy: restorationClass, below: parent)
      return Found(object: object, source: .restorationClass)
    } catch {
      dropFailed(row, error)
      return nil
    }
  }
}
