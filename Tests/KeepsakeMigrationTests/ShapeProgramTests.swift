import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

/// Objects are migrated by a program for their shape, or read whole where there is no such program.
///
/// A migration that lists every object reads every object whole, so both ways can be compared; the
/// argument of a failing test is the seed.
@Suite struct `A migration by shapes` {
  struct Generator {
    var generator: SeededGenerator

    mutating func pick<T>(_ values: T...) -> T {
      values[Int.random(in: 0..<values.count, using: &generator)]
    }

    mutating func type() -> String { pick("A", "B", "C") }
    mutating func key() -> ArchiveKey { pick("a", "b", "c", "d") }
    mutating func scope() -> [String] { pick([], [], [], ["S"]) }

    mutating func value(_ depth: Int = 2) -> DynamicValue {
      switch Int.random(in: 0..<(depth == 0 ? 5 : 9), using: &generator) {
      case 0: .null
      case 1: .signed(pick(0, 1, 2), bitWidth: 64)
      case 2: .string(pick("x", "y", "a text of more than fifteen bytes"))
      case 3: .reference(pick(nil, .init(1), .init(4)))
      case 4: .bool(pick(true, false))
      case 5: .record(record(depth - 1, pick("", "A", "B", "D")))
      case 6: pick(.array([value(depth - 1), value(depth - 1)]), numbers(), .bytes(bytes()))
      case 7: .enumeration(key(), record(depth - 1, pick("", "C")))
      default: .dictionary([.init(key: .bool(true), value: value(depth - 1))])
      }
    }

    /// Numbers, which are aligned at any offset.
    mutating func numbers() -> DynamicValue {
      let number = pick(
        DynamicValue.double(1), .signed(-2, bitWidth: 16), .float(0.5), .unsigned(9, bitWidth: 64))
      return .array(Array(repeating: number, count: pick(1, 2, 5)) + pick([], [], [.null]))
    }

    /// Byte counts around 256, where ends take more bytes.
    mutating func bytes() -> [UInt8] { Array(repeating: 1, count: pick(3, 4, 255, 256)) }

    mutating func record(_ depth: Int, _ typeName: String) -> DynamicRecord {
      var record = DynamicRecord(typeName: typeName, schemaVersion: pick(0, 0, 1))
      for key in ["a", "b", "c"] as [ArchiveKey] where pick(true, true, false) {
        record[key, inScope: scope()] = value(depth)
      }
      return record
    }

    /// Objects of few shapes, so that most shapes repeat.
    mutating func archive() throws -> Archive {
      let kinds = (0..<3).map { _ in record(2, type()) }
      var writer = ArchiveWriter(reserved: .init(bundleVersion: "1"))
      for number in 1...12 as ClosedRange<UInt32> {
        var record = pick(kinds[0], kinds[1], kinds[2])
        let isChanged = pick(true, false)
        if isChanged, !record.fields.isEmpty {
          let field = Int.random(in: record.fields.indices, using: &generator)
          record.fields[field].value = value(1)
        }
        let optional: String? = pick("text", nil)
        try writer.writeObject(
          .init(number), typeName: record.typeName, schemaVersion: record.schemaVersion,
          template: pick("main", nil)
        ) { coder in
          coder.encodeFields(of: record)
          coder.encode(optional, forKey: "optional")
        }
      }
      return try Archive(writer.finish(root: .init(3)))
    }

    mutating func edit() -> MigrationEdit {
      let (type, scope) = (type(), scope())
      let key: ArchiveKey = pick("a", "b", "c", "d", "optional")
      let value = value(1)
      switch Int.random(in: 0..<17, using: &generator) {
      case 0...2: return .renameKey(key, to: self.key(), inScope: scope, ofType: type)
      case 3: return .moveKey(key, fromScope: scope, toScope: self.scope(), ofType: type)
      case 4, 5: return .removeKey(key, inScope: scope, ofType: type)
      case 6, 7: return .setDefault(value, forKey: key, inScope: scope, ofType: type)
      case 8, 9: return .renameType(type, to: self.type())
      case 10...12:
        let throwing = pick(false, false, false, true)
        return .convertKey(key, inScope: scope, ofType: type) { old in
          switch old {
          case .signed(2, _) where throwing: throw ArchiveError(.invalidValue, "two")
          case .signed(let number, _): .string("\(number)")
          case .string: .null
          case .null: value
          case .bool: .record(.init(typeName: type, fields: [.init(key: key, value: value)]))
          case .record, .array: .string("\(old)")
          default: old
          }
        }
      case 13:
        return .wrapKeys(
          [key, self.key()], inRecord: self.key(), nestedTypeName: pick("", "N", "A"), ofType: type)
      case 14, 15: return .unwrapRecord(key, ofType: type)
      default: return .editRecords(ofType: type, "set") { $0[key] = .bool(true) }
      }
    }

    mutating func plan() throws -> MigrationPlan {
      let count = Int.random(in: 1...5, using: &generator)
      var steps: [MigrationStep] = []
      for number in 1...count {
        var edits: [MigrationEdit] = []
        for _ in 0..<pick(1, 1, 2, 3) { edits.append(edit()) }
        steps.append(
          .init(from: try version("\(number)"), to: try version("\(number + 1)"), edits: edits))
      }
      let schema: [SchemaMigrationStep] = [
        .init(ofType: "B", from: 1, to: 2) { $0["schema"] = .bool(true) }
      ]
      return try MigrationPlan(
        programVersion: version("\(count + 1)"), steps: steps,
        schemaSteps: pick([], [], schema))
    }
  }

  @Test(arguments: 0..<400 as Range<UInt64>)
  func `A migration by shapes gives the same as reading every object`(seed: UInt64) throws {
    var generator = Generator(generator: SeededGenerator(seed: seed))
    let archive = try generator.archive()
    let plan = try generator.plan()
    let whole = Result { try plan.migrate(archive, listing: .max) }
    for limit in [0, 2] {
      let migrated = Result { try plan.migrate(archive, listing: limit) }
      switch (migrated, whole) {
      case (.success(let one), .success(let other)):
        #expect(one.bytes == other.bytes)
        if let bytes = one.bytes { try Archive(bytes).requireCanonical() }
        #expect(one.report.steps.map(\.changedCount) == other.report.steps.map(\.changedCount))
        #expect(
          one.report.steps.map(\.objects)
            == other.report.steps.map { Array($0.objects.prefix(limit)) })
      case (.failure(let one as MigrationError), .failure(let other as MigrationError)):
        #expect(one.description == other.description)
      default: Issue.record("\(migrated) and \(whole) by \(plan)")
      }
    }
  }

  /// Three objects of one shape, each with a number and a record in it.
  private func archive() throws -> Archive {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    for number in 1...3 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "A") { coder in
        coder.encode(number, forKey: "number")
        coder.encodeFields(
          of: .init(fields: [
            .init(
              key: "inner",
              value: .record(
                .init(
                  typeName: "B",
                  fields: [.init(key: "x", value: .unsigned(UInt64(number), bitWidth: 32))])))
          ]))
      }
    }
    return try Archive(writer.finish(root: .init(1)))
  }

  @Test func `Later edits are made on a record that a conversion made`() throws {
    let migrated = try plan(
      .convertKey("number", ofType: "A") { value in
        .record(.init(typeName: "C", fields: [.init(key: "x", value: value)]))
      },
      .renameKey("x", to: "y", ofType: "C")
    ).migrate(archive())
    for record in try records(of: migrated) {
      guard case .record(let made)? = record["number"] else {
        Issue.record("there is no record")
        continue
      }
      #expect(made["y"] != nil && made["x"] == nil)
    }
  }

  @Test func `Earlier edits are made on a record before it is converted`() throws {
    let migrated = try plan(
      .renameKey("x", to: "y", ofType: "B"),
      .convertKey("inner", ofType: "A") { value in .string("\(value)") }
    ).migrate(archive())
    #expect(try records(of: migrated).map { $0["inner"] } == (1...3).map { .string("B(y: \($0))") })
  }

  @Test func `Later edits are made on records that an edit made`() throws {
    let wrap = MigrationEdit.wrapKeys(
      ["number"], inRecord: "who", nestedTypeName: "N", ofType: "A")
    let renamed = try plan(wrap, .renameKey("number", to: "y", ofType: "N")).migrate(archive())
    let converted = try plan(wrap, .convertKey("who", ofType: "A") { .string("\($0)") })
      .migrate(archive())
    let unwrapped = try plan(
      wrap, .unwrapRecord("who", ofType: "A"),
      .convertKey("number", ofType: "A") { .string("\($0)") }
    ).migrate(archive())
    for number in 1...3 {
      let value = DynamicValue.unsigned(UInt64(number), bitWidth: 32)
      let who = DynamicRecord(typeName: "N", fields: [.init(key: "y", value: value)])
      #expect(try records(of: renamed)[number - 1]["who"] == .record(who))
      #expect(try records(of: converted)[number - 1]["who"] == .string("N(number: \(number))"))
      #expect(try records(of: unwrapped)[number - 1]["number"] == .string("\(number)"))
    }
  }
}
