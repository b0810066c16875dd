import KeepsakeArchive

extension RestoreSession {
  /// Restores everything, in the order of Spec/restoration.md, section 3.
  ///
  /// - Returns: What became of each object, or the refusal of the delegate or of the archive.
  func restore() -> RestoreReport {
    let clock = ContinuousClock()
    let start = clock.now
    do throws(ArchiveError) {
      let application = try coder(for: archive.rootID)
      if let refusal = ask(application) { return RestoreReport(.refused(refusal)) }
      try loadRecords()
      createObjects()
      decodeObjects()
      decodeApplication(application)
      for record in records where record.isRestored {
        record.object?.applicationFinishedRestoringState()
      }
      reportUnattached()
      return restoreReport(duration: clock.now - start)
    } catch {
      return RestoreReport(
        .refused(.damaged("Nothing was restored, because the state is malformed: \(error)")))
    }
  }

  private func ask(_ application: borrowing RestorationDecoder) -> RestoreReport.Refusal? {
    do {
      if try delegate.shouldRestoreState(with: application) { return nil }
      return .declined("Nothing was restored, because the application declined.")
    } catch {
      return .declined(
        "Nothing was restored, because the application failed while it decided: \(error)")
    }
  }

  private func decodeObjects() {
    for index in decodingOrder() {
      let record = records[index]
      guard record.matchesType, let object = record.object else { continue }
      if let node = object as? any RestorableNode { attach(record.fields, to: node) }
      guard !record.fields.isStateless else { continue }
      do {
        isSuperclassCallConfirmed = false
        try object.decodeRestorableState(with: try coder(for: record.id))
        records[index].isRestored = true
        reportMissingSuperclassCall(of: object, at: record.path)
      } catch {
        report(
          .decodingFailed, at: record.path,
          "\(record.path) keeps its default state, because it could not decode: \(error)")
      }
    }
  }

  private func reportMissingSuperclassCall(
    of object: any RestorableObject, at path: RestorationPath
  ) {
    let type = type(of: object)
    guard type.requiresSuperclassCall, !isSuperclassCallConfirmed else { return }
    report(
      .missingSuperclassCall, at: path,
      "The built-in state of \(path) was not restored, because decodeRestorableState(with:) of "
        + "\(type.restorationTypeName) does not call super; let it do so.")
  }

  /// Parents before their children, otherwise in the order in which the objects were saved.
  private func decodingOrder() -> [Int] {
    var children: [Int: [Int]] = [:]
    var order: [Int] = []
    for index in records.indices where records[index].object != nil {
      if let parent = self.index(of: records[index].fields.parent) {
        children[parent, default: []].append(index)
      } else {
        order.append(index)
      }
    }
    var next = 0
    while next < order.count {
      order += children[order[next]] ?? []
      next += 1
    }
    return order
  }

  /// Puts back what a node contained and presented, before it decodes its own state.
  private func attach(_ fields: RecordFields, to node: any RestorableNode) {
    let children = fields.children.filter { !isMoved($0) }
    if !children.isEmpty {
      node.attachRestoredChildren(
        children.map { id in id.flatMap { object(for: $0) } as? any RestorableNode })
    }
    if !isMoved(fields.presented),
      let presented = fields.presented.flatMap({ object(for: $0) }) as? any RestorableNode
    {
      node.attachRestoredPresentedNode(presented)
    }
  }

  private func isMoved(_ id: ArchiveObjectID?) -> Bool {
    index(of: id).map { records[$0].isMoved } ?? false
  }

  private func decodeApplication(_ application: borrowing RestorationDecoder) {
    do {
      try delegate.didDecodeRestorableState(with: application)
    } catch {
      report(.decodingFailed, "The application could not decode its own values: \(error)")
    }
  }

  /// Reports nodes that exist again although nothing on screen contains or presents them.
  private func reportUnattached() {
    let roots = delegate.restorationWindows.compactMap(\.restorationRootNode)
    var attached = Set(roots.map { ObjectIdentifier($0) })
    var pending: [any RestorableNode] = roots
    while let node = pending.popLast() {
      let presented = node.restorationPresentedNode
      for next in node.restorationChildren + (presented.map { [$0] } ?? [])
      where attached.insert(ObjectIdentifier(next)).inserted {
        pending.append(next)
      }
    }
    for record in records where record.fields.kind == .node {
      guard let object = record.object, !attached.contains(ObjectIdentifier(object)) else {
        continue
      }
      report(
        .unattached, at: record.path,
        "\(record.path) was restored, but no window shows it; let its container attach it in "
          + "attachRestoredChildren(_:) or in its own decoding.")
    }
  }
}
