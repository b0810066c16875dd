import KeepsakeArchive

// Creation of windows and objects, parents before their children.

extension RestoreSession {
  /// The maximum number of windows that the delegate is asked to make; a hostile state may name any number.
  private static let windowLimit = 256

  /// Asks the delegate for the saved windows that do not exist.
  mutating func makeWindows() {
    let saved = index.windows.count
    for position in delegate.restorationWindows
      .count..<max(saved, delegate.restorationWindows.count)
    {
      if position < Self.windowLimit, delegate.makeRestorationWindow(at: position) != nil {
        continue
      }
      return report(
        .windowNotRestored,
        "\(saved - position) of \(saved) windows were not restored, because the application did not make "
          + "them; do so in makeRestorationWindow(at:).")
    }
  }

  /// Finds or makes the object of every row.
  mutating func createObjects() {
    rowsByObject.reserveCapacity(rows.count)
    for row in rows.indices { create(row) }
    installWindowRoots()
  }

  private mutating func create(_ row: Int) {
    if rows[row].progress == .malformed {
      return report(
        .malformedRecord,
        "Object \(row) of the saved state was left out, because it has no identifier, record or "
          + "place of its own; the state is not what this library writes.")
    }
    let (role, parent) = (rows[row].role, rows[row].parent)
    if let parent, !rows[parent].hasObject {
      if role == .object, rows[parent].progress == .waiting { return waitingRows.append(row) }
      return dropWithAncestor(row, parent)
    }
    if registry.hasPathAliases { applyAlias(row) }
    CreatedProperties.begin()
    defer { CreatedProperties.end() }
    switch role {
    case .view:
      guard let found = findView(row, in: parent), claim(found.object, found.source, for: row)
      else { return }
      rows[row].setParticipant(.view(found.object), from: found.source)
    case .node, .contained, .presented:
      guard let found = findNode(row, in: parent), claim(found.object, found.source, for: row)
      else { return }
      setOrigin(of: found.object, row)
      rows[row].setParticipant(.node(found.object), from: found.source)
    case .object:
      adoptRegisteredObject(for: row)
      if rows[row].progress == .waiting { waitingRows.append(row) }
    }
  }

  mutating func dropWithAncestor(_ row: Int, _ parent: Int) {
    let above = path(parent)
    drop(row, .ancestorNotRestored) { "\($0) was not restored, because \(above) was not." }
  }

  private mutating func applyAlias(_ row: Int) {
    let former = path(row)
    guard let today = registry.alias(of: former) else { return }
    rows[row].prefix = today.prefix
    rows[row].isMoved = today.parent != former.parent
  }

  /// Assigns a registered object to its row, if it is registered by now.
  mutating func adoptRegisteredObject(for row: Int) {
    guard let found = findRegisteredObject(row), claim(found.object, found.source, for: row) else {
      return
    }
    rows[row].setParticipant(.object(found.object), from: found.source)
  }

  /// Assigns an object to a row, with the row's references and identifier; false after the row was dropped, since
  /// another row has the object.
  private mutating func claim(
    _ object: any RestorableObject, _ source: ReportedObject.Source, for row: Int
  ) -> Bool {
    if let other = rowsByObject.updateValue(row, forKey: ObjectIdentifier(object)) {
      rowsByObject[ObjectIdentifier(object)] = other
      let otherPath = path(other)
      drop(row, .sameInstance) { path in
        "\(path) was not restored, because the \(source.rawValue) returned the object that stands "
          + "for \(otherPath); return an object for each path."
      }
      return false
    }
    context.setObject(object, for: rows[row].record)
    switch source {
    case .restorationClass, .delegate, .template:
      savedProperties.findCreatedProperties(of: object)
      object.restorationIdentifier = identifier(row)
    // These objects were found by their identifier.
    case .existing, .owner, .registration: break
    }
    return true
  }

  /// Sets the restoration class and the template of a node again.
  private mutating func setOrigin(of node: any RestorableNode, _ row: Int) {
    if let restorationClass = restorationClass(row), node.restorationClass == nil {
      node.restorationClass = restorationClass
    }
    if rows[row].flags.contains(.template), node.restorationTemplate == nil {
      node.restorationTemplate = try? open(rows[row].record)
        .decodeIfPresent(String.self, forKey: .template)
    }
  }

  /// The restoration class of a row, if it has one that is registered.
  mutating func restorationClass(_ row: Int) -> (any RestorationClass.Type)? {
    let number = Int(rows[row].classNumber)
    return number > 0 && number <= restorationClasses.count ? restorationClasses[number - 1] : nil
  }

  /// The name of a row's restoration class, registered or not.
  mutating func className(_ row: Int) -> String? { index.className(rows[row].classNumber) }

  /// Whether a row names a restoration class, registered or not.
  mutating func namesClass(_ row: Int) -> Bool {
    rows[row].classNumber > 0 && rows[row].classNumber <= restorationClasses.count
  }

  /// The identifier of a row, which an alias may have changed.
  mutating func identifier(_ row: Int) -> String {
    rows[row].prefix?.identifier ?? rows[row].identifier
  }

  private mutating func installWindowRoots() {
    for (window, row) in zip(delegate.restorationWindows, index.windows) {
      guard let row, window.restorationRootNode == nil, rows.indices.contains(row),
        let node = rows[row].participant?.node
      else { continue }
      window.restorationRootNode = node
    }
  }

  /// Reports restored nodes that no window contains or presents.
  mutating func reportUnattached() {
    var isAttached = Array(repeating: false, count: rows.count)
    // The nodes without a row; they are retained, so that no other node gets the address of one of them.
    var otherNodes: [ObjectIdentifier: any RestorableNode] = [:]
    var pending = delegate.restorationWindows.compactMap(\.restorationRootNode)
    var next = 0
    // The rows are in the order of such a walk, so the next node usually has the next row.
    var expected = 0
    while next < pending.count {
      let node = pending[next]
      next += 1
      if let row = row(of: node, expected: expected) {
        if isAttached[row] { continue }
        isAttached[row] = true
        expected = row + 1
      } else if otherNodes.updateValue(node, forKey: ObjectIdentifier(node)) != nil {
        continue
      }
      for child in node.restorationChildren { pending.append(child) }
      if let presented = node.restorationPresentedNode { pending.append(presented) }
    }
    for row in rows.indices where !isAttached[row] && rows[row].participant?.node != nil {
      report(.unattached, row) { path in
        "\(path) was restored, but no window shows it; let its container attach it in "
          + "attachRestoredChildren(_:) or in its own decoding."
      }
    }
  }

  /// The row of a node; the expected one is tried first.
  private mutating func row(of node: any RestorableNode, expected: Int) -> Int? {
    if expected < rows.count, rows[expected].stands(for: node) { return expected }
    return rowsByObject[ObjectIdentifier(node)]
  }
}
