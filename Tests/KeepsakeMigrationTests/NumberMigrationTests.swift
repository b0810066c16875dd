import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

/// Spec/archive.md, 5.5: numbers that are copied from archive to archive are aligned at their new offset.
@Suite struct `Numbers that are migrated` {
  static let longs = (0..<40).map { ($0 - 20) << 40 } as [Int64]
  static let floats = (0..<70).map { Float($0) / 2 }

  private func archive(_ count: Int) throws -> Archive {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    for number in 1...6 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "A") { coder in
        coder.encode(String(repeating: "x", count: count * Int(number)), forKey: "text")
        // Every second object has one more key, so that shapes alternate.
        if number.isMultiple(of: 2) { coder.encode(true, forKey: "flag") }
        coder.encode(Self.longs, forKey: "longs")
        coder.encode([[1.5], nil, [2, 3]] as [[Double]?], forKey: "rows")
        coder.encode(Self.floats, forKey: "floats")
        coder.encode([number: [UInt16(number)]], forKey: "table")
        // The bit of this nil is in the first byte after the slots, where payloads may start.
        coder.encode(Self.longs as [Int64]?, forKey: "perhaps")
        // Arrays of numbers among elements of other kinds.
        coder.encode(
          DynamicValue.array([.string("a"), .array([.double(1)]), .array([.double(2)])]),
          forKey: "mixed")
      }
    }
    return try Archive(writer.finish(root: .init(1)))
  }

  private func check(_ migrated: MigratedArchive) throws {
    let archive = try Archive(#require(migrated.bytes))
    try archive.requireCanonical()
    for number in 1...6 as ClosedRange<UInt32> {
      let object = try archive.object(.init(number))
      let longs = try object.borrowedNumbers(of: Int64.self, forKey: "longs")
      let floats = try object.borrowedNumbers(of: Float.self, forKey: "floats")
      let perhaps = try object.borrowedNumbers(of: Int64.self, forKey: "perhaps")
      #expect(perhaps.indices.map { perhaps[$0] } == Self.longs)
      #expect(longs.indices.map { longs[$0] } == Self.longs)
      #expect(floats.indices.map { floats[$0] } == Self.floats)
      #expect(try object.decode(forKey: "rows") == [[1.5], nil, [2, 3]] as [[Double]?])
      #expect(try object.decode(forKey: "table") == [number: [UInt16(number)]])
    }
  }

  @Test(arguments: [0, 1, 2, 3, 5, 7, 40, 64, 255, 20_000])
  func `Numbers are aligned after values that take more or fewer bytes`(count: Int) throws {
    let archive = try archive(count)
    for length in [0, 1, 2, 3, 4, 5, 6, 7, 251, 65_536] {
      let text = DynamicValue.string(String(repeating: "y", count: length))
      try check(plan(.setDefault(text, forKey: "more", ofType: "A")).migrate(archive))
      try check(plan(.convertKey("text", ofType: "A") { _ in text }).migrate(archive))
    }
    try check(plan(.removeKey("text", ofType: "A")).migrate(archive))
    try check(plan(.renameKey("text", to: "b", ofType: "A")).migrate(archive))
    try check(
      plan(
        .wrapKeys(["longs", "floats"], inRecord: "n", nestedTypeName: "N", ofType: "A"),
        .setDefault(.bool(true), forKey: "mark", ofType: "N"),
        .unwrapRecord("n", ofType: "A")
      ).migrate(archive))
  }

  @Test func `Numbers are aligned in a new record`() throws {
    for count in 0..<9 {
      let migrated = try plan(
        .wrapKeys(["longs", "floats"], inRecord: "n", nestedTypeName: "N", ofType: "A")
      ).migrate(archive(count))
      try Archive(#require(migrated.bytes)).requireCanonical()
      for record in try records(of: migrated) {
        guard case .record(let inner)? = record["n"] else {
          Issue.record("there is no record")
          continue
        }
        #expect(inner["longs"] == .array(Self.longs.map { .signed($0, bitWidth: 64) }))
      }
    }
  }
}
