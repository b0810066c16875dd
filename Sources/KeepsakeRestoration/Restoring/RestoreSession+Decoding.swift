import KeepsakeArchive

// Attaching and decoding of objects, parents before their children.

extension RestoreSession {
  mutating func decodeObjects() {
    let attachments = Attachments(of: rows)
    for row in rows.indices {
      // An object that has decoded may have registered the one that this row waits for.
      if rows[row].progress == .waiting { searchAgain(row) }
      if let participant = rows[row].participant {
        decode(participant, row, attachments)
      }
    }
    for row in waitingRows where rows[row].progress == .waiting {
      searchAgain(row)
      if let participant = rows[row].participant {
        decode(participant, row, attachments)
      } else if rows[row].progress == .waiting {
        drop(row, .notFound) { path in
          "\(path) was not restored, because no object is registered at this path and no "
            + "restoration class was saved with it."
        }
      }
    }
  }

  private mutating func searchAgain(_ row: Int) {
    if let parent = rows[row].parent, !rows[parent].hasObject {
      if rows[parent].progress != .waiting { dropWithAncestor(row, parent) }
      return
    }
    adoptRegisteredObject(for: row)
  }

  private mutating func decode(
    _ participant: Participant, _ row: Int, _ attachments: borrowing Attachments
  ) {
    let object = participant.object
    log.clear()
    do {
      let coder = try coder(of: row)
      let savedType = coder.values.typeNumber
      rows[row].byteCount = coder.values.byteCount
      rows[row].typeNumber = savedType
      let type = types.number(of: participant.type)
      if lastMatch?.savedType != savedType || lastMatch?.type != type {
        match(object, type, savedType, coder.values.typeName)
      }
      guard lastMatch?.isMatch == true else {
        return reportClassMismatch(of: object, row, coder.values.typeName)
      }
      let requiresSuperclassCall = types.requiresSuperclassCall(type)
      if case .node(let node) = participant, attachments.exist(for: row) {
        attach(attachments, of: row, to: node)
      }
      if rows[row].flags.contains(.stateless) { return }
      if requiresSuperclassCall { context.expectSuperclassCall() }
      if let lastLayout { savedProperties.decode(object, lastLayout, with: coder) }
      try object.decodeRestorableState(with: coder)
      rows[row].progress = .restored
      if requiresSuperclassCall, !context.isSuperclassCallConfirmed {
        let name = StableName.shown(types[type].name)
        report(.missingSuperclassCall, row) { path in
          "The built-in state of \(path) was not restored, because decodeRestorableState(with:) "
            + "of \(name) does not call super; let it do so."
        }
      }
    } catch {
      reportFailure(of: row, error)
    }
  }

  /// Applies the class rule to two types: whether objects of one may decode records of the other
  /// (Spec/restoration.md, section 5).
  private mutating func match(
    _ object: any RestorableObject, _ type: Int, _ savedType: Int, _ savedName: String
  ) {
    let missing = savedType + 1 - typeNames.count
    if missing > 0 { typeNames += Array(repeating: "", count: missing) }
    typeNames[savedType] = savedName
    lastMatch = (savedType, type, registry.isObject(object, ofTypeNamed: savedName))
    lastLayout = savedProperties.layout(of: object)
  }

  private mutating func reportClassMismatch(
    of object: any RestorableObject, _ row: Int, _ savedTypeName: String
  ) {
    report(.classMismatch, row) { path in
      "\(path) keeps its default state, because a \(type(of: object).restorationTypeName) was "
        + "returned and a \(savedTypeName) had been saved; return that type or a subclass of it, or "
        + "register the saved name as an alias."
    }
  }

  /// Reports an object that failed to decode, with the keys that it had read before.
  private mutating func reportFailure(of row: Int, _ error: any Error) {
    let names = log.names
    guard !names.isEmpty else {
      return report(.decodingFailed, row) { path in
        "\(path) keeps its default state, because it could not decode: \(error)"
      }
    }
    rows[row].progress = .partlyRestored
    let shown = names.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = names.count > 20 ? " and \(names.count - 20) more" : ""
    report(.decodingFailed, row) { path in
      "\(path) is restored in part: it has read \(shown)\(more) and nothing else, because it could "
        + "not decode: \(error)"
    }
  }

  /// Attaches the restored children and the presented node, before the node decodes its own state.
  private mutating func attach(
    _ attachments: borrowing Attachments, of row: Int, to node: any RestorableNode
  ) {
    let contained = attachments.children(of: row)
    if !contained.isEmpty {
      var children: [(any RestorableNode)?] = []
      children.reserveCapacity(contained.count)
      for child in contained where !rows[child].isMoved {
        children.append(rows[child].participant?.node)
      }
      if !children.isEmpty { node.attachRestoredChildren(children) }
    }
    if let presented = attachments.presented(by: row), !rows[presented].isMoved,
      let presentedNode = rows[presented].participant?.node
    {
      node.attachRestoredPresentedNode(presentedNode)
    }
  }
}

/// The contained and presented nodes of each node of a saved state, by rows.
struct Attachments: ~Copyable {
  /// The rows of contained nodes, grouped by container.
  private var contained: [Int]
  /// The start of each container's group; it ends at the start of the next one.
  private var starts: [Int]
  private var presented: [Int: Int] = [:]

  init(of rows: [ObjectRow]) {
    // Each element after a row's own first counts the row's contained nodes; the running sums are the starts.
    starts = Array(repeating: 0, count: rows.count + 1)
    var hasRanks = false
    for row in rows.indices {
      guard let parent = rows[row].parent else { continue }
      if rows[row].role == .contained {
        starts[parent + 1] += 1
        if rows[row].rank > 0 { hasRanks = true }
      } else if rows[row].role == .presented, presented[parent] == nil {
        presented[parent] = row
      }
    }
    for row in rows.indices { starts[row + 1] += starts[row] }
    contained = Array(repeating: 0, count: starts[rows.count])
    var ends = starts
    for row in rows.indices where rows[row].role == .contained {
      guard let parent = rows[row].parent else { continue }
      contained[ends[parent]] = row
      ends[parent] += 1
    }
    guard hasRanks else { return }
    for parent in rows.indices where starts[parent + 1] - starts[parent] > 1 {
      // Rows of equal rank stay in their order.
      contained[starts[parent]..<starts[parent + 1]]
        .sort { (rows[$0].rank, $0) < (rows[$1].rank, $1) }
    }
  }

  /// Whether a node contained or may have presented any node.
  func exist(for row: Int) -> Bool { starts[row] < starts[row + 1] || !presented.isEmpty }

  /// The rows of the nodes that a node contained, in their order.
  func children(of row: Int) -> ArraySlice<Int> { contained[starts[row]..<starts[row + 1]] }

  /// The row of the node that a node presented.
  func presented(by row: Int) -> Int? { presented.isEmpty ? nil : presented[row] }
}
