import Foundation
import Keepsake
import TestSupport
import Testing

private struct BookV1: Codable {
  struct Habit: Codable {
    var title = "read"
    var goal = 3
    var note: String?
  }

  var habits = [Habit(), Habit(title: "walk", note: "n")]
}

private struct BookV2: Codable, Equatable {
  struct Habit: Codable, Equatable {
    var name: String
    var goal: Double
    var note: String?
    var color = "blue"
  }

  var habits: [Habit] = []
}

@Suite struct `A migration of a value by types` {
  private func with(_ body: (_ path: String, _ key: SealedValueKey) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/book", .key(try SealKey.generate())) }
  }

  private func store(
    _ path: String, _ key: SealedValueKey, _ migrations: ValueMigration...
  ) -> SealedValueStore<BookV2> {
    SealedValueStore(path: path, key: key, default: BookV2(), migrations: migrations)
  }

  private let expected = BookV2(habits: [
    .init(name: "read", goal: 3), .init(name: "walk", goal: 3, note: "n"),
  ])

  @Test func `A step by the old type makes the new value from it`() throws {
    try with { path, key in
      try SealedValue.save(BookV1(), to: path, for: key)
      let step = ValueMigration(from: BookV1.self) { old in
        BookV2(
          habits: old.habits.map { .init(name: $0.title, goal: Double($0.goal), note: $0.note) })
      }
      let store = store(path, key, step)
      #expect(try store.load() == expected && store.unknownKeyReport.isEmpty)
      try store.update { $0.habits.removeLast() }
      #expect(try store.load().habits.count == 1)
    }
  }

  @Test func `A step by keys reaches into elements and converts by types`() throws {
    try with { path, key in
      try SealedValue.save(BookV1(), to: path, for: key)
      let step = ValueMigration("habits have names") { book in
        try book.renameKey("title", to: "name", at: "habits[]")
        try book.convertValue(forKey: "goal", at: "habits[]", from: Int.self) { Double($0) }
        try book.convertValue(forKey: "note", at: "habits[]", from: String.self) { $0 }
        try book.setDefault("blue", forKey: "color", at: "habits[]")
        try book.setDefault(1, forKey: "extra")
      }
      #expect(step.name == "habits have names")
      let store = store(path, key, step)
      #expect(try store.load() == expected && store.unknownKeyReport.kept == ["extra"])
    }
  }

  @Test func `A key that the old type does not know is not carried over, and is reported`() throws {
    struct More: Codable {
      var habits: [BookV1.Habit] = []
      var secret = "s"
    }
    try with { path, key in
      try SealedValue.save(More(), to: path, for: key)
      let step = ValueMigration(from: BookV1.self, "habits have names") { _ in BookV2() }
      let store = store(path, key, step)
      #expect(try store.load() == BookV2())
      let report = store.unknownKeyReport
      #expect(report.lost == ["secret"] && report.kept.isEmpty)
      #expect(report.migrations == ["from version 1 to version 2 (habits have names)"])
      #expect(report.description.hasSuffix("by the migration \(report.migrations[0])."))
      try store.save(BookV2())
      #expect(store.unknownKeyReport.migrations.isEmpty)
    }
  }

  @Test func `An error of a step names the step, and leaves the file`() throws {
    try with { path, key in
      try SealedValue.save(["habits": 1], to: path, for: key)
      let bytes = try contents(of: path)
      let named = ValueMigration(from: BookV1.self, "from one to two") { _ in BookV2() }
      for (step, text) in [
        (named, "(from one to two) failed"),
        (ValueMigration { _ in throw CocoaError(.featureUnsupported) }, "version 2 failed"),
      ] {
        let error = #expect(throws: KeepsakeError.self) { try self.store(path, key, step).load() }
        #expect(error?.code == .migrationRefused && error?.message.contains(text) == true)
      }
      #expect(try contents(of: path) == bytes)
      try SealedValue.save([1], to: path, for: key)
      let error = #expect(throws: KeepsakeError.self) {
        try self.store(path, key, ValueMigration { $0["a"] = .null }).load()
      }
      #expect(error?.code == .migrationRefused && error?.message.contains("no keys") == true)
    }
  }

  @Test func `A conversion leaves a nil alone, unless the type is an optional`() throws {
    var record = DynamicRecord(fields: [.init(key: "k", value: .null)])
    try record.convertValue(forKey: "k", from: Int.self) { "\($0)" }
    #expect(record["k"] == .null)
    try record.convertValue(forKey: "k", from: Int?.self) { $0 ?? 7 }
    #expect(record["k"] == .signed(7, bitWidth: 32) || record["k"] == .signed(7, bitWidth: 64))
    let error = #expect(throws: DecodingError.self) {
      try record.convertValue(forKey: "k", from: String.self) { $0 }
    }
    if case .typeMismatch? = error { return }
    Issue.record("\(String(describing: error))")
  }
}
