import FoundationEssentials
import KeepsakeCodable
import Testing

private struct Part: Codable, Hashable { var number: Int }
private struct Named: Codable, Hashable { var name: String }
private struct Holder<Value: Codable>: Codable { var part: Value? }

/// The place of the error that reading a decoder's value as a type throws; "none" if it can be read.
private func attempt<Value: Decodable>(_ type: Value.Type, _ decoder: any Decoder) -> String {
  do {
    _ = try decoder.singleValueContainer().decode(type)
    return "none"
  } catch {
    return kindAndPath(of: error) ?? "\(error)"
  }
}

/// Elements, keys, values and members are mostly read without a decoder; their errors still have the full path.
@Suite struct `The path of a decoding error` {
  private let named = Named(name: "x")

  @Test func `The path of an error leads through optionals`() throws {
    #expect(try refusal(of: 1.5, as: Int?.self) == "typeMismatch ")
    #expect(try refusal(of: [nil, named], as: [Part?].self) == "keyNotFound(number) [1]")
    #expect(
      try refusal(of: ["a": nil, "b": named], as: [String: Part?].self) == "keyNotFound(number) b")
    #expect(
      try refusal(of: Holder(part: named), as: Holder<Part>.self) == "keyNotFound(number) part")
    #expect(
      try refusal(of: Box<Named?>(value: named), as: Box<Part?>.self)
        == "keyNotFound(number) value")
    let texts: [[String]?] = [nil, ["x"]]
    #expect(try refusal(of: texts, as: [[Int?]?].self) == "typeMismatch [1].[0]")
    #expect(try refusal(of: ["x"], as: [Int??].self) == "typeMismatch [0]")
    #expect(try refusal(of: ["a": ["x"]], as: [String: [Int]?].self) == "typeMismatch a.[0]")
  }

  @Test func `The path of an error leads through dictionaries of each kind of keys`() throws {
    #expect(try refusal(of: ["a": named], as: [String: Part].self) == "keyNotFound(number) a")
    #expect(
      try refusal(of: ["a": ["b": "x"]], as: [String: [String: Int]].self) == "typeMismatch a.b")
    // The coding key of a text that is a number has an integer, so the path shows an index.
    #expect(try refusal(of: ["7": "x"], as: [String: Int].self) == "typeMismatch [7]")
    #expect(try refusal(of: [7: "x"], as: [Int: Int].self) == "typeMismatch [7]")
    #expect(
      try refusal(of: [Everyday.Language.german: "x"], as: [Everyday.Language: Int].self)
        == "typeMismatch de")
    // A key that is no coding key is shown by its position.
    #expect(
      try refusal(of: [Everyday.Level.high: "x"], as: [Everyday.Level: Int].self)
        == "typeMismatch [0]")
    #expect(try refusal(of: ["x": 1], as: [Int: Int].self) == "typeMismatch x")
    // Such a dictionary is an array of keys and values in turn.
    #expect(try refusal(of: [Part(number: 1): "x"], as: [Part: Int].self) == "typeMismatch [1]")
  }

  @Test func `The path of an error leads through arrays and sets`() throws {
    #expect(try refusal(of: [[1, 2], [3, 300]], as: [[Int8]].self) == "dataCorrupted [1].[1]")
    // Arrays of one length and kind, which are stored as rows.
    #expect(
      try refusal(of: [[1.5, 2.5], [3.5, 4.5]], as: [[Int]].self) == "typeMismatch [0].[0]")
    #expect(try refusal(of: [[named]], as: [[Part]].self) == "keyNotFound(number) [0].[0]")
    #expect(try refusal(of: ["x"] as Set, as: [Int].self) == "typeMismatch [0]")
    #expect(try refusal(of: [named] as Set, as: Set<Part>.self) == "keyNotFound(number) [0]")
    let tags: [String: Set<String>] = ["a": ["x"]]
    #expect(try refusal(of: tags, as: [String: Set<Int>].self) == "typeMismatch a.[0]")
  }

  @Test func `The path of an error has no keys of values read before`() throws {
    let lists = [["a": [1, 2]], ["a": [3], "b": [4, 1 << 40]]]
    #expect(
      try refusal(of: lists, as: [[String: [Int32]]].self) == "dataCorrupted [1].b.[1]")
    let parts = ["a": [Part(number: 1)], "b": [Part(number: 1), Part(number: 300)]]
    #expect(
      try refusal(of: parts, as: [String: [[String: Int8]]].self)
        == "dataCorrupted b.[1].number")
  }

  /// Tries one type after the other, like an enumeration without names for its cases.
  private struct Rows: Decodable {
    var own: [String] = []
    var inner: [String] = []
    let texts: [String]

    init(from decoder: any Decoder) throws {
      own.append(attempt(Bool.self, decoder))
      inner.append(attempt([Int].self, decoder))
      own.append(attempt([String: Int].self, decoder))
      inner.append(attempt([Int?].self, decoder))
      own.append(attempt(Part.self, decoder))
      inner.append(attempt([[Int]].self, decoder))
      own.append(attempt(Int?.self, decoder))
      inner.append(attempt(Set<Int>.self, decoder))
      own.append(attempt(Date.self, decoder))
      inner.append(attempt([Part].self, decoder))
      texts = try decoder.singleValueContainer().decode([String].self)
      own.append(attempt(String.self, decoder))
    }
  }

  private struct Tables: Decodable {
    var own: [String] = []
    var inner: [String] = []
    let key: String
    let texts: [String: String]

    init(from decoder: any Decoder) throws {
      own.append(attempt([Int].self, decoder))
      inner.append(attempt([String: Int].self, decoder))
      own.append(attempt(Part.self, decoder))
      inner.append(attempt([String: Int?].self, decoder))
      key = attempt([Int: String].self, decoder)
      own.append(attempt(Set<String>.self, decoder))
      inner.append(attempt([String: [Int]].self, decoder))
      own.append(attempt([Date].self, decoder))
      inner.append(attempt([String: Part].self, decoder))
      texts = try decoder.singleValueContainer().decode([String: String].self)
      own.append(attempt(Double.self, decoder))
    }
  }

  @Test func `The path of an error is right for each type that is tried`() throws {
    let texts = [["x", "y"], ["z"]]
    let rows = try #require(try reread(["list": texts], as: [String: [Rows]].self)["list"])
    #expect(rows.map(\.texts) == texts)
    for (index, row) in rows.enumerated() {
      let path = "typeMismatch list.[\(index)]"
      #expect(row.own == Array(repeating: path, count: 6))
      #expect(row.inner == Array(repeating: "\(path).[0]", count: 5))
    }

    let named = [["a": "x"], ["a": "y"]]
    let tables = try #require(try reread(["list": named], as: [String: [Tables]].self)["list"])
    #expect(tables.map(\.texts) == named)
    for (index, table) in tables.enumerated() {
      let path = "typeMismatch list.[\(index)]"
      #expect(
        table.own == [path, "keyNotFound(number) list.[\(index)]", path, path, path])
      #expect(table.inner == Array(repeating: "\(path).a", count: 4))
      #expect(table.key == "\(path).a")
    }
  }
}
