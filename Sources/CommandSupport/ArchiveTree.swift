package import Keepsake

/// An archive as text: a tree of its objects, each with its keys, their types and their values.
///
/// In a saved state an object is listed below its parent, with its restoration identifier; in any other archive below
/// the first object that refers to it. Other references show its number. The walk keeps its own stack and never
/// recurses, so archives may nest to any depth.
package struct ArchiveTree {
  /// The greatest indentation, in levels; deeper levels have the same one.
  private static let deepestIndentation = 40

  private let archive: Archive
  private var seen: Set<ArchiveObjectID> = []

  package init(_ archive: Archive) {
    self.archive = archive
  }

  /// The lines of the text; call it only once.
  package mutating func lines() throws -> [String] {
    var lines: [String] = []
    try forEachLine { lines.append($0) }
    return lines
  }

  /// Passes on the lines of the text one by one, so that at most one object is in memory.
  package mutating func forEachLine(_ body: (String) throws -> Void) throws {
    try body(heading)
    if let outline = SavedStateOutline(archive) { try append(outline, to: body) }
    if !seen.contains(archive.rootID) { try append(archive.rootID, to: body) }
    var unreached = 0
    for number in 0..<archive.objectCount {
      let id = ArchiveObjectID(UInt32(clamping: number + 1))
      guard !seen.contains(id) else { continue }
      if unreached == 0 { try body("Objects that nothing refers to:") }
      unreached += 1
      try append(id, to: body)
    }
  }

  private var heading: String {
    let reserved = archive.reserved
    let objects = archive.objectCount == 1 ? "1 object" : "\(archive.objectCount) objects"
    var facts = ["Archive: \(archive.byteCount) bytes, \(objects)"]
    if let version = reserved.bundleVersion { facts.append("bundle version \(version)") }
    if let idiom = reserved.userInterfaceIdiom { facts.append("user interface idiom \(idiom)") }
    if let timestamp = reserved.timestamp {
      facts.append("written \(timestamp.text)")
    }
    if let system = reserved.systemVersion { facts.append("on \(system)") }
    return facts.joined(separator: ", ").displayed
  }

  /// Passes on the lines of a saved state: its application, then the trees of its objects.
  private mutating func append(
    _ outline: SavedStateOutline, to body: (String) throws -> Void
  ) throws {
    if let application = outline.applicationID, seen.insert(application).inserted {
      _ = try appendObject(application, depth: 0, to: body)
    }
    var children: [Int?: [Int]] = [:]
    for (place, entry) in outline.entries.enumerated() {
      children[entry.parentIndex, default: []].append(place)
    }
    var pending = (children[nil] ?? []).reversed().map { $0 }
    while let place = pending.popLast() {
      let entry = outline.entries[place]
      pending += (children[place] ?? []).reversed()
      guard seen.insert(entry.objectID).inserted else { continue }
      let role = entry.isPresented ? ", presented" : entry.kind == .node ? "" : ", \(entry.kind)"
      _ = try appendObject(
        entry.objectID, depth: entry.path.count - 1,
        name: "#\(entry.path.identifier)\(role)", to: body)
    }
  }

  private mutating func append(
    _ root: ArchiveObjectID, to body: (String) throws -> Void
  ) throws {
    seen.insert(root)
    var pending = [(id: root, depth: 0)]
    while let (id, depth) = pending.popLast() {
      let references = try appendObject(id, depth: depth, to: body)
      let next = references.filter { seen.insert($0).inserted }
      pending += next.reversed().map { (id: $0, depth: depth + 1) }
    }
  }

  /// Passes on the lines of one object, and returns the objects that it refers to.
  private func appendObject(
    _ id: ArchiveObjectID, depth: Int, name: String = "", to body: (String) throws -> Void
  ) throws -> [ArchiveObjectID] {
    let object = try archive.object(id)
    let indent = String(repeating: "  ", count: min(depth, Self.deepestIndentation))
    let schema = object.schemaVersion == 0 ? "" : ", schema version \(object.schemaVersion)"
    let title = "\(object.typeName)\(name)".displayed
    try body("\(indent)\(id) \(title) (\(object.byteCount) bytes\(schema))")
    var references = References()
    // One field is in memory at a time.
    try object.forEachField { key, value in
      let content = try value.dynamicValue()
      try withoutActuallyEscaping(body) { body in
        try ValueTree(body).write(content, named: key.name.shownForm, indent: indent + "  ")
      }
      try value.walk(&references)
    }
    return references.found
  }
}

/// The objects that a value refers to, in their order; conditional references are left out.
private struct References: DynamicValueVisitor {
  var found: [ArchiveObjectID] = []

  mutating func visit(_ value: DynamicValue) {
    if case .reference(let id?) = value { found.append(id) }
  }

  mutating func begin(_ container: DynamicContainer) {}
  mutating func end(_ container: DynamicContainer) {}
  mutating func visit(key: DynamicRecord.Field) {}
  mutating func visit(name: String) {}
}
