import Foundation
import Keepsake
import TestSupport
import Testing

private struct Layout: Codable, Equatable {
  var columns = 2
  var title: String? = "Untitled"
}

private enum Filter: Codable, Equatable {
  case none
  case text(String)
}

/// The value as version 1 of the program has it.
private struct OldSettings: Codable {
  var colour = "red"
  var counts = ["a": 1]
}

private struct Settings: Codable, Equatable {
  var color = "blue"
  var counts = ["default": 7]
  var layout = Layout()
  var filter = Filter.none
}

/// A later version's settings, with keys that an earlier one has not saved.
private struct MoreSettings: Codable, Equatable {
  struct Layout: Codable, Equatable {
    var columns = 2
    var title: String? = "Untitled"
    var rows = 9
  }

  var color = "blue"
  var counts = ["default": 7]
  var layout = Layout()
  var filter = Filter.text("x")
  var isNew = true
}

@MainActor
@Suite struct `A store of a value` {
  private static let rename = ValueMigration { try $0.renameKey("colour", to: "color") }

  private func with(_ body: (_ path: String, _ key: SealedValueKey) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/settings", .key(try SealKey.generate())) }
  }

  private func store(
    _ path: String, _ key: SealedValueKey, _ migrations: [ValueMigration] = [rename]
  ) -> SealedValueStore<Settings> {
    SealedValueStore(path: path, key: key, default: Settings(), migrations: migrations)
  }

  @Test func `A store gives its default until there is a file, and then the saved value`() throws {
    try with { path, key in
      let store = store(path, key)
      #expect(try store.load() == Settings() && !FileManager.default.fileExists(atPath: path))
      var settings = Settings(color: "green", filter: .text("y"))
      settings.layout.title = nil
      settings.counts = [:]
      try store.save(settings)
      // Empty and nil values in the file are not taken for missing ones.
      #expect(try self.store(path, key).load() == settings)
    }
  }

  @Test func `A store takes missing keys from its default, at any depth`() throws {
    try with { path, key in
      let old = SealedValueStore(path: path, key: key, default: Settings())
      _ = try old.update { value in
        value.color = "green"
        value.layout.columns = 5
        value.filter = .none
        value.counts = ["b": 2]
      }
      let new = try SealedValueStore(path: path, key: key, default: MoreSettings()).load()
      #expect(new.color == "green" && new.isNew && new.counts == ["b": 2] && new.filter == .none)
      #expect(new.layout == MoreSettings.Layout(columns: 5, title: "Untitled", rows: 9))
    }
  }

  @Test func `A store applies each migration to an older value once`() throws {
    try with { path, key in
      try SealedValue.save(OldSettings(), to: path, for: key)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let second = ValueMigration { value in
        value.convertValue(forKey: "color") { color in
          guard case .string(let name) = color else { return color }
          return .string(name + "!")
        }
      }
      #expect(try store(path, key).load().color == "red")
      let store = store(path, key, [Self.rename, second])
      #expect(store.version == 3)
      #expect(try store.load() == Settings(color: "red!", counts: ["a": 1]))
      // A load does not change the file.
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
      try store.update { $0.counts = [:] }
      #expect(try store.load().color == "red!")
      // The earlier program does not know this version.
      let earlier = self.store(path, key)
      #expect(code { _ = try earlier.load() } == .migrationRefused)
      #expect(code { try earlier.save(Settings()) } == .valueChanged)
      #expect(try store.load() == Settings(color: "red!", counts: [:]))
    }
  }

  @Test func `A store refuses a value whose migration fails, and leaves it`() throws {
    try with { path, key in
      try SealedValue.save(OldSettings(), to: path, for: key)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let failing = store(path, key, [ValueMigration { _ in throw CocoaError(.fileNoSuchFile) }])
      #expect(code { _ = try failing.load() } == .migrationRefused)
      #expect(code { try failing.update { $0.color = "x" } } == .migrationRefused)
      #expect(code { try failing.save(Settings()) } == .valueChanged)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }

  @Test
  func `A store does not take an unreadable value for an absent one, or overwrite it`() throws {
    try with { path, key in
      let store = store(path, key)
      try store.save(Settings(color: "green"))
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count - 1] ^= 1
      try bytes.write(to: URL(fileURLWithPath: path))
      #expect(code { _ = try store.load() } == .damaged)
      #expect(code { try store.save(Settings()) } == .valueChanged)
      #expect(code { try store.update { $0.color = "x" } } == .damaged)
      let other = self.store(path, .key(try SealKey.generate()))
      #expect(code { try other.save(Settings()) } == .valueChanged)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }
  }

  @Test
  func `A store refuses a save that would lose another store's save, and an update loses none`()
    throws
  {
    try with { path, key in
      let (first, second) = (store(path, key), store(path, key))
      _ = (try first.load(), try second.load())
      try first.save(Settings(color: "first"))
      #expect(code { try second.save(Settings(color: "second")) } == .valueChanged)
      #expect(try second.load().color == "first")
      try second.save(Settings(color: "second"))
      try second.save(Settings(color: "second again"))
      #expect(code { try first.save(Settings(color: "first")) } == .valueChanged)
      try first.update { $0.color += ", and first" }
      #expect(try second.load().color == "second again, and first")
    }
  }

  @Test func `Concurrent updates of a value are all counted`() async throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("keepsake-stores-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    let key = SealedValueKey.key(try SealKey.generate())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = SealedValueStore(
            path: url.path + "/settings", key: key, default: Settings(counts: ["n": 0]))
          try await store.update { $0.counts["n", default: 0] += 1 }
        }
      }
      try await group.waitForAll()
    }
    let store = SealedValueStore(path: url.path + "/settings", key: key, default: Settings())
    #expect(try await store.load().counts == ["n": 8])
  }
}
