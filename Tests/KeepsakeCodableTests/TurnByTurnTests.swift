import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Values whose containers are filled alternately, so that they are written when all of them are complete, and
/// containers that are opened again while they are read.
@Suite struct `Codable containers filled alternately` {
  typealias Key = `Codable containers that are opened again`.Key
  typealias Custom = `Codable containers that are opened again`.Custom

  /// Encodes a record with two containers that are open at the same time; returns its fields.
  private func fields(
    _ body: @escaping (inout KeyedEncodingContainer<Key>) throws -> Void
  ) throws -> [String: DynamicValue] {
    let value = Custom { encoder in
      var container = encoder.container(keyedBy: Key.self)
      var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("first"))
      var second = container.nestedContainer(keyedBy: Key.self, forKey: Key("second"))
      try first.encode(1, forKey: Key("x"))
      try second.encode(2, forKey: Key("x"))
      try first.encode(3, forKey: Key("y"))
      try body(&container)
    }
    let archive = try Archive(Array(ArchiveEncoder().encode(value)))
    #expect(try archive.verdict() == .canonical)
    guard
      case .record(let record) = try archive.object(archive.rootID).decode(
        DynamicValue.self, forKey: "value")
    else { return [:] }
    return Dictionary(uniqueKeysWithValues: record.fields.map { ($0.key.name, $0.value) })
  }

  @Test func `Values after an absent one are stored`() throws {
    let fields = try fields { container in
      try container.encodeIfPresent(String?.none, forKey: Key("absent"))
      try container.encodeIfPresent(Int?.none, forKey: Key("absent number"))
      try container.encode("z", forKey: Key("after"))
    }
    #expect(Set(fields.keys) == ["first", "second", "after"])
    #expect(fields["after"] == .string("z"))
  }

  @Test func `An encoded nil is kept, and one that is encoded if present is left out`() throws {
    struct Part: Codable { var number = 1 }
    let fields = try fields { container in
      try container.encode(Part?.none, forKey: Key("nil"))
      try container.encode(Part?.some(Part()), forKey: Key("part"))
      try container.encodeNil(forKey: Key("null"))
      try container.encodeIfPresent(Part?.none, forKey: Key("absent"))
    }
    #expect(fields["nil"] == .null && fields["null"] == .null && fields["part"] != nil)
    #expect(fields["absent"] == nil)
  }

  /// Many values are found by a table, even those that are added later.
  @Test(arguments: [0, 15, 16, 17, 18, 40], [0, 1, 16, 17])
  func `Containers filled alternately are found again among many values`(
    before: Int, after: Int
  ) throws {
    let fields = try fields { container in
      for number in 0..<before { try container.encode(number, forKey: Key("before \(number)")) }
      var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("first"))
      try first.encode(4, forKey: Key("z"))
      var late = container.nestedContainer(keyedBy: Key.self, forKey: Key("late"))
      try late.encode(5, forKey: Key("x"))
      for number in 0..<after { try container.encode(number, forKey: Key("after \(number)")) }
      var again = container.nestedContainer(keyedBy: Key.self, forKey: Key("late"))
      try again.encode(6, forKey: Key("y"))
    }
    #expect(fields.count == before + after + 3)
    func keys(_ name: String) -> [String] {
      guard case .record(let record)? = fields[name] else { return [] }
      return record.fields.map(\.key.name)
    }
    #expect(keys("first") == ["x", "y", "z"] && keys("second") == ["x"])
    #expect(keys("late") == ["x", "y"])
  }

  /// Encodes containers in containers, all of them open.
  private func nested(_ count: Int) -> Custom {
    Custom { encoder in
      var containers = [encoder.container(keyedBy: Key.self)]
      for _ in 0..<count {
        var last = containers[containers.count - 1]
        containers.append(last.nestedContainer(keyedBy: Key.self, forKey: Key("a")))
      }
      for index in containers.indices { try containers[index].encode(index, forKey: Key("n")) }
    }
  }

  private struct Nested: Decodable {
    var n: Int
    var a: [Nested]?
    enum Keys: CodingKey { case n, a }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      n = try container.decode(Int.self, forKey: .n)
      a = container.contains(.a) ? [try container.decode(Nested.self, forKey: .a)] : nil
    }
    var depth: Int { 1 + (a?[0].depth ?? 0) }
  }

  @Test(arguments: 1...10)
  func `Containers filled alternately nest as deep as plain ones and no deeper`(count: Int) throws {
    var (encoder, decoder) = (ArchiveEncoder(), ArchiveDecoder())
    encoder.limits.nestingDepth = 8
    decoder.limits.nestingDepth = 8
    // The root object and the value are the first two levels.
    guard count <= 6 else {
      let error = #expect(throws: EncodingError.self) { try encoder.encode(nested(count)) }
      #expect(refusal(of: error)?.text.contains("8") == true)
      // The archive refuses one level too many, and knows no path.
      #expect(refusal(of: error)?.place == (count == 7 ? "" : "a.a.a.a.a.a.a"))
      return
    }
    let read = try decoder.decode(Nested.self, from: encoder.encode(nested(count)))
    #expect(read.depth == count + 1)
  }

  /// Reads its number through one container after the other, and releases each.
  private struct Repeating: Codable, Equatable {
    var numbers: [Int]

    init(_ number: Int) { numbers = [number, number, number] }

    init(from decoder: any Decoder) throws {
      numbers = try (0..<3).map { _ in
        try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: Key("n"))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(numbers[0], forKey: Key("n"))
    }
  }

  @Test func `Containers may be opened again and again while they are read`() throws {
    let values = (0..<50).map { Repeating($0) }
    #expect(try roundTrip(values) == values)
    #expect(try roundTrip([values, [], values]) == [values, [], values])
  }

  @Test func `A nil under a key is distinguished from a value of any type`() throws {
    struct Part: Codable, Equatable { var number = 1 }
    struct Whole: Codable {
      var isThere = false
      var part: Part?
      var list: [Part]?
      enum Keys: CodingKey { case part, list }
      init() {}
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        isThere = container.contains(.part) && container.contains(.list)
        part = try container.decodeIfPresent(Part.self, forKey: .part)
        list = try container.decodeIfPresent([Part].self, forKey: .list)
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encodeNil(forKey: .part)
        try container.encode(list, forKey: .list)
      }
    }
    for whole in try roundTrip([Whole(), Whole(), Whole()]) {
      #expect(whole.isThere && whole.part == nil && whole.list == nil)
    }
  }

  private struct Pair: Encodable {
    var first = ["x": 1]
    var second = Second()
    struct Second: Encodable { var x = 2 }
  }

  /// The values of a pair, in containers that are filled alternately.
  private struct PairInTurns: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var second = container.nestedContainer(keyedBy: Key.self, forKey: Key("second"))
      try container.encode(["x": 1], forKey: Key("first"))
      try second.encode(2, forKey: Key("x"))
    }
  }

  private struct Holder<Value: Encodable>: Encodable {
    var name: String
    var value: Value?
  }

  @Test
  func `Containers filled alternately have the bytes of plain ones beside absent ones`() throws {
    func archive<Value: Encodable>(_ value: Value) throws -> [UInt8] {
      let holders = [
        Holder<Value>(name: "a", value: nil), Holder(name: "b", value: value),
        Holder(name: "c", value: nil),
      ]
      return Array(try ArchiveEncoder().encode(holders))
    }
    #expect(try archive(PairInTurns()) == archive(Pair()))
  }

  @Test func `An element has its own path, whatever was encoded at its level before`() throws {
    struct Whole: Encodable {
      var before = ["inner": Holder(name: "x", value: Pair())]
      var list: [Custom]
    }
    var paths: [[String]] = []
    let note = Custom { encoder in
      paths.append(encoder.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue })
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(Pair(), forKey: Key("pair"))
    }
    _ = try ArchiveEncoder().encode([Whole(list: [note, note, note])])
    #expect(
      paths == (0..<3).map { ["[0]", "list", "[\($0)]"] })
  }
}
