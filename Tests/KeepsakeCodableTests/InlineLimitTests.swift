import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Once there are 4,096 shapes, a record is not stored inline if that needs a new shape (Spec/archive.md, 5.4).
@Suite struct `Codable records in slots` {
  private func nested(_ key: String) -> ModelValue {
    .record([
      ("a", .string(key)), (key, .record([("x", .byte(1)), ("y", .byte(2))])), ("z", .byte(3)),
    ])
  }

  @Test(arguments: 4_089...4_096)
  func `Inline Codable records make no new shapes once there are 4,096`(_ count: Int) throws {
    let others = (0..<count).map { ModelValue.record([("\($0)", .byte(4))]) }
    let values = [nested("early")] + others + [nested("late"), nested("early"), nested("late")]
    let bytes = try Array(ArchiveEncoder().encode(ModelValue.row(values)))
    let archive = try Archive(bytes)
    // The verdict is canonical only if records are inline for as long as they may be, and no longer.
    #expect(try archive.verdict() == .canonical)
    let read = try archive.object(archive.rootID).decode([DynamicValue].self, forKey: "value")
    #expect(read.count == count + 4)
    for (value, key) in zip(read.suffix(3), ["late", "early", "late"]) {
      guard case .record(let record) = value else {
        Issue.record("the value is no record")
        continue
      }
      #expect(record["a"] == .string(key))
      #expect(record["z"] == .unsigned(3, bitWidth: 8))
      let inner = DynamicRecord(fields: [
        .init(key: "x", value: .unsigned(1, bitWidth: 8)),
        .init(key: "y", value: .unsigned(2, bitWidth: 8)),
      ])
      #expect(record[ArchiveKey(key)] == .record(inner))
    }
  }
}
