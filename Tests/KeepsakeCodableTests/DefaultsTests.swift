import FoundationEssentials
import KeepsakeCodable
import Testing

private struct OldStyle: Codable { var size = 1 }
private struct OldNote: Codable {
  var text = "x"
  var style = OldStyle()
  var replies: [OldNote] = []
}

private struct Style: Codable, Equatable {
  var size: Int
  var color: String
}

private struct Note: Codable, Equatable, ValueWithDefaults {
  var text: String
  var style: Style
  var stars: Int
  var tags: [String]
  var hint: String?
  var replies: [Note]

  init(
    text: String = "", style: Style = Style(size: 0, color: "red"), stars: Int = 3,
    tags: [String] = ["new"], hint: String? = "hint", replies: [Note] = []
  ) {
    (self.text, self.style, self.stars) = (text, style, stars)
    (self.tags, self.hint, self.replies) = (tags, hint, replies)
  }

  static var defaults: Note { Note() }
}

@Suite struct `The defaults of a type` {
  private let old = OldNote()
  private let read = Note(text: "x", style: Style(size: 1, color: "red"), hint: nil)

  @Test
  func `A default replaces missing properties of values of its type, wherever they are`() throws {
    #expect(try reread(old, as: Note.self) == read)
    #expect(try reread([old, old], as: [Note].self) == [read, read])
    #expect(try reread(["a": [old]], as: [String: [Note]].self) == ["a": [read]])
    #expect(try reread([1: old], as: [Int: Note?].self) == [1: read])
    #expect(try reread(Optional(old), as: Note?.self) == read)
    #expect(try reread(Result.ok([old]), as: Outcome.self) == .ok([read]))
    #expect(try reread([["text": "x"]], as: [Bare].self) == [Bare(text: "x", stars: 3)])
  }

  private enum Result: Encodable { case ok([OldNote]) }
  private enum Outcome: Decodable, Equatable { case ok([Note]) }

  private struct Bare: Codable, Equatable, ValueWithDefaults {
    var text: String
    var stars: Int
    static var defaults: Bare { Bare(text: "", stars: 3) }
  }

  @Test
  func `Defaults are used in 15 levels of nested values, and in each of 5,000 elements`() throws {
    var (deep, expected) = (old, read)
    for _ in 0..<15 {
      deep = OldNote(replies: [deep])
      expected = Note(
        text: "x", style: Style(size: 1, color: "red"), hint: nil, replies: [expected])
    }
    #expect(try reread(deep, as: Note.self) == expected)
    let many = Array(repeating: old, count: 5_000)
    #expect(try reread(many, as: [Note].self) == Array(repeating: read, count: 5_000))
  }

  private struct Renamed: Codable, Equatable, ValueWithDefaults {
    var name: String
    enum CodingKeys: CodingKey { case name, title }
    init(name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let name = try? container.decode(String.self, forKey: .name) {
        self.name = name
      } else {
        name = try container.decode(String.self, forKey: .title)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
    }

    static var defaults: Renamed { Renamed(name: "default") }
  }

  @Test func `A type with defaults may try one key and then another`() throws {
    #expect(try reread([["title": "old"]], as: [Renamed].self) == [Renamed(name: "old")])
    #expect(try refusal(of: [["other": "x"]], as: [Renamed].self) == "keyNotFound(title) [0]")
  }

  /// A type that reports a key as missing if the value under it cannot be read.
  private struct Careful: Codable, Equatable, ValueWithDefaults {
    var style: Style
    enum CodingKeys: CodingKey { case style }
    init(style: Style) { self.style = style }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      guard let style = try? container.decode(Style.self, forKey: .style) else {
        throw DecodingError.keyNotFound(
          CodingKeys.style, .init(codingPath: decoder.codingPath, debugDescription: "missed"))
      }
      self.style = style
    }

    static var defaults: Careful { Careful(style: Style(size: 0, color: "red")) }
  }

  @Test func `A default does not replace a stored key that the type reports as missing`() throws {
    #expect(
      try refusal(of: [["style": ["size": 1]]], as: [Careful].self) == "keyNotFound(style) [0]")
  }

  private class Base: Codable {
    var size = 1
    var unit = "cm"
    init() {}
  }

  private final class Derived: Base {
    var name = "x"
    override init() { super.init() }
    enum CodingKeys: CodingKey { case name }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try super.encode(to: container.superEncoder())
    }
  }

  private struct Holder: Codable, ValueWithDefaults {
    var value: Derived
    static var defaults: Holder { Holder(value: Derived()) }
  }

  private struct OldDerived: Encodable {
    var name = "y"
    var `super` = ["size": 5]
  }

  @Test func `Defaults replace missing properties of a superclass`() throws {
    let holders = try reread([["value": OldDerived()]], as: [Holder].self)
    let read = try #require(holders.first?.value)
    #expect(read.name == "y" && read.size == 5 && read.unit == "cm")
  }

  @Test func `A default of another type is not used`() throws {
    #expect(
      try refusal(of: [["size": 1]], as: [Style].self) == "keyNotFound(color) [0]")
    #expect(
      try refusal(of: ["value": old], as: [String: Wrapped].self)
        == "keyNotFound(missing) value.style")
  }

  /// A type that decodes a key which no default has.
  private struct Wrapped: Codable, Equatable, ValueWithDefaults {
    var style: Inner
    struct Inner: Codable, Equatable {
      var missing = 1
      func encode(to encoder: any Encoder) throws {}
    }
    static var defaults: Wrapped { Wrapped(style: Inner()) }
  }
}
