import KeepsakeArchive

extension RestoreSession {
  /// Finds or makes the object of every row; a parent's row comes before those of its children.
  func createObjects(_ finder: inout ObjectFinder) {
    for row in 0..<index.count { create(row, &finder) }
    installWindowRoots()
  }

  private func create(_ row: Int, _ finder: inout ObjectFinder) {
    let parent = index.parent(row)
    let standing = rows.standing(of: row, below: parent)
    guard standing != .malformed, let role = index.role(row) else {
      return report(
        .malformedRecord,
        "The row \(row) of the saved state was left out, because it has no identifier, record or "
          + "place of its own; the state is not what this library writes.")
    }
    if standing == .withoutParent, let parent {
      return drop(
        row, .ancestorNotRestored,
        "\(path(row)) was not restored, because \(path(parent)) was not.")
    }
    if registry.hasPathAliases { applyAlias(row) }
    let found =
      switch role {
      case .view: findView(row, in: parent)
      case .object: findRegisteredObject(row, &finder)
      case .node, .contained, .presented: findNode(row, in: parent, &finder)
      }
    if let found { adopt(found, for: row) }
  }

  private func applyAlias(_ row: Int) {
    let former = path(row)
    guard let path = registry.alias(of: former) else { return }
    rows.setAlias(path, of: row, isMoved: path.parent != former.parent)
  }

  private func adopt(_ found: Found, for row: Int) {
    let participant = found.participant
    if let other = rows.adopt(participant, from: found.source, for: row) {
      return drop(
        row, .sameInstance,
        "\(path(row)) was not restored, because the \(found.source.rawValue) returned the object "
          + "that stands for \(path(other)); return an object for each path.")
    }
    let identifier = identifier(row)
    if participant.identifier != identifier {
      participant.object.restorationIdentifier = identifier
    }
    if let restorationClass = restorationClass(row), let node = participant.node,
      node.restorationClass == nil
    {
      node.restorationClass = restorationClass
    }
  }

  func drop(
    _ row: Int, _ code: RestorationDiagnostic.Code, _ message: @autoclosure () -> String
  ) {
    rows.drop(row, isDeclined: code == .declined)
    report(code, at: path(row), message())
  }

  private func installWindowRoots() {
    for (window, number) in zip(delegate.restorationWindows, index.windows) {
      let row = Int(number) - 1
      guard window.restorationRootNode == nil, rows.participants.indices.contains(row),
        let node = rows.participants[row]?.node
      else { continue }
      window.restorationRootNode = node
    }
  }
}
