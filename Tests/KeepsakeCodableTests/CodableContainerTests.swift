import KeepsakeCodable
import Testing

@Suite struct `Codable containers` {
  class Animal: Codable {
    var name: String
    init(name: String) { self.name = name }
  }

  /// Keeps the superclass's keys in a container of their own.
  final class Dog: Animal {
    var tricks: [String]
    private enum CodingKeys: String, CodingKey { case name, tricks }

    init(name: String, tricks: [String]) {
      self.tricks = tricks
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      tricks = try container.decode([String].self, forKey: .tricks)
      #expect(try container.decode(String.self, forKey: .name) == "subclass")
      try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(tricks, forKey: .tricks)
      try container.encode("subclass", forKey: .name)
      try super.encode(to: container.superEncoder())
    }
  }

  /// Shares one container with its superclass.
  final class Cat: Animal {
    var lives: Int
    private enum CodingKeys: String, CodingKey { case lives }

    init(name: String, lives: Int) {
      self.lives = lives
      super.init(name: name)
    }

    required init(from decoder: any Decoder) throws {
      lives = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .lives)
      try super.init(from: decoder)
    }

    override func encode(to encoder: any Encoder) throws {
      try super.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(lives, forKey: .lives)
    }
  }

  @Test func `A superclass in a container of its own may use its subclass's keys`() throws {
    let dog = try roundTrip(Dog(name: "Rex", tricks: ["sit", "roll"]))
    #expect(dog.name == "Rex")
    #expect(dog.tricks == ["sit", "roll"])
  }

  @Test func `A superclass may share its subclass's container`() throws {
    let cat = try roundTrip(Cat(name: "Tom", lives: 9))
    #expect(cat.name == "Tom")
    #expect(cat.lives == 9)
  }

  /// Uses every kind of nested container, open at the same time and filled alternately.
  struct Nested: Codable, Equatable {
    var x = 1
    var y = 2
    var row = [3, 4]
    var inner = "five"

    private enum CodingKeys: String, CodingKey { case point, list }
    private enum PointKeys: String, CodingKey { case x, y, text }

    init() {}

    init(from decoder: any Decoder) throws {
      let outer = try decoder.container(keyedBy: CodingKeys.self)
      let point = try outer.nestedContainer(keyedBy: PointKeys.self, forKey: .point)
      x = try point.decode(Int.self, forKey: .x)
      y = try point.decode(Int.self, forKey: .y)
      var list = try outer.nestedUnkeyedContainer(forKey: .list)
      var row = try list.nestedUnkeyedContainer()
      self.row = try [row.decode(Int.self), row.decode(Int.self)]
      #expect(row.isAtEnd)
      let keyed = try list.nestedContainer(keyedBy: PointKeys.self)
      inner = try keyed.decode(String.self, forKey: .text)
      #expect(try String(from: list.superDecoder()) == "six")
      #expect(list.currentIndex == 3)
    }

    func encode(to encoder: any Encoder) throws {
      var outer = encoder.container(keyedBy: CodingKeys.self)
      var list = outer.nestedUnkeyedContainer(forKey: .list)
      var point = outer.nestedContainer(keyedBy: PointKeys.self, forKey: .point)
      try point.encode(x, forKey: .x)
      var row = list.nestedUnkeyedContainer()
      var keyed = list.nestedContainer(keyedBy: PointKeys.self)
      try "six".encode(to: list.superEncoder())
      #expect(list.count == 3)
      for number in self.row { try row.encode(number) }
      var again = outer.nestedContainer(keyedBy: PointKeys.self, forKey: .point)
      try again.encode(y, forKey: .y)
      try keyed.encode(inner, forKey: .text)
    }
  }

  @Test func `Nested containers can be filled alternately`() throws {
    #expect(try roundTrip(Nested()) == Nested())
  }

  struct Nothing: Codable, Equatable {
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {}
  }

  @Test func `A value that encodes nothing is read back`() throws {
    #expect(try roundTrip(Nothing()) == Nothing())
    #expect(try roundTrip([Nothing(), Nothing()]) == [Nothing(), Nothing()])
    #expect(try roundTrip(Box(value: Nothing())) == Box(value: Nothing()))
  }

  @Test func `The last value written under a key is stored`() throws {
    struct Twice: Encodable {
      enum CodingKeys: CodingKey { case value }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .value)
        try container.encode("two", forKey: .value)
      }
    }
    #expect(try reread(Twice(), as: Box<String>.self).value == "two")
  }

  @Test func `A container lists its keys and tells which ones it contains`() throws {
    struct Keys: Decodable {
      var found: [String]
      private enum CodingKeys: String, CodingKey { case a, b, c }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        found = container.allKeys.map(\.stringValue).sorted()
        #expect(container.contains(.a) && !container.contains(.c))
        #expect(try container.decodeNil(forKey: .b))
        #expect(try container.decodeIfPresent(Int.self, forKey: .b) == nil)
        #expect(try container.decodeIfPresent(Int.self, forKey: .c) == nil)
      }
    }
    struct Source: Encodable {
      enum CodingKeys: CodingKey { case a, b, other }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .a)
        try container.encodeNil(forKey: .b)
        try container.encode(2, forKey: .other)
      }
    }
    #expect(try reread(Source(), as: Keys.self).found == ["a", "b"])
  }

  @Test func `User information reaches nested values`() throws {
    struct Informed: Codable {
      static let key = CodingUserInfoKey(rawValue: "unit")
      var unit: String
      init() { unit = "" }
      init(from decoder: any Decoder) throws {
        let stored = try decoder.singleValueContainer().decode(String.self)
        unit = stored + " " + (Self.key.flatMap { decoder.userInfo[$0] as? String } ?? "")
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.key.flatMap { encoder.userInfo[$0] as? String } ?? "")
      }
    }
    let key = try #require(Informed.key)
    var encoder = ArchiveEncoder()
    encoder.userInfo[key] = "metres"
    var decoder = ArchiveDecoder()
    decoder.userInfo[key] = "feet"
    let data = try encoder.encode([Informed()])
    #expect(try decoder.decode([Informed].self, from: data).map(\.unit) == ["metres feet"])
  }

  @Test func `A superclass that wrote nothing is read as nil`() throws {
    struct Subclass: Decodable {
      enum CodingKeys: CodingKey { case value, absent }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        #expect(try container.superDecoder().singleValueContainer().decodeNil())
        #expect(try container.superDecoder(forKey: .absent).singleValueContainer().decodeNil())
        #expect(try Int(from: container.superDecoder(forKey: .value)) == 1)
      }
    }
    _ = try reread(Box(value: 1), as: Subclass.self)
  }
}
