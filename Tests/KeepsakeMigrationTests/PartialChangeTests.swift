import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import Testing

/// Edits that change some of the objects they are made on, and objects that must not be merged away.
@Suite struct `A migration of some objects` {
  /// Objects of one shape, each with its number.
  private func archive(_ count: UInt32 = 9) throws -> Archive {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    for number in 1...count {
      try writer.writeObject(.init(number), typeName: "A") { coder in
        coder.encode(number, forKey: "number")
        coder.encode("same", forKey: "text")
      }
    }
    return try Archive(writer.finish(root: .init(1)))
  }

  /// Replaces the number by a text in the objects with these numbers.
  private func convert(_ numbers: Set<UInt64>, to text: String) -> MigrationEdit {
    .convertKey("number", ofType: "A") { old in
      if case .unsigned(let number, _) = old, numbers.contains(number) {
        .string(text)
      } else {
        old
      }
    }
  }

  /// Objects are read whole while the report lists them, and by their shape afterwards.
  @Test(arguments: [0, 1, 2, 100])
  func `A conversion changes and counts its values, and leaves the others`(listing: Int)
    throws
  {
    let migrated = try plan(convert([2, 5, 6], to: "changed")).migrate(archive(), listing: listing)
    #expect(
      try records(of: migrated).map { $0["number"] }
        == (1...9).map { number in
          [2, 5, 6].contains(number)
            ? .string("changed") : .unsigned(UInt64(number), bitWidth: 32)
        })
    #expect(try records(of: migrated).allSatisfy { $0["text"] == .string("same") })
    #expect(migrated.report.steps.map(\.changedCount) == [3])
    #expect(
      migrated.report.steps[0].objects.map(\.objectID?.rawValue)
        == Array([2, 5, 6].prefix(listing)))
  }

  @Test(arguments: [0, 100])
  func `Each step counts the objects that it changed itself`(listing: Int) throws {
    let plan = try MigrationPlan(
      programVersion: version("13"),
      steps: [
        .init(from: version("10"), to: version("11"), edits: [convert([2, 3], to: "first")]),
        .init(
          from: version("11"), to: version("12"), edits: [convert([3, 4, 5, 6], to: "second")]),
        .init(from: version("12"), to: version("13"), edits: [convert([100], to: "third")]),
      ])
    let migrated = try plan.migrate(archive(), listing: listing)
    let texts = [2: "first", 3: "first", 4: "second", 5: "second", 6: "second"]
    #expect(
      try records(of: migrated).map { $0["number"] }
        == (1...9).map { number in
          texts[number].map { .string($0) } ?? .unsigned(UInt64(number), bitWidth: 32)
        })
    #expect(migrated.report.steps.map(\.changedCount) == [2, 3, 0])
  }

  @Test func `The object whose conversion fails is named, wherever it is`() throws {
    for failing in 1...9 as ClosedRange<UInt64> {
      let edit = MigrationEdit.convertKey("number", ofType: "A") { old in
        if case .unsigned(failing, _) = old { throw ArchiveError(.invalidValue, "no") }
        return .string("made")
      }
      let error = migrationError { _ = try plan(edit).migrate(archive()) }
      #expect(error?.code == .stepFailed)
      #expect(error?.objectID == ArchiveObjectID(UInt32(failing)))
      #expect(error?.keyPath == ["number"])
    }
  }

  /// A list, and an owner that refers to the object with the number `owner`.
  private func owned(_ root: UInt32, owner: UInt32 = 1) throws -> Archive {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    try writer.writeObject(.init(1), typeName: "List") { $0.encode("list", forKey: "name") }
    try writer.writeObject(.init(2), typeName: "Owner") { coder in
      coder.encode(ArchiveReference(.init(owner)), forKey: "owns")
    }
    return try Archive(writer.finish(root: .init(root)))
  }

  @Test func `An object that nothing else refers to is merged`() throws {
    let edit = MigrationEdit.mergeObject(under: "owns", ofType: "Owner")
    let migrated = try plan(edit).migrate(owned(2))
    let all = try records(of: migrated)
    #expect(all.map(\.typeName) == ["Owner"])
    #expect(all.first?["name"] == .string("list") && all.first?["owns"] == nil)
    #expect(try Archive(try #require(migrated.bytes)).rootID == ArchiveObjectID(1))
  }

  @Test(
    arguments: [(root: 1, owner: 1), (root: 2, owner: 2), (root: 1, owner: 2)] as [(UInt32, UInt32)]
  )
  func `The root is never merged away, nor an object into itself`(
    root: UInt32, owner: UInt32
  ) throws {
    let edit = MigrationEdit.mergeObject(under: "owns", ofType: "Owner")
    let error = migrationError { _ = try plan(edit).migrate(owned(root, owner: owner)) }
    #expect(error?.code == .stepFailed)
    #expect(error?.objectID == ArchiveObjectID(2))
    #expect(error?.keyPath == ["owns"])
    #expect(error?.message == "something else refers to object #\(owner) too")
  }
}
