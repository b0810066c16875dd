import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// A type may catch the error of a value and continue with others: no byte of the failed value remains.
@Suite struct `Codable values that fail` {
  /// A value whose numbers are written before it throws.
  private struct Failing: Encodable {
    struct Failure: Error {}

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode([0.5, 1.5, 2.5])
      throw Failure()
    }
  }

  @Test func `A value that throws is encoded only once`() {
    final class Calls {
      var count = 0
    }
    struct Counted: Encodable {
      let calls: Calls

      func encode(to encoder: any Encoder) throws {
        calls.count += 1
        try Failing().encode(to: encoder)
      }
    }
    let calls = Calls()
    #expect(throws: Failing.Failure.self) {
      try ArchiveEncoder().encode(["a": [Counted(calls: calls)]])
    }
    #expect(calls.count == 1)
  }

  /// Leaves out a value that throws, and writes other values over its bytes.
  private struct Forgiving: Encodable {
    enum CodingKeys: String, CodingKey {
      case failing, order, numbers, text
    }

    var length: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      #expect(throws: Failing.Failure.self) { try container.encode(Failing(), forKey: .failing) }
      try container.encode([1.5, 2.5], forKey: .numbers)
      // The slots take more room than was reserved, so all payloads are moved.
      try container.encode(7, forKey: .order)
      try container.encode(String(repeating: "\u{24}", count: length), forKey: .text)
    }
  }

  @Test(arguments: 0..<64)
  func `A value that fails leaves nothing behind in a record`(length: Int) throws {
    let archive = try Archive(Array(ArchiveEncoder().encode(Forgiving(length: length))))
    #expect(try archive.verdict() == .canonical)
    let value = try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
    guard case .record(let record) = value else {
      Issue.record("the value is no record")
      return
    }
    #expect(
      record.fields.map(\.value) == [
        .array([.double(1.5), .double(2.5)]), .signed(7, bitWidth: 32),
        .string(String(repeating: "\u{24}", count: length)),
      ])
  }

  /// Elements that fail among texts; the ends of the texts are before all payloads.
  private struct ForgivingRow: Encodable {
    var length: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for _ in 0..<3 {
        #expect(throws: Failing.Failure.self) { try container.encode(Failing()) }
        try container.encode(String(repeating: "\u{24}", count: length))
      }
      try container.encode(String(repeating: "\u{24}", count: 40))
    }
  }

  @Test(arguments: 0..<64)
  func `A value that fails leaves nothing behind in an array`(length: Int) throws {
    let archive = try Archive(Array(ArchiveEncoder().encode(ForgivingRow(length: length))))
    #expect(try archive.verdict() == .canonical)
    let texts = try archive.object(archive.rootID).decode([String].self, forKey: "value")
    #expect(texts.map(\.utf8.count) == [length, length, length, 40])
    #expect(texts.allSatisfy { $0.allSatisfy { $0 == "\u{24}" } })
  }
}
