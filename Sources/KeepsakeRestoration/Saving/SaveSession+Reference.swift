import KeepsakeArchive

extension SaveSession {
  /// Adds an object and its ancestors to the rows, and returns the object's id; nil, with a report, when it cannot be
  /// saved.
  func reference(to object: any RestorableObject) -> ArchiveObjectID? {
    if let row = rows.row(of: object) { return Self.id(ofRow: row) }
    guard let (lineage, knownParent) = newLineage(of: object) else { return nil }
    var parent = knownParent
    for member in lineage {
      let isObject = member === object
      // An ancestor without an identifier is skipped in the path of an object that a reference rescues
      // (Spec/restoration.md, section 2, rule 5).
      guard let identifier = member.savedIdentifier else {
        if isObject { return refuse(object, "it has no restoration identifier") }
        continue
      }
      guard let participant = registeredObjects.participant(member) else {
        if isObject {
          return refuse(object, "it is neither a node nor a view, and was not registered")
        }
        continue
      }
      guard StableName.isStable(type(of: member).restorationTypeName) else {
        if isObject {
          return refuse(object, "its type has no name that is the same in every process")
        }
        continue
      }
      let (role, ordinal) = place(of: participant)
      parent = rows.add(participant, as: role, identifier, in: parent, ordinal: ordinal)
      if parent == nil { return nil }
    }
    return parent.map(Self.id(ofRow:))
  }

  /// The role of an object until its container lists it, and its ordinal there.
  private func place(of participant: Participant) -> (ObjectRow.Role, UInt32) {
    switch participant {
    case .node(let node): (.node, node.ordinalInContainer)
    case .view: (.view, 0)
    case .object: (.object, 0)
    }
  }

  /// The ancestors of an object that have no rows yet, root first, with the object itself, and the row of their
  /// parent.
  private func newLineage(
    of object: any RestorableObject
  ) -> (rootFirst: [any RestorableObject], knownParent: Int?)? {
    var lineage = [object]
    var next = registeredObjects.parent(of: object)
    while let ancestor = next {
      if let known = rows.row(of: ancestor) { return (lineage.reversed(), known) }
      guard lineage.count < RestorationPath.maximumCount else {
        _ = refuse(
          object,
          "it has more than \(RestorationPath.maximumCount) ancestors, or is its own ancestor")
        return nil
      }
      lineage.append(ancestor)
      next = registeredObjects.parent(of: ancestor)
    }
    if object is any RestorableView, object.restorationParent?.savedIdentifier == nil {
      // A restore finds a view through its owner, so a view cannot be saved without its owner.
      _ = refuse(object, "the node that owns it has no restoration identifier")
      return nil
    }
    return (lineage.reversed(), nil)
  }

  private func refuse(_ object: any RestorableObject, _ reason: String) -> ArchiveObjectID? {
    rows.report(
      .unsavedReference, at: nil,
      "A reference to a \(StableName.shown(of: object)) was not written, because \(reason); make "
        + "sure that the object and its owner can be saved.")
    return nil
  }
}
