import KeepsakeArchive

extension SaveSession {
  /// An archive and what became of each object.
  struct EncodedState {
    let archive: [UInt8]
    let report: SaveReport
  }

  private struct Declined: Error {}

  /// Encodes the application and everything that its windows show, in the order of
  /// Spec/restoration.md, section 3.
  ///
  /// - Returns: The archive with its report, or `nil` when the delegate declined.
  func encode(
    _ delegate: any RestorationDelegate, registry: RestorationRegistry, reserved: ReservedValues
  ) throws(RestorationError) -> EncodedState? {
    do {
      var writer = ArchiveWriter(reserved: reserved)
      try writer.writeObject(Self.applicationID, typeName: RecordFields.applicationTypeName) {
        try encodeApplication(delegate, with: &$0)
      }
      var index = 0
      while index < items.count {
        try encodeItem(at: index, registry: registry, into: &writer)
        index += 1
      }
      let archive = try writer.finish(root: Self.applicationID)
      return EncodedState(archive: archive, report: report(archiveByteCount: archive.count))
    } catch is Declined {
      return nil
    } catch let error as ArchiveError {
      throw RestorationError(
        .encodingFailed, "The application's state was not saved: \(error.description)")
    } catch {
      throw RestorationError(
        .callbackFailed,
        "The state was not saved, because the application's delegate failed: \(error).")
    }
  }

  private func encodeApplication(
    _ delegate: any RestorationDelegate, with values: inout ObjectEncoder
  ) throws {
    try RestorationEncoder.withCoder(over: &values, session: self) { coder in
      guard try delegate.shouldSaveState(with: &coder) else { throw Declined() }
      try delegate.willEncodeRestorableState(with: &coder)
    }
    var fields = RecordFields(kind: .application)
    for window in delegate.restorationWindows {
      fields.children.append(window.restorationRootNode.flatMap { savedID(of: $0, in: nil) })
    }
    values.withScope(RecordFields.scope) { fields.encode(with: &$0) }
  }

  private func encodeItem(
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
      Self.id(ofItemAt: index), typeName: type(of: item.object).restorationTypeName,
      template: node?.restorationTemplate
    ) { values in
      var fields = RecordFields(kind: item.kind)
      fields.identifier = item.place.identifier
      fields.ordinal = item.place.ordinal
      fields.parent = item.place.parent.map(Self.id(ofItemAt:))
      fields.isStateless = isStateless
      if let node { collect(node, at: item.path, registry: registry, into: &fields) }
      values.withScope(RecordFields.scope) { fields.encode(with: &$0) }
      guard !isStateless else { return }
      try RestorationEncoder.withCoder(over: &values, session: self) { coder in
        try item.object.encodeRestorableState(with: &coder)
      }
    }
  }

  private func collect(
    _ node: any RestorableNode, at path: RestorationPath, registry: RestorationRegistry,
    into fields: inout RecordFields
  ) {
    if let restorationClass = node.restorationClass {
      let name = restorationClass.restorationClassName
      fields.restorationClass = name
      if registry.restorationClass(named: name) == nil {
        report(
          .unregisteredClass, at: path,
          "The restoration class \(name) of \(path) is not registered, so the next launch cannot "
            + "restore it; register it with the RestorationRegistry.")
      }
    }
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
  private func savedID(
    of object: any RestorableObject, in parent: (any RestorableNode)?
  ) -> ArchiveObjectID? {
    let name = type(of: object).restorationTypeName
    let parentPath = parent.flatMap { index(of: $0) }.map { items[$0].path }
    let whereabouts = parentPath.map { "below \($0)" } ?? "at the root of a window"
    guard !(object.restorationIdentifier ?? "").isEmpty else {
      report(
        .pruned, at: parentPath,
        "A \(name) \(whereabouts) was left out with everything below it, because it has no "
          + "restoration identifier; give it one to save it.")
      return nil
    }
    guard object.restorationParent === parent else {
      report(
        .inconsistentContainment, at: parentPath,
        "A \(name) \(whereabouts) was left out, because its restorationParent is another object; "
          + "make the containment real.")
      return nil
    }
    return reference(to: object)
  }

  private func report(archiveByteCount: Int) -> SaveReport {
    let objects = items.map { item in
      ReportedObject(
        path: item.path, typeName: type(of: item.object).restorationTypeName,
        kind: item.kind == .view ? .view : .node,
        disposition: item.isStateless ? .inDefaultState : .saved, source: nil,
        parentIndex: item.place.parent)
    }
    return SaveReport(
      outcome: .saved, objects: objects, diagnostics: diagnostics,
      archiveByteCount: archiveByteCount)
  }
}
