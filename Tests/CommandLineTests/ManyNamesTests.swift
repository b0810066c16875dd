import Foundation
import Keepsake
import Testing

@Suite struct `An object of many names` {
  private func json(_ count: Int, _ value: (Int) -> String = { "\($0)" }) -> String {
    "{" + (0..<count).map { "\"name \($0)\":\(value($0))" }.joined(separator: ",") + "}"
  }

  /// Imports a document, and returns the value under a key of the root.
  private func imported(_ json: String, _ key: String) throws -> DynamicValue? {
    try Workplace.with { place in
      try place.write("a.json", json)
      try place.succeed("import", "a.json", "-o", "archive")
      let exported = try place.succeed("export", "archive", "@1").data
      let (first, second) = (
        try JSONSerialization.jsonObject(with: exported) as? [String: Any],
        try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      )
      let names = (first?[key] as? [String: Any] ?? first)?.keys
      #expect(
        names.map { Set($0) } == (second?[key] as? [String: Any] ?? second).map { Set($0.keys) })
      let archive = try Archive(Array(try place.read("archive")))
      #expect(try archive.verdict() == .canonical)
      return try archive.object(archive.rootID).decodeIfPresent(
        DynamicValue.self, forKey: ArchiveKey(key))
    }
  }

  @Test(arguments: [65_535, 65_536])
  func `An object of many names is imported, at the top and inside another object`(
    _ count: Int
  ) throws {
    let inner = try imported("{\"inner\": \(json(count))}", "inner")
    switch inner {
    case .record(let record): #expect(record.fields.count == count && count == 65_535)
    case .dictionary(let entries): #expect(entries.count == count && count > 65_535)
    default: Issue.record("the import gave another kind of value")
    }
    let top = try imported(json(count), "value")
    if case .dictionary(let entries) = top {
      #expect(entries.count == count && count > 65_535)
    } else {
      #expect(top == nil && count == 65_535)
    }
  }

  @Test
  func `An object of up to 32,767 inline records becomes a record, and a larger one a dictionary`()
    throws
  {
    for count in [32_767, 32_768] {
      let inner = try imported("{\"inner\": \(json(count) { "{\"x\":\($0)}" })}", "inner")
      switch inner {
      case .record(let record): #expect(record.fields.count == count && count == 32_767)
      case .dictionary(let entries): #expect(entries.count == count && count == 32_768)
      default: Issue.record("the import gave another kind of value")
      }
    }
  }
}
