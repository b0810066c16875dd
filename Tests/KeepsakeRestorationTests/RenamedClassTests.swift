import KeepsakeArchive
import KeepsakeHeadless
import KeepsakeMigration
import KeepsakeRestoration
import KeepsakeTesting
import Testing

private class FormerScreen: HeadlessViewController {
  override class var restorationTypeName: String { "Old.Screen" }
  @Saved var note = ""
}

private class FormerReader: FormerScreen {
  override class var restorationTypeName: String { "Tests.Reader" }
}

private final class FormerEditor: FormerReader {
  override class var restorationTypeName: String { "Tests.Editor" }
  @Saved var draft = ""
}

private class Screen: HeadlessViewController {
  override class var restorationTypeName: String { "New.Screen" }
  @Saved var note = ""
}

private class Reader: Screen {
  override class var restorationTypeName: String { "Tests.Reader" }
}

private final class Editor: Reader {
  override class var restorationTypeName: String { "Tests.Editor" }
  @Saved var draft = ""
}

/// A superclass that is not itself restorable.
@MainActor private class PlainModel {
  @Saved var count = 0
}

private final class PlainObject: PlainModel, RestorableObject {
  static let restorationTypeName = "Tests.Plain"
  var restorationIdentifier: String?
  var restorationParent: (any RestorableObject)? { nil }
}

@MainActor private class FormerPlainModel {
  @Saved var count = 0
}

private final class FormerPlainObject: FormerPlainModel, RestorableObject {
  static let restorationTypeName = "Tests.Plain"
  var restorationIdentifier: String?
  var restorationParent: (any RestorableObject)? { nil }
}

// Rows 23 and 42: a class that was renamed, or moved to another module, reads the state under its former name.
@MainActor
@Suite struct `A renamed superclass` {
  private let store = InMemoryStateStore()

  private func coordinator(
    _ registry: RestorationRegistry = RestorationRegistry()
  ) throws -> RestorationCoordinator {
    RestorationCoordinator(store: store, gate: try .version("1"), registry: registry)
  }

  private func save(_ root: HeadlessViewController) async throws {
    root.restorationIdentifier = "a"
    let coordinator = try coordinator()
    await coordinator.prepare()
    try await coordinator.save(TestApp(root: root))
  }

  private func restore(
    _ root: HeadlessViewController, _ registry: RestorationRegistry
  ) async throws -> RestoreReport {
    root.restorationIdentifier = "a"
    return await (try coordinator(registry)).launch(TestApp(root: root))
  }

  private func formerEditor() -> FormerEditor {
    let editor = FormerEditor()
    (editor.note, editor.draft) = ("a note", "a draft")
    return editor
  }

  // Row 23.
  @Test func `A renamed superclass gets its saved properties by its alias`() async throws {
    try await save(formerEditor())
    var registry = RestorationRegistry()
    try registry.register(type: Screen.self, alias: "Old.Screen")
    let editor = Editor()
    let report = try await restore(editor, registry)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(editor.note == "a note" && editor.draft == "a draft")
  }

  @Test
  func `A renamed superclass without an alias keeps its defaults and is reported`() async throws {
    try await save(formerEditor())
    let editor = Editor()
    let report = try await restore(editor, RestorationRegistry())
    #expect(editor.note == "" && editor.draft == "a draft")
    #expect(report.diagnostics.map(\.code) == [.valueNotRead])
    let message = try #require(report.diagnostics.first?.message)
    #expect(message.contains("\"note\"") && message.contains("Old.Screen"))
    #expect(message.contains("New.Screen") && message.contains("register"))
  }

  // The record is that of the superclass, so its properties are at the top level.
  @Test
  func `A renamed class whose record a subclass reads gets its properties by its alias`()
    async throws
  {
    let screen = FormerScreen()
    screen.note = "a note"
    try await save(screen)
    var registry = RestorationRegistry()
    try registry.register(type: Screen.self, alias: "Old.Screen")
    let editor = Editor()
    let report = try await restore(editor, registry)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(editor.note == "a note" && editor.draft == "")
  }

  // The record names a class in between that has no saved properties of its own.
  @Test
  func `A renamed superclass does not read values that another class wrote by hand`() async throws {
    final class HandwrittenReader: FormerScreen {
      override class var restorationTypeName: String { "Tests.Reader" }
      override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
        try super.encodeRestorableState(with: &coder)
        coder.encode("of the reader", forKey: "draft")
      }
    }
    let reader = HandwrittenReader()
    reader.note = "a note"
    try await save(reader)
    var registry = RestorationRegistry()
    try registry.register(type: Screen.self, alias: "Old.Screen")
    let editor = Editor()
    let report = try await restore(editor, registry)
    #expect(report.diagnostics.isEmpty, "\(report)")
    #expect(editor.note == "a note" && editor.draft == "")
  }

  @Test(arguments: [true, false])
  func `A superclass that is not restorable may have an alias, too`(
    isAlias: Bool
  ) async throws {
    let former = FormerPlainObject()
    let first = try coordinator()
    try first.register(former, identifier: "plain")
    await first.prepare()
    former.count = 7
    #expect(try await first.save(TestApp()).diagnostics.map(\.code) == [.valueNotWritten])
    // A private class has no name that is the same in every process, so its properties are not written.
    let record = try Archive(try #require(store.archive)).object(ArchiveObjectID(2))
    #expect(record.typeName == "Tests.Plain" && record.scopeNames.isEmpty)
    withExtendedLifetime(former) {}

    var registry = RestorationRegistry()
    if isAlias { try registry.register(superclass: PlainModel.self, alias: "Old.Model") }
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1"))
    let id = (1...3).map { ArchiveObjectID(UInt32($0)) }
    try writer.writeObject(id[0], typeName: "Keepsake.Application") { _ in }
    try writer.writeObject(id[1], typeName: "Tests.Plain") { coder in
      coder.withScope("Old.Model") { $0.encode(7, forKey: "count") }
    }
    try writer.writeObject(id[2], typeName: "Keepsake.Index") { coder in
      coder.encode(ArchiveReference(id[0]), forKey: "application")
      coder.encode([ArchiveReference(id[1])], forKey: "objects")
      coder.encode(["plain"], forKey: "identifiers")
      coder.encode([4] as [UInt8], forKey: "roles")
      coder.encode([0] as [UInt32], forKey: "parents")
      coder.encode([] as [UInt32], forKey: "windows")
    }
    try await store.save(try writer.finish(root: id[2]), previous: .replace)
    let next = try coordinator(registry)
    let object = PlainObject()
    try next.register(object, identifier: "plain")
    let report = await next.launch(TestApp())
    #expect(object.count == (isAlias ? 7 : 0))
    #expect(report.diagnostics.map(\.code) == (isAlias ? [] : [.valueNotRead]))
  }

  @Test func `An alias belongs to one class, and is not empty`() throws {
    var registry = RestorationRegistry()
    try registry.register(superclass: PlainModel.self, alias: "Old.Model")
    try registry.register(superclass: PlainModel.self, alias: "Old.Model")
    let taken = #expect(throws: RestorationError.self) {
      try registry.register(superclass: FormerPlainModel.self, alias: "Old.Model")
    }
    #expect(taken?.code == .invalidRegistration)
    let empty = #expect(throws: RestorationError.self) {
      try registry.register(superclass: PlainModel.self, alias: "")
    }
    #expect(empty?.code == .invalidRegistration)
  }
}
