import KeepsakeArchive

extension SaveSession {
  /// Finds the id of an object, adding it and its ancestors to the work-list where they are new.
  ///
  /// - Returns: The id, or `nil` when the object cannot be saved; the reason is then reported.
  func reference(to object: any RestorableObject) -> ArchiveObjectID? {
    if let row = rows.row(of: object) { return Self.id(ofRow: row) }
    guard let lineage = newLineage(of: object) else { return nil }
    var parent = lineage.knownParent
    for member in lineage.rootFirst {
      guard let identifier = member.restorationIdentifier, !identifier.isEmpty else {
        if member === object { return refuse(object, "it has no restoration identifier") }
        // An ancestor without an identifier leaves no trace in the path of what is rescued by
        // reference (Spec/restoration.md, section 2).
        continue
      }
      guard let participant = participant(member) else {
        if member === object {
          return refuse(object, "it is neither a node nor a view, and was not registered")
        }
        continue
      }
      parent = rows.addReferred(
        participant, as: participant.referredRole, identifier, in: parent,
        ordinal: ordinal(of: participant))
      if parent == nil { return nil }
    }
    return parent.map(Self.id(ofRow:))
  }

  private func newLineage(
    of object: any RestorableObject
  ) -> (rootFirst: [any RestorableObject], knownParent: Int?)? {
    var lineage = [object]
    var next = object.restorationParent
    while let ancestor = next {
      if let known = rows.row(of: ancestor) { return (lineage.reversed(), known) }
      guard lineage.count < RestorationPath.maximumCount else {
        _ = refuse(
          object,
          "it has more than \(RestorationPath.maximumCount) ancestors, or is its own ancestor")
        return nil
      }
      lineage.append(ancestor)
      next = ancestor.restorationParent
    }
    if object is any RestorableView {
      // A view is found again through its owner, so an owner that is not saved loses it.
      let owner = object.restorationParent?.restorationIdentifier ?? ""
      guard !owner.isEmpty else {
        _ = refuse(object, "the node that owns it has no restoration identifier")
        return nil
      }
    }
    return (lineage.reversed(), nil)
  }

  private func participant(_ object: any RestorableObject) -> Participant? {
    if let node = object as? any RestorableNode { return .node(node) }
    if let view = object as? any RestorableView { return .view(view) }
    return isRegistered(object) ? .object(object) : nil
  }

  private func ordinal(of participant: Participant) -> UInt32 {
    guard case .node(let node) = participant,
      let container = node.restorationParent as? any RestorableNode
    else { return 0 }
    let siblings = container.restorationChildren
    var ordinals = Ordinals(of: container, count: siblings.count + 1)
    for sibling in siblings {
      let ordinal = ordinals.next(sibling.restorationIdentifier)
      if sibling === node { return ordinal }
    }
    // What is presented comes after all that is contained.
    return ordinals.next(node.restorationIdentifier)
  }

  private func refuse(_ object: any RestorableObject, _ reason: String) -> ArchiveObjectID? {
    rows.report(
      .unsavedReference, at: nil,
      "A reference to a \(type(of: object).restorationTypeName) was not written, because \(reason); "
        + "give it and its owner a restoration identifier.")
    return nil
  }
}

extension Participant {
  /// What an object is until its container lists it.
  fileprivate var referredRole: StateIndex.Role {
    switch self {
    case .node: .node
    case .view: .view
    case .object: .object
    }
  }
}
