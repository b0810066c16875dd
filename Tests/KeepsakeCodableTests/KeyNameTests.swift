import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// The keys of records, which types list and read by their names.
@Suite struct `Keys of Codable records` {
  private typealias Key = ModelValue.Key

  /// A record with a number under each present name; the others are left out.
  private struct Source: Encodable {
    var names: [(String, isThere: Bool)]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: ModelValue.Key.self)
      for (number, (name, isThere)) in names.enumerated() {
        try container.encodeIfPresent(isThere ? number : nil, forKey: .init(name))
      }
    }
  }

  /// The keys of a record that a type of coding keys can represent.
  private struct Listed<Keys: CodingKey>: Decodable {
    var names: [String]

    init(from decoder: any Decoder) throws {
      names = try decoder.container(keyedBy: Keys.self).allKeys.map(\.stringValue)
    }
  }

  @Test func `Keys are listed in the order of their bytes, without left-out ones`() throws {
    let cases: [(names: [(String, isThere: Bool)], expected: [String])] = [
      ([], []), ([("a", true)], ["a"]), ([("a", false)], []),
      ([("b", true), ("a", true)], ["a", "b"]), ([("b", true), ("a", false)], ["b"]),
      ([("b", false), ("a", true)], ["a"]), ([("b", false), ("a", false)], []),
      (
        [("\u{E9}", true), ("z", true), ("", true), ("zz", false), ("za", true)],
        ["", "z", "za", "\u{E9}"]
      ),
    ]
    for (names, expected) in cases {
      let source = Source(names: names)
      #expect(try reread(source, as: Listed<Key>.self).names == expected)
      // Records of one shape follow each other in an array.
      let lists = try reread([source, source], as: [Listed<Key>].self)
      #expect(lists.map(\.names) == [expected, expected])
    }
  }

  /// A text under an absent key, and one under an empty name.
  private struct Nameless: Codable {
    var empty = "text"
    var other: String?

    enum CodingKeys: String, CodingKey {
      case empty = ""
      case other
    }
  }

  @Test func `An absent key is nil beside a text under an empty name`() throws {
    let read = try reread(Nameless(), as: Nameless.self)
    #expect(read.empty == "text" && read.other == nil)
  }

  private enum Letter: String, CodingKey { case a, b }

  private struct Number: CodingKey {
    var number: Int
    var stringValue: String { "\(number)" }
    var intValue: Int? { number }

    init?(stringValue: String) {
      guard let number = Int(stringValue) else { return nil }
      self.number = number
    }

    init?(intValue: Int) { number = intValue }
  }

  @Test func `Keys are not listed if the coding key type cannot represent them`() throws {
    func source(_ names: String...) -> Source { Source(names: names.map { ($0, isThere: true) }) }
    #expect(try reread(source("b"), as: Listed<Letter>.self).names == ["b"])
    #expect(try reread(source("c"), as: Listed<Letter>.self).names == [])
    #expect(try reread(source("c", "b", "aa", "a"), as: Listed<Letter>.self).names == ["a", "b"])
    #expect(try reread(source("7"), as: Listed<Number>.self).names == ["7"])
    #expect(try reread(source("x"), as: Listed<Number>.self).names == [])
    #expect(try reread(source("9", "x", "10", ""), as: Listed<Number>.self).names == ["10", "9"])
  }

  /// Names of `byteCount` bytes: one, and those that differ from it in one letter.
  private static func names(_ byteCount: Int, _ letters: [String]) -> [String] {
    let count = byteCount / letters[0].utf8.count
    let rest = String(repeating: "x", count: byteCount - count * letters[0].utf8.count)
    return (0...count).map { place in
      (0..<count).map { letters[$0 == place ? 1 : 0] }.joined() + rest
    }
  }

  /// The numbers of a record under the names in the user info.
  private struct Asking: Decodable {
    static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "names") }
    var numbers: [Int?] = []

    init(from decoder: any Decoder) throws {
      let names = try #require(Self.key.flatMap { decoder.userInfo[$0] as? [String] })
      let container = try decoder.container(keyedBy: ModelValue.Key.self)
      for name in names {
        let number = try container.decodeIfPresent(Int.self, forKey: .init(name))
        #expect(container.contains(.init(name)) == (number != nil))
        if number == nil {
          let error = #expect(throws: DecodingError.self) {
            try container.decode(Int.self, forKey: .init(name))
          }
          #expect(kindAndPath(of: error) == "keyNotFound(\(name)) ")
        }
        numbers.append(number)
      }
    }
  }

  /// Encodes every other name, and reads all of them.
  private func check(_ names: [String]) throws {
    let half = names.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { $0.element }
    let data = try ArchiveEncoder().encode(Source(names: half.map { ($0, isThere: true) }))
    #expect(try Archive(data).verdict() == .canonical)
    var decoder = ArchiveDecoder()
    decoder.userInfo[try #require(Asking.key)] = names
    let numbers = try decoder.decode(Asking.self, from: data).numbers
    #expect(numbers == names.indices.map { $0.isMultiple(of: 2) ? $0 / 2 : nil })
    let table = Dictionary(uniqueKeysWithValues: half.enumerated().map { ($1, $0) })
    #expect(try ArchiveDecoder().decode([String: Int].self, from: data) == table)
    #expect(try roundTrip(table) == table)
  }

  /// Letters of one, two and three bytes that differ in the last of them.
  static let letters = [["m", "n"], ["\u{E9}", "\u{E8}"], ["\u{65E5}", "\u{65E6}"]]

  @Test(arguments: [7, 8, 9, 14, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40, 64], letters)
  func `Keys that differ in one letter are distinguished`(
    byteCount: Int, letters: [String]
  ) throws {
    try check(Self.names(byteCount, letters))
  }

  @Test func `Keys of different lengths are distinguished`() throws {
    for letters in Self.letters {
      try check((3...40).flatMap { Self.names($0, letters).prefix(1) })
      // More keys than are searched one by one.
      try check([16, 15, 17, 33, 32, 31].flatMap { Self.names($0, letters) })
    }
  }
}
