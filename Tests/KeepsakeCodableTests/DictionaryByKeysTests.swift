import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

@Suite struct `A stored dictionary` {
  private struct Settings: Codable, Equatable {
    var size: Int
    var ratio: Double
    var name: String?
    var theme: Theme?

    struct Theme: Codable, Equatable {
      var dark: Bool
      var accent = "blue"
    }
  }

  /// Encodes itself as a dictionary, and decodes by keys.
  private struct Loose: Codable, Equatable {
    enum CodingKeys: CodingKey { case size, name, missing }
    var size: Int
    var name: String

    init(size: Int, name: String) { (self.size, self.name) = (size, name) }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      size = try Int(container.decode(String.self, forKey: .size)) ?? 0
      name = try container.decode(String.self, forKey: .name)
      #expect(container.contains(.name) && !container.contains(.missing))
      #expect(Set(container.allKeys) == [.size, .name])
      #expect(try container.decodeIfPresent(Int.self, forKey: .missing) == nil)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(["size": "\(size)", "name": name])
    }
  }

  @Test func `A type that encoded itself as a dictionary reads it by keys`() throws {
    let value = Loose(size: 12, name: "Zoe")
    #expect(try roundTrip(value) == value)
    #expect(try roundTrip([value, value]) == [value, value])
    #expect(try roundTrip(["a": value]) == ["a": value])
    #expect(try roundTrip(Box(value: [value])) == Box(value: [value]))
  }

  @Test func `A structure reads a dictionary, with its conversions and optionals`() throws {
    let settings = Settings(size: 3, ratio: 2, name: nil, theme: nil)
    #expect(try reread(["size": 3, "ratio": 2], as: Settings.self) == settings)
    #expect(try reread(["size": 3, "ratio": 2, "other": nil], as: Settings.self) == settings)
    #expect(
      try reread(["dark": true], as: [String: Bool].self) == ["dark": true])
    #expect(
      try reread(["a": ["dark": "x"]], as: [String: [String: String]].self) == ["a": ["dark": "x"]])
  }

  @Test func `A dictionary that is read by keys has a record's errors at the same places`() throws {
    #expect(try refusal(of: ["size": 1], as: Settings.self) == "keyNotFound(ratio) ")
    #expect(try refusal(of: ["size": 1.5, "ratio": 1], as: Settings.self) == "typeMismatch size")
    #expect(try refusal(of: ["size": 1, "ratio": nil], as: Settings.self) == "valueNotFound ratio")
    #expect(try refusal(of: [["size": 1]], as: [Settings].self) == "keyNotFound(ratio) [0]")
    #expect(
      try refusal(of: Box(value: ["size": 1]), as: Box<Settings>.self)
        == "keyNotFound(ratio) value")
    #expect(try refusal(of: [1.5: 1], as: Settings.self) == "typeMismatch ")
    #expect(try refusal(of: [Date(): 1], as: Settings.self) == "typeMismatch ")
    #expect(try refusal(of: [true: 1], as: [String: Int].self) == "typeMismatch [0]")
  }

  /// Reads containers in containers by hand.
  private struct ByHand: Decodable {
    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: Name.self)
      let inner = try outer.nestedContainer(keyedBy: Name.self, forKey: Name("inner"))
      #expect(inner.allKeys.map(\.stringValue) == ["a", "b"])
      #expect(inner.codingPath.map(\.stringValue) == ["inner"])
      var list = try inner.nestedUnkeyedContainer(forKey: Name("a"))
      #expect(try list.decode(Double.self) == 1)
      let other = try inner.superDecoder(forKey: Name("b")).singleValueContainer()
      #expect(try other.decode([Int].self) == [2, 3])
      #expect(try inner.superDecoder().singleValueContainer().decodeNil())
      #expect(try !inner.decodeNil(forKey: Name("a")))
      let absent = #expect(throws: DecodingError.self) {
        try inner.decodeNil(forKey: Name("c"))
      }
      #expect(kindAndPath(of: absent) == "keyNotFound(c) inner")
      // A container that is kept continues to read its own entries.
      #expect(try outer.decode([String: [Int]].self, forKey: Name("inner")).count == 2)
      #expect(try inner.decode([Int].self, forKey: Name("b")) == [2, 3])
    }
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int?
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init(intValue: Int) { (stringValue, self.intValue) = ("number \(intValue)", intValue) }
  }

  @Test func `Nested containers open a stored dictionary`() throws {
    _ = try reread(["inner": ["a": [1], "b": [2, 3]]], as: ByHand.self)
  }

  private enum Number: Int, CodingKey {
    case one = 1, two
  }

  private struct Numbered: Decodable {
    init(from decoder: any Decoder) throws {
      let numbers = try decoder.container(keyedBy: Number.self)
      #expect(Set(numbers.allKeys) == [.one, .two])
      #expect(try numbers.decode(String.self, forKey: .two) == "b")
      let names = try decoder.container(keyedBy: Name.self)
      #expect(try names.decode(String.self, forKey: Name("1")) == "a")
      #expect(try names.decodeIfPresent(String.self, forKey: Name("01")) == nil)
      #expect(try names.decodeIfPresent(String.self, forKey: Name("300")) == nil)
      #expect(names.allKeys.compactMap(\.intValue) == [1, 2])
    }
  }

  @Test
  func `A dictionary of integers is read by the integers of keys, and by their digits`() throws {
    _ = try reread([1: "a", 2: "b"], as: Numbered.self)
    _ = try reread([1: "a", 2: "b"] as [UInt8: String], as: Numbered.self)
    _ = try reread([1: "a", 2: "b"] as [Int128: String], as: Numbered.self)
    #expect(try reread([1: "a", -2: "b"], as: [String: String].self) == ["1": "a", "-2": "b"])
    #expect(try reread([UInt64.max: 1], as: [String: Int].self) == ["\(UInt64.max)": 1])
    #expect(try reread([UInt128.max: 1], as: [String: Int].self) == ["\(UInt128.max)": 1])
    #expect(try reread(["1": "a", "2": "b"], as: [Int: String].self) == [1: "a", 2: "b"])
    #expect(try refusal(of: ["a": 1], as: [Int: Int].self) == "typeMismatch a")
    #expect(try refusal(of: ["1": 1, "01": 2], as: [Int: Int].self) == "typeMismatch ")
  }

  private struct Identifier: Codable, Hashable, CodingKeyRepresentable {
    var text: String
    init(text: String) { self.text = text }
    var codingKey: any CodingKey { text.codingKey }
    init?<Key: CodingKey>(codingKey: Key) { text = codingKey.stringValue }
  }

  @Test func `A dictionary of strings is read with any keys that a coding key represents`() throws {
    let expected = [Identifier(text: "a"): 1, Identifier(text: "b"): 2]
    #expect(try reread(["a": 1, "b": 2], as: [Identifier: Int].self) == expected)
    #expect(try roundTrip(expected) == expected)
  }

  @Test func `Each of many keys is found in a dictionary`() throws {
    for count in [0, 1, 2, 3, 1_000] {
      let names = (0..<count).map { "\($0)\($0 % 3 == 0 ? "\u{E9}" : "")" }
      let table = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
      let data = try ArchiveEncoder().encode(table)
      #expect(try ArchiveDecoder().decode(AllValues.self, from: data).values == table)
    }
  }

  private struct AllValues: Decodable {
    var values: [String: Int] = [:]
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Name.self)
      for key in container.allKeys {
        values[key.stringValue] = try container.decode(Int.self, forKey: key)
      }
      #expect(try container.decodeIfPresent(Int.self, forKey: Name("absent")) == nil)
    }
  }

  @Test func `A dictionary whose keys are of several kinds is not read by keys`() throws {
    let value = DynamicValue.dictionary([
      .init(key: .signed(1, bitWidth: 8), value: .bool(true)),
      .init(key: .string("1"), value: .bool(false)),
    ])
    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: "Codable") {
      $0.encode(value, forKey: "value")
    }
    let bytes = try writer.finish(root: ArchiveObjectID(1))
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode(AllValues.self, from: bytes)
    }
    #expect(kindAndPath(of: error) == "typeMismatch ")
  }
}

@Suite struct `A coding key that is stored in another Unicode form` {
  private struct Composed: Codable {
    var name: String? = "Zoe"
    enum CodingKeys: String, CodingKey { case name = "pr\u{E9}nom" }
  }

  private struct Decomposed: Codable {
    var name: String?
    enum CodingKeys: String, CodingKey { case name = "pre\u{301}nom" }
  }

  private struct Required: Codable {
    var name: String
    enum CodingKeys: String, CodingKey { case name = "pre\u{301}nom" }
  }

  private struct ByHand: Decodable {
    init(from decoder: any Decoder) throws {
      let keys = try decoder.container(keyedBy: Decomposed.CodingKeys.self)
      #expect(!keys.contains(.name))
      for attempt in [
        { _ = try keys.decodeNil(forKey: .name) },
        { _ = try keys.decodeIfPresent(Int.self, forKey: .name) },
        { _ = try keys.decodeIfPresent(Double.self, forKey: .name) },
        { _ = try keys.decodeIfPresent(Int128.self, forKey: .name) },
        { _ = try keys.decodeIfPresent([Int].self, forKey: .name) },
        { _ = try keys.decode(Bool.self, forKey: .name) },
        { _ = try keys.decode([Int].self, forKey: .name) },
        { _ = try keys.superDecoder(forKey: .name) },
        { _ = try keys.nestedUnkeyedContainer(forKey: .name) },
      ] as [() throws -> Void] {
        let error = #expect(throws: DecodingError.self, performing: attempt)
        guard case .keyNotFound(_, let context) = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(
          context.debugDescription == #"There is no value under "pre\u{301}nom", but one under "#
            + #""pr\u{E9}nom", the same name in another Unicode form. Give the coding key the form that is stored."#
        )
      }
    }
  }

  @Test
  func `A key in another Unicode form is not found, and the error shows both spellings`() throws {
    let key = "keyNotFound(pre\u{301}nom)"
    #expect(try refusal(of: Composed(), as: Required.self) == "\(key) ")
    #expect(try refusal(of: Composed(), as: Decomposed.self) == "\(key) ")
    #expect(try refusal(of: [Composed()], as: [Decomposed].self) == "\(key) [0]")
    #expect(try refusal(of: ["pr\u{E9}nom": "Zoe"], as: Decomposed.self) == "\(key) ")
    _ = try reread(Composed(), as: ByHand.self)
    _ = try reread(["pr\u{E9}nom": "Zoe"], as: ByHand.self)
  }

  @Test func `A key is absent where nothing is stored under its other Unicode form`() throws {
    #expect(try reread(Composed(name: nil), as: Decomposed.self).name == nil)
    #expect(try reread(["nom": "Zoe"], as: Decomposed.self).name == nil)
    #expect(try reread(["pre\u{301}nom": "Zoe"], as: Decomposed.self).name == "Zoe")
  }
}
