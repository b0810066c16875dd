import Foundation
import Keepsake
import KeepsakeTesting
import Synchronization
import TestSupport
import Testing

/// The settings of a newer program.
private struct NewSettings: Codable, Equatable {
  struct Habit: Codable, Equatable {
    var title: String
    var goal = 7
  }

  var account = "a"
  var best: Habit? = Habit(title: "best")
  var byName = ["run": Habit(title: "run"), "swim": Habit(title: "swim")]
  var fontSize = 12
  var habits = [Habit(title: "read"), Habit(title: "walk"), Habit(title: "sing")]
  var note: String? = "n"
  var zoom: Double? = 1
}

/// The settings of an older program of the same version.
private struct Settings: Codable, Equatable {
  struct Habit: Codable, Equatable { var title: String }

  var best: Habit?
  var byName: [String: Habit] = [:]
  var fontSize = 12
  var habits: [Habit] = []
  var note: String?
}

/// Settings that count how often they are decoded.
private struct CountedSettings: Codable {
  static let decodings = Atomic(0)

  var fontSize = 12

  init() {}

  init(from decoder: any Decoder) throws {
    Self.decodings.add(1, ordering: .relaxed)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    fontSize = try container.decode(Int.self, forKey: .fontSize)
  }
}

@Suite struct `Keys that the type of a stored value does not know` {
  private func with(_ body: (_ path: String, _ key: SealKey) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/settings", try SealKey.generate()) }
  }

  private func store<Value: Codable & Sendable>(
    _ path: String, _ key: SealKey, _ value: Value, _ unknownKeys: UnknownKeys = .keep,
    migrations: [ValueMigration] = []
  ) -> SealedValueStore<Value> {
    SealedValueStore(
      path: path, key: .key(key), default: value, migrations: migrations, unknownKeys: unknownKeys)
  }

  /// The archive in a file.
  private func archive(_ path: String, _ key: SealKey) throws -> [UInt8] {
    let context = try SealedFile.inspect(path).statedContext
    return try SealedFile.open(path, with: [.key(key)], context: context).read()
  }

  // Recording the keys that a type reads takes several times as long as decoding.
  @Test func `A value is decoded a second time only when it has unknown keys`() throws {
    func decodings() -> Int { CountedSettings.decodings.load(ordering: .relaxed) }
    try with { path, key in
      let counted = store(path, key, CountedSettings())
      try counted.save(CountedSettings())
      _ = try counted.load()
      #expect(decodings() == 1)
      try store(path, key, NewSettings()).update { $0.fontSize = 14 }
      #expect(try counted.load().fontSize == 14)
      #expect(decodings() == 3 && counted.unknownKeyReport.kept.contains("account"))
    }
  }

  @Test
  func `An update by an older program that changes nothing leaves the bytes as they are`() throws {
    try with { path, key in
      try store(path, key, NewSettings()).save(NewSettings())
      let before = try archive(path, key)
      let old = store(path, key, Settings())
      try old.update { _ in }
      let report = old.unknownKeyReport
      #expect(
        report.kept == ["account", "best.goal", "byName[].goal", "habits[].goal", "zoom"]
          && report.lost.isEmpty)
      #expect(try archive(path, key) == before)
    }
  }

  @Test func `An older program that changes known keys keeps the others through saves`() throws {
    try with { path, key in
      var new = NewSettings()
      new.account = "b"
      new.habits[1].goal = 9
      new.byName["swim"]?.goal = 3
      try store(path, key, NewSettings()).save(new)
      let old = store(path, key, Settings())
      var settings = try old.load()
      settings.fontSize = 20
      settings.habits[1].title = "hike"
      settings.byName["run"] = nil
      try old.save(settings)
      #expect(old.unknownKeyReport.lost == ["byName[].goal"])
      settings.fontSize = 21
      try old.save(settings)
      new.fontSize = 21
      new.habits[1].title = "hike"
      new.byName["run"] = nil
      #expect(try store(path, key, NewSettings()).load() == new)
      #expect(old.unknownKeyReport.lost.isEmpty)
    }
  }

  @Test func `The keys of a merged record are in the order of their bytes`() throws {
    try with { path, key in
      try store(path, key, NewSettings()).save(NewSettings())
      try store(path, key, Settings()).update { $0.fontSize = 3 }
      let archive = try Archive(archive(path, key))
      let value = try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
      guard case .record(let record) = value else { throw CocoaError(.coderInvalidValue) }
      #expect(
        record.fields.map(\.key.name)
          == ["account", "best", "byName", "fontSize", "habits", "note", "zoom"])
    }
  }

  @Test func `An optional that is set to nil stays nil`() throws {
    try with { path, key in
      try store(path, key, NewSettings()).save(NewSettings())
      let old = store(path, key, Settings())
      try old.update { ($0.note, $0.best) = (nil, nil) }
      #expect(old.unknownKeyReport.lost == ["best.goal"])
      let new = try store(path, key, NewSettings()).load()
      #expect(new.note == nil && new.best == nil && new.account == "a")
    }
  }

  @Test func `A key that a migration removes is gone for good`() throws {
    try with { path, key in
      try store(path, key, NewSettings()).save(NewSettings())
      let removal = ValueMigration { $0.removeValue(forKey: "account") }
      let old = store(path, key, Settings(), migrations: [removal])
      try old.update { _ in }
      #expect(!old.unknownKeyReport.kept.contains("account"))
      let new = store(path, key, NewSettings(account: "none"), migrations: [removal])
      #expect(try new.load().account == "none")
    }
  }

  @Test func `Elements that moved or were removed lose their unknown keys, and that is reported`()
    throws
  {
    try with { path, key in
      let new = store(path, key, NewSettings())
      let old = store(path, key, Settings())
      func goals(
        losing: Bool, _ change: (inout [Settings.Habit]) -> Void
      ) throws -> [Int] {
        var settings = NewSettings()
        for index in settings.habits.indices { settings.habits[index].goal = 70 + index }
        try? FileManager.default.removeItem(atPath: path)
        try new.save(settings)
        try old.update { change(&$0.habits) }
        #expect(old.unknownKeyReport.lost.contains("habits[].goal") == losing)
        // An element without the key has no default, so it is read without its type.
        let archive = try Archive(archive(path, key))
        let value = try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
        guard case .record(let record) = value, case .array(let habits)? = record["habits"] else {
          throw CocoaError(.coderInvalidValue)
        }
        return habits.map { habit in
          guard case .record(let record) = habit, case .signed(let goal, _)? = record["goal"]
          else { return 0 }
          return Int(goal)
        }
      }
      let changed = try goals(losing: false) { $0[1].title = "hike" }
      let appended = try goals(losing: false) { $0.append(.init(title: "x")) }
      let shortened = try goals(losing: true) { $0.removeLast() }
      let swapped = try goals(losing: true) { $0.swapAt(0, 2) }
      let inserted = try goals(losing: true) { $0.insert(.init(title: "x"), at: 0) }
      #expect(changed == [70, 71, 72] && appended == [70, 71, 72, 0] && shortened == [70, 71])
      #expect(swapped == [0, 71, 0] && inserted == [0, 0, 0, 0])
    }
  }

  @Test func `An element keeps its unknown keys as long as its id stays the same`() throws {
    struct Item: Codable, Equatable {
      var id: Int
      var title = "t"
    }
    struct NewItem: Codable, Equatable {
      var id: Int
      var title = "t"
      var stars = 5
    }
    try with { path, key in
      try store(path, key, [NewItem]()).save([NewItem(id: 1), NewItem(id: 2)])
      let old = store(path, key, [Item]())
      try old.update { items in
        items[0].title = "changed"
        items[1].id = 3
        items.append(Item(id: 4))
      }
      #expect(old.unknownKeyReport.lost == ["[].stars"])
      let archive = try Archive(archive(path, key))
      let value = try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
      guard case .array(let items) = value else { throw CocoaError(.coderInvalidValue) }
      let counts = items.map { item in
        if case .record(let record) = item { record.fields.count } else { 0 }
      }
      #expect(counts == [3, 2, 2])
    }
  }

  @Test func `Lists in a list keep keys at their places, and lose them when they change places`()
    throws
  {
    struct Old: Codable, Equatable { var title: String }
    struct New: Codable, Equatable {
      var goal: Int
      var title: String
    }
    try with { path, key in
      let lists = [("b", 1), ("c", 3)].map { title, goal in
        [New(goal: goal, title: "a"), New(goal: goal + 1, title: title)]
      }
      try store(path, key, [[New]]()).save(lists)
      let old = store(path, key, [[Old]]())
      try old.update { _ in }
      #expect(old.unknownKeyReport.lost.isEmpty && old.unknownKeyReport.kept == ["[][].goal"])
      #expect(try store(path, key, [[New]]()).load() == lists)
      // The two lists begin with like elements, so only the whole lists tell them apart.
      try old.update { $0.swapAt(0, 1) }
      #expect(old.unknownKeyReport.lost == ["[][].goal"] && old.unknownKeyReport.kept.isEmpty)
    }
  }

  @Test func `An enumeration keeps the keys of a case until the case changes`() throws {
    enum New: Codable, Equatable {
      case text(String, size: Int)
      case none
    }
    enum Old: Codable, Equatable {
      case text(String)
      case none
    }
    try with { path, key in
      try store(path, key, [New]()).save([.text("a", size: 9)])
      let old = store(path, key, [Old]())
      try old.update { $0 = [.text("b")] }
      #expect(old.unknownKeyReport.lost.isEmpty)
      #expect(try store(path, key, [New]()).load() == [.text("b", size: 9)])
      try old.update { $0 = [.none] }
      #expect(old.unknownKeyReport.lost == ["[].text.size"] && old.unknownKeyReport.kept.isEmpty)
      #expect(try store(path, key, [New]()).load() == [.none])
    }
  }

  /// A type that reads the list of its keys.
  private struct Listing: Codable, Equatable {
    enum Name: String, CodingKey { case known }
    var known = 0

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      known = container.allKeys.isEmpty ? 0 : try container.decode(Int.self, forKey: .known)
    }
  }

  @Test func `A type that reads the list of its keys keeps no unknown keys, and that is reported`()
    throws
  {
    try with { path, key in
      try store(path, key, [String: Int]()).save(["known": 1, "other": 2])
      let listing = store(path, key, Listing())
      #expect(try listing.load().known == 1)
      #expect(listing.unknownKeyReport.lost == ["other"])
    }
  }

  @Test func `A set of records loses unknown keys, and that is reported`() throws {
    struct Old: Codable, Hashable { var title: String }
    struct New: Codable, Hashable {
      var goal: Int
      var title: String
    }
    try with { path, key in
      let new: Set = [New(goal: 2, title: "a"), New(goal: 1, title: "b")]
      try store(path, key, Set<New>()).save(new)
      let old = store(path, key, Set<Old>())
      #expect(try old.load() == [Old(title: "a"), Old(title: "b")])
      #expect(old.unknownKeyReport.lost == ["[].goal"])
    }
  }

  @Test func `A store refuses unknown keys, or reports them, if it is told to`() throws {
    try with { path, key in
      try store(path, key, NewSettings()).save(NewSettings())
      let bytes = try archive(path, key)
      let refusing = store(path, key, Settings(), .refuse)
      let calls: [() throws -> Void] = [
        { _ = try refusing.load() }, { try refusing.update { $0.fontSize = 1 } },
      ]
      for call in calls {
        let error = #expect(throws: KeepsakeError.self) { try call() }
        #expect(error?.code == .valueUnreadable && error?.message.contains("habits[].goal") == true)
      }
      #expect(try archive(path, key) == bytes)
      try store(path, key, NewSettings(), .refuse).update { $0.fontSize = 5 }

      let reports = Mutex<[UnknownKeyReport]>([])
      let treatment = UnknownKeys.report { report in reports.withLock { $0.append(report) } }
      let reporting = store(path, key, Settings(), treatment)
      _ = try reporting.load()
      try reporting.update { $0.habits = [] }
      #expect(reports.withLock { $0.map(\.lost) } == [[], ["habits[].goal"]])
      #expect(reports.withLock { $0.allSatisfy { $0.kept.contains("account") } })
    }
  }

  @Test func `A sample with keys that its type no longer reads fails a test`() throws {
    let sample = try ArchiveEncoder().encode(NewSettings())
    try expectReads(sample, as: NewSettings.self)
    let error = #expect(throws: KeepsakeError.self) {
      try expectReads(sample, as: Settings.self, default: Settings())
    }
    #expect(error?.code == .valueUnreadable && error?.message.contains("account") == true)
    let removal = ValueMigration { settings in
      settings.removeValue(forKey: "account")
      settings.removeValue(forKey: "zoom")
      for path in ["best", "byName[]", "habits[]"] {
        try settings.removeValue(forKey: "goal", at: RecordPath(path))
      }
    }
    try expectReads(sample, as: Settings.self, migrations: [removal])
    try with { path, key in
      try store(path, key, NewSettings()).save(NewSettings())
      try expectReads(fileAt: path, with: .key(key), as: NewSettings.self)
      let error = #expect(throws: KeepsakeError.self) {
        try expectReads(fileAt: path, with: .key(key), as: Settings.self)
      }
      #expect(error?.code == .valueUnreadable)
    }
  }
}
