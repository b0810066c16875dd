import KeepsakeArchive

extension RestoreSession {
  /// Finds or makes the object of every record, parents first.
  func createObjects() {
    for index in records.indices {
      // Ancestors have larger ids than a descendant that was referenced before they were reached.
      var pending = [index]
      while let last = pending.last, records[last].progress == .waiting {
        let parent = self.index(of: records[last].fields.parent)
        if let parent, records[parent].progress == .waiting, pending.count <= records.count {
          pending.append(parent)
        } else {
          create(last, in: parent)
          pending.removeLast()
        }
      }
    }
    installWindowRoots()
  }

  private func create(_ index: Int, in parent: Int?) {
    records[index].progress = .creating
    if let parent {
      let parentPath = records[parent].path
      pathBudget -= parentPath.count
      guard parentPath.count < RestorationPath.maximumCount, pathBudget >= 0 else {
        return drop(
          index, .malformedRecord,
          "The record \(records[index].id) was not restored, because its path is too long; the saved "
            + "state is not what this library writes.")
      }
      records[index].path = parentPath.appending(records[index].fields.identifier)
      guard records[parent].progress == .created else {
        let reason =
          records[parent].progress == .creating
          ? "its record is its own ancestor" : "\(records[parent].path) was not"
        return drop(
          index, .ancestorNotRestored,
          "\(records[index].path) was not restored, because \(reason).")
      }
    } else if records[index].fields.parent != nil {
      return drop(
        index, .ancestorNotRestored,
        "\(records[index].path) was not restored, because the record of its parent is missing.")
    }
    applyAlias(index)
    let found =
      switch records[index].fields.kind {
      case .view: findView(index, in: parent)
      case .object: findRegisteredObject(index)
      default: findNode(index, in: parent)
      }
    guard let found else {
      if records[index].progress == .creating { records[index].progress = .dropped }
      return
    }
    adopt(found.object, from: found.source, for: index)
  }

  private func applyAlias(_ index: Int) {
    let former = records[index].path
    guard let path = registry.alias(of: former) else { return }
    records[index].path = path
    records[index].isMoved = path.parent != former.parent
  }

  private func adopt(
    _ object: any RestorableObject, from source: ReportedObject.Source, for index: Int
  ) {
    let record = records[index]
    if let other = owners.updateValue(index, forKey: ObjectIdentifier(object)) {
      owners[ObjectIdentifier(object)] = other
      return drop(
        index, .sameInstance,
        "\(record.path) was not restored, because the \(source.rawValue) returned the object that "
          + "stands for \(records[other].path); return an object for each path.")
    }
    object.restorationIdentifier = record.path.identifier
    if let node = object as? any RestorableNode, node.restorationClass == nil,
      let name = record.fields.restorationClass
    {
      node.restorationClass = registry.restorationClass(named: name)
    }
    records[index].object = object
    records[index].source = source
    records[index].progress = .created
    records[index].matchesType = registry.isObject(object, ofTypeNamed: record.typeName)
    if !records[index].matchesType {
      report(
        .classMismatch, at: record.path,
        "\(record.path) keeps its default state, because a \(type(of: object).restorationTypeName) "
          + "was returned and a \(record.typeName) had been saved; return that type, a subclass of "
          + "it whose superclass is registered, or register an alias.")
    }
  }

  func drop(_ index: Int, _ code: RestorationDiagnostic.Code, _ message: String) {
    records[index].progress = .dropped
    records[index].isDeclined = code == .declined
    report(code, at: records[index].path, message)
  }

  private func findView(_ index: Int, in parent: Int?) -> Found? {
    let identifier = records[index].path.identifier
    guard let owner = parent.flatMap({ records[$0].object }) as? any RestorableNode,
      let view = owner.restorationViews.first(where: { $0.restorationIdentifier == identifier })
    else {
      drop(
        index, .notFound,
        "The view \(records[index].path) was not restored, because its node has no view with that "
          + "identifier.")
      return nil
    }
    return Found(object: view, source: .owner)
  }

  private func installWindowRoots() {
    for (window, root) in zip(delegate.restorationWindows, windowRoots) {
      guard window.restorationRootNode == nil, let index = index(of: root),
        let node = records[index].object as? any RestorableNode
      else { continue }
      window.restorationRootNode = node
    }
  }
}
