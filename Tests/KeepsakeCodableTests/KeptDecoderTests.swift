import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// A container is reused for the next value, but never while something refers to it.
@Suite struct `Decoders and containers that are kept` {
  enum CodingKeys: CodingKey { case name, number }

  struct Lazy: Decodable {
    var container: KeyedDecodingContainer<CodingKeys>
    var decoder: any Decoder

    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: CodingKeys.self)
      self.decoder = decoder
    }
  }

  struct Item: Codable, Equatable {
    enum Names: CodingKey { case name, number }

    var name: String
    var number: Int
  }

  private let items = (0..<4).map { Item(name: "item \($0)", number: $0) }

  @Test func `Kept decoders read their own value after others were decoded`() throws {
    let lazy = try ArchiveDecoder().decode([Lazy].self, from: ArchiveEncoder().encode(items))
    for (kept, item) in zip(lazy, items) {
      #expect(try kept.container.decode(String.self, forKey: .name) == item.name)
      #expect(try kept.container.decode(Int.self, forKey: .number) == item.number)
      #expect(try Item(from: kept.decoder) == item)
    }
    #expect(lazy[2].decoder.codingPath.map(\.intValue) == [2])
    // A container that is opened now has its own path, and keeps it.
    let late = try lazy.map { try $0.decoder.container(keyedBy: CodingKeys.self) }
    #expect(late.map { $0.codingPath.map(\.intValue) } == [[0], [1], [2], [3]])
    #expect(try late.map { try $0.decode(Int.self, forKey: .number) } == items.map(\.number))
  }

  /// A value that keeps one container, and opens others again and again.
  struct Keeper: Decodable {
    enum Number: CodingKey { case number }
    enum Name: CodingKey { case name }
    enum Other: CodingKey { case name, number }
    var number: KeyedDecodingContainer<Number>
    var names: [String] = []

    init(from decoder: any Decoder) throws {
      number = try decoder.container(keyedBy: Number.self)
      for _ in 0..<2 {
        names.append(
          try decoder.container(keyedBy: Name.self).decode(String.self, forKey: .name))
        names.append(
          try decoder.container(keyedBy: Other.self).decode(String.self, forKey: .name))
      }
    }
  }

  @Test func `Kept containers read their own value after others were opened twice`() throws {
    let many = items + items + items
    let keepers = try ArchiveDecoder().decode([Keeper].self, from: ArchiveEncoder().encode(many))
    for (index, keeper) in keepers.enumerated() {
      #expect(keeper.names == Array(repeating: many[index].name, count: 4))
      #expect(try keeper.number.decode(Int.self, forKey: .number) == many[index].number)
      #expect(keeper.number.codingPath.map(\.intValue) == [index])
    }
  }

  @Test func `Errors of a new container of a kept decoder have its path`() throws {
    let lazy = try ArchiveDecoder().decode([Lazy].self, from: ArchiveEncoder().encode(items))
    let containers = try lazy.map { try $0.decoder.container(keyedBy: Item.Names.self) }
    for (index, container) in containers.enumerated() {
      let error = #expect(throws: DecodingError.self) {
        try container.decode(Int.self, forKey: .name)
      }
      guard case .typeMismatch(_, let context) = error else {
        Issue.record("\(error as Any)")
        continue
      }
      #expect(context.codingPath.map(\.stringValue) == ["Index \(index)", "name"])
    }
  }

  /// A value that keeps containers and decoders of its parts, but not its own container.
  struct LazyGroup: Decodable {
    struct Inner: Decodable {
      enum CodingKeys: CodingKey { case name, number }
      var container: KeyedDecodingContainer<CodingKeys>

      init(from decoder: any Decoder) throws {
        container = try decoder.container(keyedBy: CodingKeys.self)
      }
    }

    enum CodingKeys: CodingKey { case first, second, rest }
    var first: Item
    var second: Inner
    var rest: [Lazy]
    var decoders: [any Decoder]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      first = try container.decode(Item.self, forKey: .first)
      second = try container.decode(Inner.self, forKey: .second)
      rest = try container.decode([Lazy].self, forKey: .rest)
      decoders = [try container.superDecoder(forKey: .first)]
    }
  }

  struct Group: Encodable {
    var first: Item
    var second: Item
    var rest: [Item]
  }

  @Test func `Kept decoders of several kinds read their own values`() throws {
    let groups = items.map { Group(first: $0, second: $0, rest: items) }
    let kept = try ArchiveDecoder().decode([LazyGroup].self, from: ArchiveEncoder().encode(groups))
    for (index, group) in kept.enumerated() {
      #expect(group.first == items[index])
      #expect(try group.second.container.decode(String.self, forKey: .name) == items[index].name)
      #expect(group.second.container.codingPath.map(\.stringValue) == ["Index \(index)", "second"])
      #expect(try group.rest.map { try Item(from: $0.decoder) } == items)
      #expect(try Item(from: group.decoders[0]) == items[index])
      let path = ["Index \(index)", "rest", "Index 3"]
      #expect(group.rest[3].decoder.codingPath.map(\.stringValue) == path)
      #expect(group.rest[3].container.codingPath.map(\.stringValue) == path)
      let error = #expect(throws: DecodingError.self) {
        try group.rest[3].container.decode(Int.self, forKey: .name)
      }
      guard case .typeMismatch(_, let context) = error else {
        Issue.record("another error")
        continue
      }
      #expect(context.codingPath.map(\.stringValue) == path + ["name"])
    }
  }

  /// A value that opens a container again while it has one, and releases both.
  struct Doubled: Decodable {
    var names: [String]

    init(from decoder: any Decoder) throws {
      let one = try decoder.container(keyedBy: CodingKeys.self)
      let other = try decoder.container(keyedBy: CodingKeys.self)
      names = [try one.decode(String.self, forKey: .name)]
      names.append(try other.decode(String.self, forKey: .name))
      let third = try decoder.container(keyedBy: CodingKeys.self)
      names.append(try third.decode(String.self, forKey: .name))
    }
  }

  @Test func `Containers of the same value are independent`() throws {
    let doubled = try ArchiveDecoder().decode([Doubled].self, from: ArchiveEncoder().encode(items))
    #expect(doubled.map(\.names) == items.map { [$0.name, $0.name, $0.name] })
  }

  /// A value that opens the same container again and again, and releases each.
  struct Dropping: Decodable {
    var name: String

    init(from decoder: any Decoder) throws {
      for _ in 0..<3 { _ = try decoder.container(keyedBy: CodingKeys.self) }
      _ = try decoder.container(keyedBy: Item.Names.self)
      name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
  }

  @Test func `Released containers can be opened again by the same value`() throws {
    let decoded = try ArchiveDecoder().decode([Dropping].self, from: ArchiveEncoder().encode(items))
    #expect(decoded.map(\.name) == items.map(\.name))
  }

  @Test func `A nil that was encoded by itself is read as nil`() throws {
    struct Empty: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeNil(forKey: .name)
        try container.encodeNil(forKey: .number)
      }
    }
    struct Parts: Decodable {
      var name: [Item]?
      var number: Item?
    }
    let parts = try ArchiveDecoder().decode(Parts.self, from: ArchiveEncoder().encode(Empty()))
    #expect(parts.name == nil && parts.number == nil)
  }

  /// A type with other coding keys for each `Tag`.
  struct Tagged<Tag: Sendable>: Codable, Equatable {
    var value: Int
  }

  /// The value has more than 16 types of keys at a level, and more types of values than the initial table of types.
  @Test func `Values with more types of keys than the cache holds are read back`() throws {
    let many = Many()
    let data = try ArchiveEncoder().encode([many, many])
    #expect(try Archive(Array(data)).verdict() == .canonical)
    #expect(try ArchiveDecoder().decode([Many].self, from: data) == [many, many])
  }

  struct Many: Codable, Equatable {
    var a = Tagged<Int>(value: 1)
    var b = Tagged<Int8>(value: 2)
    var c = Tagged<Int16>(value: 3)
    var d = Tagged<Int32>(value: 4)
    var e = Tagged<Int64>(value: 5)
    var f = Tagged<UInt>(value: 6)
    var g = Tagged<UInt8>(value: 7)
    var h = Tagged<UInt16>(value: 8)
    var i = Tagged<UInt32>(value: 9)
    var j = Tagged<UInt64>(value: 10)
    var k = Tagged<Bool>(value: 11)
    var l = Tagged<String>(value: 12)
    var m = Tagged<Double>(value: 13)
    var n = Tagged<Float>(value: 14)
    var o = Tagged<Character>(value: 15)
    var p = Tagged<[Int]>(value: 16)
    var q = Tagged<[String]>(value: 17)
    var r = Tagged<Int?>(value: 18)
    var s = Tagged<Int>(value: 19)
    var t0 = Tagged<[Int8]>(value: 20)
    var t1 = Tagged<[Int16]>(value: 21)
    var t2 = Tagged<[Int32]>(value: 22)
    var t3 = Tagged<[Int64]>(value: 23)
    var t4 = Tagged<[UInt]>(value: 24)
    var t5 = Tagged<[UInt8]>(value: 25)
    var t6 = Tagged<[UInt16]>(value: 26)
    var t7 = Tagged<[UInt32]>(value: 27)
    var t8 = Tagged<[UInt64]>(value: 28)
    var t9 = Tagged<[Bool]>(value: 29)
    var t10 = Tagged<[Double]>(value: 30)
    var t11 = Tagged<[Float]>(value: 31)
    var t12 = Tagged<[Character]>(value: 32)
    var t13 = Tagged<[[Int]]>(value: 33)
    var t14 = Tagged<Int8?>(value: 34)
    var t15 = Tagged<Int16?>(value: 35)
    var t16 = Tagged<Int32?>(value: 36)
    var t17 = Tagged<Int64?>(value: 37)
  }

  @Test func `The user info of a call is released with its last decoder`() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      var decoder = ArchiveDecoder()
      decoder.userInfo[try #require(CodingUserInfoKey(rawValue: "held"))] = held
      var lazy = try decoder.decode([Lazy].self, from: ArchiveEncoder().encode(items))
      _ = try Item(from: lazy[0].decoder)
      lazy.removeAll()
    }
    #expect(witness == nil)
  }

  @Test func `An encoder's user info is released after the call`() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      var encoder = ArchiveEncoder()
      encoder.userInfo[try #require(CodingUserInfoKey(rawValue: "held"))] = held
      _ = try encoder.encode([items, items])
    }
    #expect(witness == nil)
  }

  @Test func `User info is released after keys that are records were encoded`() throws {
    struct Place: Codable, Hashable { var column, row: Int }
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      var encoder = ArchiveEncoder()
      encoder.userInfo[try #require(CodingUserInfoKey(rawValue: "held"))] = held
      let board = [Place(column: 1, row: 2): "rook", Place(column: 3, row: 4): "king"]
      for _ in 0..<3 { _ = try encoder.encode([board, board, board]) }
    }
    #expect(witness == nil)
  }

  @Test func `User info is released after values that filled containers alternately`() throws {
    final class Witness: Sendable {}
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      var encoder = ArchiveEncoder()
      encoder.userInfo[try #require(CodingUserInfoKey(rawValue: "held"))] = held
      let bytes = try encoder.encode([Woven(), Woven()])
      #expect(try Archive(Array(bytes)).verdict() == .canonical)
    }
    #expect(witness == nil)
  }
}

/// A value that opens containers in containers by hand and fills them alternately.
private struct Woven: Encodable {
  private enum Key: CodingKey { case first, second, rest }

  func encode(to encoder: any Encoder) throws {
    var outer = encoder.container(keyedBy: Key.self)
    var first = outer.nestedUnkeyedContainer(forKey: .first)
    var second = outer.nestedContainer(keyedBy: Key.self, forKey: .second)
    while first.count < 3 {
      try first.encode(first.count)
      var inner = first.nestedUnkeyedContainer()
      try inner.encode("in")
      try second.encode(first.count, forKey: .rest)
    }
    try ["super"].encode(to: outer.superEncoder())
    try second.encode(true, forKey: .first)
  }
}
