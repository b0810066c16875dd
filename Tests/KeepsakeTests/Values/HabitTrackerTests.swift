import Foundation
import Keepsake
import TestSupport
import Testing

private struct BookV1: Codable, Sendable {
  struct Habit: Codable, Sendable {
    var title = "read"
    var goal = 3
  }

  var habits = [Habit(), Habit(title: "walk", goal: 2)]
  var badge = "new"
}

private struct BookV2: Codable, Sendable {
  struct Habit: Codable, Sendable {
    var name = "read"
    var goal = 2.5
  }

  var habits = [Habit()]
  var badge = "new"
}

/// The value of the third version.
private struct Book: Codable, Equatable, Sendable {
  struct Habit: Codable, Equatable, Sendable {
    var name = ""
    var goal = 1.0
    var color = "blue"
  }

  var habits: [Habit] = []
}

// Persistence begins.
private func habits(in folder: String) -> SealedValueStore<Book> {
  SealedValueStore(
    path: folder + "/habits", key: .keyStore(KeyFileStore(path: folder + "/key")),
    default: Book(),
    migrations: [
      ValueMigration("habits have names") { book in
        try book.renameKey("title", to: "name", at: "habits[]")
        try book.convertValue(forKey: "goal", at: "habits[]", from: Int.self) { Double($0) }
      },
      ValueMigration("habits have colors") { book in
        try book.setDefault("blue", forKey: "color", at: "habits[]")
        book.removeValue(forKey: "badge")
      },
    ])
}
// Persistence ends.

@Suite struct `A habit tracker in its third version` {
  @Test func `The store reads the files of all versions`() throws {
    try withTemporaryDirectory { folder in
      let key = SealedValueKey.keyStore(KeyFileStore(path: folder + "/key"))
      try SealedValueStore(path: folder + "/habits", key: key, default: BookV1()).save(BookV1())
      let store = habits(in: folder)
      let first = [Book.Habit(name: "read", goal: 3), Book.Habit(name: "walk", goal: 2)]
      #expect(try store.load() == Book(habits: first) && store.unknownKeyReport.isEmpty)

      try FileManager.default.removeItem(atPath: folder + "/habits")
      try SealedValueStore(
        path: folder + "/habits", key: key, default: BookV2(), migrations: [ValueMigration { _ in }]
      ).save(BookV2())
      #expect(try store.load() == Book(habits: [.init(name: "read", goal: 2.5)]))
      try store.update { $0.habits.append(.init(name: "run")) }
      #expect(try store.load().habits.map(\.color) == ["blue", "blue"])
      #expect(store.unknownKeyReport.isEmpty)
    }
  }

  @Test func `The tracker needs at most 20 lines for its persistence`() throws {
    let lines = try String(contentsOf: URL(fileURLWithPath: #filePath), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex(of: "// Persistence begins."))
    let end = try #require(lines.firstIndex(of: "// Persistence ends."))
    #expect(end > begin && end - begin - 1 <= 20)
  }
}
