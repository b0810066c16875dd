import KeepsakeArchive

extension SaveSession {
  /// Finds the id of an object, adding it and its ancestors to the work-list where they are new.
  ///
  /// - Returns: The id, or `nil` when the object cannot be saved; the reason is then reported.
  func reference(to object: any RestorableObject) -> ArchiveObjectID? {
    if let index = index(of: object) { return Self.id(ofItemAt: index) }
    guard let lineage = newLineage(of: object) else { return nil }
    var parent = lineage.knownParent
    for member in lineage.rootFirst {
      guard let identifier = member.restorationIdentifier, !identifier.isEmpty else {
        if member === object { return refuse(object, "it has no restoration identifier") }
        // An ancestor without an identifier leaves no trace in the path of what is rescued by
        // reference (Spec/restoration.md, section 2).
        continue
      }
      guard let kind = kind(of: member) else {
        if member === object {
          return refuse(object, "it is neither a node nor a view, and was not registered")
        }
        continue
      }
      let place = Place(
        parent: parent, kind: kind, identifier: identifier, ordinal: ordinal(of: member))
      guard let index = add(member, at: place) else { return nil }
      parent = index
    }
    return parent.map(Self.id(ofItemAt:))
  }

  private func newLineage(
    of object: any RestorableObject
  ) -> (rootFirst: [any RestorableObject], knownParent: Int?)? {
    var lineage = [object]
    var next = object.restorationParent
    while let ancestor = next {
      if let known = index(of: ancestor) { return (lineage.reversed(), known) }
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

  private func kind(of object: any RestorableObject) -> RecordFields.Kind? {
    if object is any RestorableNode { return .node }
    if object is any RestorableView { return .view }
    return isRegistered(object) ? .object : nil
  }

  /// The number of siblings with the same identifier that come first in a container that tells its
  /// children apart by order.
  private func ordinal(of object: any RestorableObject) -> UInt32 {
    guard let container = object.restorationParent as? any RestorableNode,
      container.disambiguatesRestorationChildren, !(object is any RestorableView)
    else { return 0 }
    var siblings = container.restorationChildren
    if let presented = container.restorationPresentedNode { siblings.append(presented) }
    let position = siblings.firstIndex { $0 === object } ?? 0
    let identifier = object.restorationIdentifier
    return UInt32(
      clamping: siblings[..<position].count { $0.restorationIdentifier == identifier })
  }

  private func refuse(_ object: any RestorableObject, _ reason: String) -> ArchiveObjectID? {
    report(
      .unsavedReference,
      "A reference to a \(type(of: object).restorationTypeName) was not written, because \(reason); "
        + "give it and its owner a restoration identifier.")
    return nil
  }
}
