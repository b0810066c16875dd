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

  /// Step 1: nothing else is asked when a restoration class was saved.
  private func askClass(
    named name: String, for index: Int, _ coder: borrowing RestorationDecoder
  ) throws -> Found? {
    let path = records[index].path
    guard let restorationClass = registry.restorationClass(named: name) else {
      drop(
        index, .unregisteredClass,
        "\(path) was not restored, because no restoration class is registered under the name "
          + "\(name); register it, or an alias after a rename.")
      return nil
    }
    guard let node = try restorationClass.restorableNode(withPath: path, coder: coder) else {
      drop(
        index, .declined, "\(path) was not restored, because its restoration class returned none.")
      return nil
    }
    return Found(object: node, source: .restorationClass)
  }

  /// Step 3: a node at exactly the same path, which is a child of the very parent found before.
  private func existingNode(for record: Record, in parent: Int?) -> (any RestorableNode)? {
    let candidates: [any RestorableNode]
    if let parent {
      guard let container = records[parent].object as? any RestorableNode else { return nil }
      let presented = container.restorationPresentedNode
      candidates = container.restorationChildren + (presented.map { [$0] } ?? [])
    } else {
      candidates = delegate.restorationWindows.compactMap(\.restorationRootNode)
    }
    return candidates.filter { $0.restorationIdentifier == record.fields.identifier }
      .dropFirst(Int(record.fields.ordinal)).first
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
      drop(
        index, .unregisteredClass,
        "\(record.path) was not restored, because no template is registered under the name \(name)."
      )
      return nil
    }
    guard let node = try instantiate(record.path) else {
      drop(index, .declined, "\(record.path) was not restored, because its template returned none.")
      return nil
    }
    return Found(object: node, source: .template)
  }
}
