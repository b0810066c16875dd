import KeepsakeArchive

extension RestoreSession {
  /// An object and where it came from.
  struct Found {
    let participant: Participant
    let source: ReportedObject.Source
  }

  /// Searches for a node in four steps: restoration class, delegate, existing node, template.
  ///
  /// - Returns: The node, or `nil` after the row was dropped with its reason.
  func findNode(_ row: Int, in parent: Int?, _ finder: inout ObjectFinder) -> Found? {
    if index.flags(row).contains(.orphan) {
      return findUnclaimed(row, existingNode(row, in: parent))
    }
    do {
      let coder = RestorationDecoder(
        values: try open(index.objects[row], with: &finder), session: self)
      if index.hasClass(row) { return try askClass(of: row, coder) }
      let present = existingNode(row, in: parent)
      if let node = try delegate.restorableNode(withPath: path(row), coder: coder) {
        if let present, present !== node {
          report(
            .duplicateInstance, at: path(row),
            "The delegate made a new object for \(path(row)) although one exists there; return "
              + "nil, or the existing object.")
        }
        return Found(participant: .node(node), source: .delegate)
      }
      // The delegate may have built the node where it belongs, and left it to be found.
      if let present = present ?? existingNode(row, in: parent) {
        return Found(participant: .node(present), source: .existing)
      }
      return try instantiateTemplate(for: row, coder)
    } catch {
      drop(
        row, .factoryFailed,
        "\(path(row)) was not restored, because it could not be made: \(error)")
      return nil
    }
  }

  /// A record that was kept once is only for what exists again by itself.
  private func findUnclaimed(_ row: Int, _ node: (any RestorableNode)?) -> Found? {
    if let node { return Found(participant: .node(node), source: .existing) }
    drop(
      row, .notFound,
      "\(path(row)) was kept for one more launch, and nobody claimed it; it is gone now.")
    return nil
  }

  /// Step 1: nothing else is asked when a restoration class was saved.
  private func askClass(
    of row: Int, _ coder: borrowing RestorationDecoder
  ) throws -> Found? {
    guard let restorationClass = restorationClass(row) else {
      return dropUnregistered(row, "restoration class", index.className(row) ?? "")
    }
    guard let node = try restorationClass.restorableNode(withPath: path(row), coder: coder) else {
      drop(
        row, .declined,
        "\(path(row)) was not restored, because its restoration class returned none.")
      return nil
    }
    return Found(participant: .node(node), source: .restorationClass)
  }

  func dropUnregistered(_ row: Int, _ role: String, _ name: String) -> Found? {
    drop(
      row, .unregisteredClass,
      "\(path(row)) was not restored, because no \(role) is registered under the name "
        + "\(name); register it, or an alias after a rename.")
    return nil
  }

  /// Step 4: the named template.
  private func instantiateTemplate(
    for row: Int, _ coder: borrowing RestorationDecoder
  ) throws -> Found? {
    guard let name = try coder.decodeIfPresent(String.self, forKey: .template) else {
      drop(
        row, .notFound,
        "\(path(row)) was not restored, because it has no restoration class, the delegate made "
          + "none, none exists at this path, and no template was saved with it.")
      return nil
    }
    guard let instantiate = registry.template(named: name) else {
      return dropUnregistered(row, "template", name)
    }
    guard let node = try instantiate(path(row)) else {
      drop(row, .declined, "\(path(row)) was not restored, because its template returned none.")
      return nil
    }
    return Found(participant: .node(node), source: .template)
  }
}
