import Foundation
import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

/// The tables of Spec/Vectors/restoration; another implementation computed their outcomes (Spec/restoration.md,
/// 1 to 3 and 5).
@MainActor
@Suite struct `The tables of restoration` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/restoration")

  /// The columns of each line.
  private func table(_ name: String) throws -> [[String]] {
    let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
    return text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private func json<Value: Decodable>(
    _ column: String, as type: Value.Type = Value.self
  ) throws -> Value {
    try JSONDecoder().decode(type, from: Data(column.utf8))
  }

  // MARK: - The rows of a save

  /// A node as the table describes it.
  private final class Description: Decodable {
    var id: String?
    var stack: Bool?
    var children: [Description]?
    var presents: Description?
    var views: [String?]?
    var refers: [Int]?
  }

  /// A node that refers to others.
  private static func node(
    _ description: Description, _ nodes: inout [HeadlessViewController]
  ) -> HeadlessViewController {
    let node =
      description.stack == true
      ? TableStack(restorationIdentifier: description.id)
      : TableNode(restorationIdentifier: description.id)
    nodes.append(node)
    let children = (description.children ?? []).map { Self.node($0, &nodes) }
    if let presents = description.presents { node.present(Self.node(presents, &nodes)) }
    node.setChildren(children)
    for view in description.views ?? [] {
      node.addView(HeadlessTextField(restorationIdentifier: view))
    }
    return node
  }

  private static func descriptions(_ window: Description) -> [Description] {
    [window] + (window.children ?? []).flatMap(descriptions)
      + (window.presents.map(descriptions) ?? [])
  }

  private struct Rows: Decodable, Equatable {
    struct Row: Decodable, Equatable {
      var identifier: String
      var role, parent, ordinal: UInt32

      init(_ identifier: String, _ role: UInt32, _ parent: UInt32, _ ordinal: UInt32) {
        (self.identifier, self.role, self.parent, self.ordinal) = (
          identifier, role, parent, ordinal
        )
      }

      init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        identifier = try row.decode(String.self)
        role = try row.decode(UInt32.self)
        parent = try row.decode(UInt32.self)
        ordinal = try row.decode(UInt32.self)
      }
    }

    var rows: [Row]
    var windows: [UInt32]
  }

  @Test func `A save keeps the objects that the table lists`() async throws {
    let rows = try table("saves.tsv")
    #expect(rows.count >= 150)
    for row in rows {
      let windows: [Description] = try json(row[0])
      var nodes: [HeadlessViewController] = []
      let app = TestApp(windowCount: windows.count)
      for (window, description) in zip(app.windows, windows) {
        window.rootController = Self.node(description, &nodes)
      }
      for (node, description) in zip(nodes, windows.flatMap(Self.descriptions)) {
        let referred = (description.refers ?? []).map { nodes[$0] }
        (node as? TableStack)?.referred = referred
        (node as? TableNode)?.referred = referred
      }
      let store = InMemoryStateStore()
      let coordinator = RestorationCoordinator(store: store, gate: try .version("1"))
      await coordinator.prepare()
      try await coordinator.save(app)
      let archive = try Archive(try #require(store.archive))
      let index = try archive.object(archive.rootID)
      let identifiers: [String] = try index.decode(forKey: "identifiers")
      let roles: [UInt8] = try index.decode(forKey: "roles")
      let parents: [UInt32] = try index.decode(forKey: "parents")
      let ordinals: [UInt32] =
        try index.decodeIfPresent(forKey: "ordinals") ?? identifiers.map { _ in 0 }
      let found = Rows(
        rows: identifiers.indices.map {
          Rows.Row(identifiers[$0], UInt32(roles[$0]), parents[$0], ordinals[$0])
        },
        windows: try index.decode(forKey: "windows"))
      let expected: Rows = try json(row[1])
      #expect(found == expected, "\(row[0])")
    }
  }

  // MARK: - The rows that a reader takes from an index

  @Test func `A reader leaves out the rows that the table lists`() throws {
    let rows = try table("indexes.tsv")
    #expect(rows.count >= 200)
    for row in rows {
      let objects: [UInt32] = try json(row[3])
      var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1"))
      try writer.writeObject(first, typeName: "Keepsake.Application") { _ in }
      for _ in objects {
        try writer.writeObject(writer.nextObjectID, typeName: Page.restorationTypeName) { _ in }
      }
      let root = writer.nextObjectID
      let (identifiers, roles, parents): ([String], [UInt8], [UInt32]) =
        (try json(row[0]), try json(row[1]), try json(row[2]))
      try writer.writeObject(root, typeName: "Keepsake.Index") { coder in
        coder.encode(ArchiveReference(first), forKey: "application")
        // A reference to an object that does not exist cannot be written; nil replaces it.
        coder.encode(
          objects.map { number in
            ArchiveReference(number == 0 || number > root.rawValue ? nil : ArchiveObjectID(number))
          }, forKey: "objects")
        coder.encode(identifiers, forKey: "identifiers")
        coder.encode(roles, forKey: "roles")
        coder.encode(parents, forKey: "parents")
        coder.encode([] as [UInt32], forKey: "windows")
      }
      let outline = SavedStateOutline(try Archive(try writer.finish(root: root)))
      let expected: [[String]]? = row[4] == "refused" ? nil : try json(row[4])
      #expect(outline?.entries.map(\.path.components) == expected, "\(row)")
    }
  }

  // MARK: - The search for the object of a record

  private func found(
    _ kind: String, _ application: String, isThere: Bool, _ template: String
  ) async throws -> String {
    let identifier = ["none": "gone", "error": "throws"][kind] ?? "a"
    let saved = kind == "-" ? Page(identifier) : ClassPage(restorationIdentifier: identifier)
    saved.restorationTemplate = template == "-" ? nil : template
    var registry = RestorationRegistry()
    if kind != "unregistered" { try registry.register(restorationClass: ClassPage.self) }
    try registry.register(template: "registered") { _ in Page() }
    let relaunch = try await KeepsakeTesting.relaunch(
      TestApp(root: saved),
      configuration: RestorationConfiguration(gate: try .version("1"), registry: registry)
    ) {
      let app = TestApp(root: isThere ? Page(identifier) : nil)
      app.make = { _ in
        if application == "error" { throw TestFailure() }
        return application == "node" ? Page() : nil
      }
      return app
    }
    let object = relaunch.restoreReport.objects.first
    guard object?.disposition != .dropped else { return "left out" }
    return switch object?.source {
    case .restorationClass: "class"
    case .delegate: "application"
    case .existing: "existing"
    case .template: "template"
    default: "nothing"
    }
  }

  @Test func `The object of a record is found in the way that the table lists`() async throws {
    let rows = try table("searches.tsv")
    #expect(rows.count == 90)
    for row in rows {
      let outcome = try await found(row[0], row[1], isThere: row[2] == "there", row[3])
      #expect(outcome == row[4], "\(row)")
    }
  }
}

private let first = ArchiveObjectID(1)

/// A node that writes references.
final class TableNode: HeadlessViewController {
  var referred: [HeadlessViewController] = []

  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    for (number, node) in referred.enumerated() {
      coder.encodeReference(node, forKey: ArchiveKey("\(number)"))
    }
  }
}

/// A container that tells its children apart by their order, and writes references.
final class TableStack: HeadlessViewController {
  var referred: [HeadlessViewController] = []

  override var disambiguatesRestorationChildren: Bool { true }

  override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
    try super.encodeRestorableState(with: &coder)
    for (number, node) in referred.enumerated() {
      coder.encodeReference(node, forKey: ArchiveKey("\(number)"))
    }
  }
}
