import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import Testing

/// Containers are used again for the next value, but never while somebody has them.
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
    var name: String
    var number: Int
  }

  private let items = (0..<4).map { Item(name: "item \($0)", number: $0) }

  @Test func `read their own value when others were decoded`() throws {
    let lazy = try ArchiveDecoder().decode([Lazy].self, from: ArchiveEncoder().encode(items))
    for (kept, item) in zip(lazy, items) {
      #expect(try kept.container.decode(String.self, forKey: .name) == item.name)
      #expect(try kept.container.decode(Int.self, forKey: .number) == item.number)
      #expect(try Item(from: kept.decoder) == item)
    }
    #expect(lazy[2].decoder.codingPath.map(\.intValue) == [2])
  }

  @Test func `let go of the archive with their last user`() throws {
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

  @Test func `let go of what an encoder had`() throws {
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

  @Test func `let go of values that filled containers in turns`() throws {
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

/// A value that opens containers in containers by hand and fills them in turns.
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
