import KeepsakeArchive

extension SaveSession {
  /// Encodes one object of the work-list.
  func encodeItem(
    at index: Int, registry: RestorationRegistry, into writer: inout ArchiveWriter
  ) throws {
    let item = items[index]
    let count = items.count
    do {
      try writeRecord(of: item, index: index, isStateless: false, registry: registry, &writer)
    } catch {
      // The object loses its own state, but keeps its place, so that what it contains is saved.
      truncate(to: count)
      markStateless(index)
      report(
        .encodingFailed, at: item.path,
        "The state of \(item.path) was not saved, because it could not be encoded: \(error)")
      try writeRecord(of: item, index: index, isStateless: true, registry: registry, &writer)
    }
  }

  private func writeRecord(
    of item: Item, index: Int, isStateless: Bool, registry: RestorationRegistry,
    _ writer: inout ArchiveWriter
  ) throws {
    let node = item.object as? any RestorableNode
    try writer.writeObject(
      Self.id(ofItemAt: index), typeName: item.typeName,
      template: node?.restorationTemplate
    ) { values in
      var fields = RecordFields(kind: item.place.kind)
      fields.identifier = item.place.identifier
      fields.ordinal = item.place.ordinal
      fields.parent = item.place.parent.map(Self.id(ofItemAt:))
      fields.isStateless = isStateless
      fields.restorationClass = restorationClassName(of: item, registry: registry)
      if let node { collect(node, at: item.path, into: &fields) }
      values.withScope(RecordFields.scope) { fields.encode(with: &$0) }
      if !isStateless { try encodeState(of: item, with: &values) }
    }
  }

  private func encodeState(of item: Item, with values: inout ObjectEncoder) throws {
    isSuperclassCallConfirmed = false
    try RestorationEncoder.withCoder(over: &values, session: self) { coder in
      try item.object.encodeRestorableState(with: &coder)
    }
    let type = type(of: item.object)
    if type.requiresSuperclassCall, !isSuperclassCallConfirmed {
      report(
        .missingSuperclassCall, at: item.path,
        "The built-in state of \(item.path) was not saved, because encodeRestorableState(with:) of "
          + "\(item.typeName) does not call super; let it do so.")
    }
  }

  private func restorationClassName(
    of item: Item, registry: RestorationRegistry
  ) -> String? {
    let name: String
    let isRegistered: Bool
    if let node = item.object as? any RestorableNode {
      guard let restorationClass = node.restorationClass else { return nil }
      name = restorationClass.restorationClassName
      isRegistered = registry.restorationClass(named: name) != nil
    } else {
      guard let restorationClass = item.object.objectRestorationClass else { return nil }
      name = restorationClass.restorationClassName
      isRegistered = registry.objectRestorationClass(named: name) != nil
    }
    if !isRegistered {
      report(
        .unregisteredClass, at: item.path,
        "The restoration class \(name) of \(item.path) is not registered, so the next launch cannot "
          + "restore it; register it with the RestorationRegistry.")
    }
    return name
  }

  private func collect(
    _ node: any RestorableNode, at path: RestorationPath, into fields: inout RecordFields
  ) {
    for child in node.restorationChildren {
      if let id = savedID(of: child, in: node) { fields.children.append(id) }
    }
    fields.presented = node.restorationPresentedNode.flatMap { savedID(of: $0, in: node) }
    fields.views = node.restorationViews.compactMap { view in
      // A view without an identifier has no state to save, which is the ordinary case.
      (view.restorationIdentifier ?? "").isEmpty ? nil : savedID(of: view, in: node)
    }
  }

  /// The id of an object that was reached by containment, unless it or its place forbids saving.
  func savedID(
    of object: any RestorableObject, in parent: (any RestorableNode)?
  ) -> ArchiveObjectID? {
    guard !(object.restorationIdentifier ?? "").isEmpty else {
      return leaveOut(
        object, in: parent, .pruned,
        "was left out with everything below it, because it has no restoration identifier; give it "
          + "one to save it.")
    }
    guard object.restorationParent === parent else {
      return leaveOut(
        object, in: parent, .inconsistentContainment,
        "was left out, because its restorationParent is another object; make the containment real.")
    }
    return reference(to: object)
  }

  private func leaveOut(
    _ object: any RestorableObject, in parent: (any RestorableNode)?,
    _ code: RestorationDiagnostic.Code, _ reason: String
  ) -> ArchiveObjectID? {
    let parentPath = parent.flatMap { index(of: $0) }.map { items[$0].path }
    let whereabouts = parentPath.map { "below \($0)" } ?? "at the root of a window"
    let name = type(of: object).restorationTypeName
    report(code, at: parentPath, "A \(name) \(whereabouts) \(reason)")
    return nil
  }
}
