import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// A type with dynamic keys: a value under each of `count` names.
private struct Names<Value: Codable & Equatable>: Codable, Equatable {
  var values: [String: Value]
  /// The number of names that are encoded a second time, and of further names that are left out.
  var repeated = 0
  var omitted = 0

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(count: Int, value: (Int) -> Value) {
    values = [:]
    values.reserveCapacity(count)
    for index in 0..<count { values[String(index, radix: 16)] = value(index) }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    values = [:]
    for key in container.allKeys {
      values[key.stringValue] = try container.decode(Value.self, forKey: key)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in values { try container.encode(value, forKey: Key(name)) }
    for name in values.keys.sorted().prefix(repeated) {
      try container.encode(values[name], forKey: Key(name))
    }
    for index in 0..<omitted {
      try container.encodeIfPresent(Value?.none, forKey: Key("omitted \(index)"))
    }
  }

  static func == (left: Self, right: Self) -> Bool { left.values == right.values }
}

@Suite struct `A keyed container of many keys` {
  /// True when a value is stored as a record, false for a dictionary; nil for another value.
  private func isRecord(_ value: some Encodable) throws -> Bool? {
    switch try storedValue(of: value) {
    case .record: true
    case .dictionary: false
    default: nil
    }
  }

  @Test(arguments: [65_534, 65_535, 65_536])
  func `A keyed container of more keys than a shape has words is a dictionary`(_ count: Int) throws
  {
    let value = Names(count: count) { $0 }
    #expect(try isRecord(value) == (count <= 65_535))
    #expect(try roundTrip(value) == value)
    #expect(try reread(value, as: [String: Int].self) == value.values)
  }

  @Test func `A keyed container of many keys has the bytes of the specification's vector`() throws {
    let vector = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(
        path: "Spec/Vectors/archive/65-536-keys-of-a-keyed-container-of-codable.archive")
    let value = Names(count: 65_536) { $0 % 2 == 0 }
    let bytes = try ArchiveEncoder().encode(value)
    #expect(try bytes == Data(contentsOf: vector))
  }

  @Test func `A keyed container takes two words for each inline record`() throws {
    for count in [32_767, 32_768] {
      let value = Names(count: count) { Box(value: $0) }
      #expect(try isRecord(value) == (count == 32_767))
      #expect(try roundTrip(value) == value)
    }
  }

  @Test
  func `A keyed container of many keys holds the last value of each key, and no omitted one`()
    throws
  {
    var value = Names(count: 65_535) { "\($0)" }
    value.repeated = 10
    #expect(try isRecord(value) == true)
    #expect(try roundTrip(value) == value)
    value.omitted = 1
    #expect(try isRecord(value) == false)
    #expect(try roundTrip(value) == value)
  }

  @Test
  func `A large keyed container is read back in other values and beside small ones`()
    throws
  {
    let large = Names(count: 65_536) { $0 % 2 == 0 }
    let small = Names(count: 3) { $0 % 2 == 0 }
    let value = [small, large, small]
    #expect(try roundTrip(value) == value)
    #expect(try roundTrip(Box(value: large)) == Box(value: large))
    #expect(try roundTrip(["a": Optional(large)]) == ["a": large])
    guard case .array(let stored) = try storedValue(of: value), stored.count == 3,
      case .record = stored[0], case .dictionary = stored[1], case .record = stored[2]
    else {
      Issue.record("not an array of records and a dictionary")
      return
    }
  }

  /// Fills a container that it opens by hand, or two alternately.
  private struct ByHand: Encodable {
    var count: Int
    var isInTurns: Bool
    enum CodingKeys: CodingKey { case first, second }
    typealias Name = Names<Int>.Key

    func encode(to encoder: any Encoder) throws {
      var outer = encoder.container(keyedBy: CodingKeys.self)
      var first = outer.nestedContainer(keyedBy: Name.self, forKey: .first)
      if isInTurns {
        var second = outer.nestedContainer(keyedBy: Name.self, forKey: .second)
        for index in 0..<count {
          try first.encode(index, forKey: Name("\(index)"))
          if index < 10 { try second.encode(index, forKey: Name("\(index)")) }
        }
      } else {
        for index in 0..<count { try first.encode(index, forKey: Name("\(index)")) }
        try outer.encode(["0": 0], forKey: .second)
      }
    }
  }

  @Test(arguments: [false, true])
  func `A nested container of many keys is a dictionary when it is opened by hand`(
    _ isInTurns: Bool
  ) throws {
    for count in [65_535, 65_536] {
      let stored = try reread(
        ByHand(count: count, isInTurns: isInTurns), as: [String: [String: Int]].self)
      #expect(stored["first"]?.count == count && stored["first"]?["65000"] == 65_000)
      #expect(stored["second"]?["0"] == 0)
      guard
        case .record(let record) = try storedValue(
          of: ByHand(count: count, isInTurns: isInTurns))
      else {
        Issue.record("not a record")
        continue
      }
      let isRecord = if case .record = record.fields[0].value { true } else { false }
      #expect(isRecord == (count == 65_535))
    }
  }

  @Test func `A keyed container of many keys is read back when another one contains it`() throws {
    var value = Nested(names: Names(count: 65_536) { $0 })
    value = Nested(names: value.names, inner: [value])
    let data = try ArchiveEncoder().encode(value)
    #expect(try ArchiveDecoder().decode(Depth.self, from: data).depth == 1)
  }

  private struct Nested: Encodable {
    var names: Names<Int>
    var inner: [Nested] = []

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Names<Int>.Key.self)
      for (name, value) in names.values { try container.encode(value, forKey: .init(name)) }
      try container.encode(inner, forKey: .init("inner"))
    }
  }

  private struct Depth: Decodable {
    var depth: Int

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Names<Int>.Key.self)
      let inner = try container.decode([Depth].self, forKey: .init("inner"))
      depth = (inner.first?.depth).map { $0 + 1 } ?? 0
    }
  }
}
