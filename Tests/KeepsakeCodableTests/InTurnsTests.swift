import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import TestSupport
import Testing

/// Values whose containers are open at the same time are kept until they are complete, and then have the bytes of
/// values that are written at once.
@Suite struct `Values that fill containers alternately` {
  private enum Key: CodingKey { case first, second, inner, leaf, x, y }

  private struct Point: Codable, Equatable { var x, y: Int }

  /// The values of ``Woven``, one part after the other.
  private struct Plain: Encodable {
    var first = Point(x: 1, y: 2)
    var second = Point(x: 3, y: 4)
  }

  private struct Woven: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var first = container.nestedContainer(keyedBy: Key.self, forKey: .first)
      var second = container.nestedContainer(keyedBy: Key.self, forKey: .second)
      try first.encode(1, forKey: .x)
      try second.encode(3, forKey: .x)
      try first.encode(2, forKey: .y)
      try second.encode(4, forKey: .y)
    }
  }

  private struct Holder<Part: Encodable>: Encodable { var part: Part? }

  @Test
  func `Values filled alternately have the bytes of plain ones beside absent ones`() throws {
    func bytes(_ part: some Encodable) throws -> Data {
      try ArchiveEncoder().encode([part, nil, part, nil].map { Holder(part: $0) })
    }
    #expect(try bytes(Woven()) == bytes(Plain()))
  }

  @Test
  func `Values filled alternately have the bytes of plain ones in arrays with nils`() throws {
    let row: [Woven?] = [nil, Woven(), nil, Woven()]
    let plainRow: [Plain?] = [nil, Plain(), nil, Plain()]
    #expect(try ArchiveEncoder().encode(row) == ArchiveEncoder().encode(plainRow))
    let table: [String: Woven?] = ["a": nil, "b": Woven(), "c": Woven()]
    let plainTable: [String: Plain?] = ["a": nil, "b": Plain(), "c": Plain()]
    #expect(try ArchiveEncoder().encode(table) == ArchiveEncoder().encode(plainTable))
  }

  /// Records in records, as deep as in ``Nested``, in containers made by hand.
  private struct ByHand: Encodable {
    var depth: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var other = container.nestedContainer(keyedBy: Key.self, forKey: .first)
      var inner = container
      for _ in 1..<depth { inner = inner.nestedContainer(keyedBy: Key.self, forKey: .inner) }
      try inner.encode(1, forKey: .leaf)
      try other.encode(2, forKey: .x)
    }
  }

  /// Records in records, `depth` levels deep, as values that encode themselves.
  private struct Nested: Encodable {
    var depth: Int
    var isWoven: Bool

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      if isWoven {
        var first = container.nestedContainer(keyedBy: Key.self, forKey: .first)
        try container.encode(1, forKey: .leaf)
        try first.encode(2, forKey: .x)
      }
      if depth > 1 {
        try container.encode(Nested(depth: depth - 1, isWoven: false), forKey: .inner)
      }
    }
  }

  @Test(arguments: [3, 5, 8])
  func `Values filled alternately may nest as deep as plain ones`(limit: Int) throws {
    var encoder = ArchiveEncoder()
    encoder.limits.nestingDepth = limit
    func deepest(_ value: (Int) -> any Encodable) throws -> Int {
      for depth in 2... {
        do {
          let bytes = Array(try encoder.encode(value(depth)))
          try Archive(bytes, limits: encoder.limits).requireCanonical()
        } catch let error as EncodingError {
          guard case .invalidValue(_, let context) = error else { throw error }
          #expect(context.debugDescription.contains("\(limit)"), "\(context)")
          return depth - 1
        }
      }
      return .max
    }
    let plain = try deepest { Nested(depth: $0, isWoven: false) }
    #expect(plain >= limit - 1)
    #expect(try deepest { Nested(depth: $0, isWoven: true) } == plain)
    #expect(try deepest { ByHand(depth: $0) } == plain)
  }

  /// A value that encodes another one of its type below itself.
  private struct Endless: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      var first = container.nestedUnkeyedContainer()
      var second = container.superEncoder().singleValueContainer()
      try first.encode(1)
      try second.encode(Endless())
    }
  }

  @Test func `A value filled alternately that contains itself is refused`() {
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(Endless()) }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.debugDescription.contains("64 levels"))
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  private struct ManyContainers: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Name.self)
      for number in 0..<20 {
        var part = container.nestedContainer(keyedBy: Key.self, forKey: Name("\(number)"))
        try part.encode(number, forKey: .x)
      }
      for number in [0, 20, 3, 20, 21, 21] {
        var part = container.nestedContainer(keyedBy: Key.self, forKey: Name("\(number)"))
        if number >= 20 { try part.encode(number, forKey: .x) }
        try part.encode(number, forKey: .y)
      }
    }
  }

  @Test func `Each of many containers is found again, even the newest`() throws {
    struct Part: Decodable, Equatable { var x: Int; var y: Int? }
    let data = try ArchiveEncoder().encode(ManyContainers())
    let parts = try ArchiveDecoder().decode([String: Part].self, from: data)
    #expect(parts.count == 22)
    for number in 0..<22 {
      let y = [0, 3, 20, 21].contains(number) ? number : nil
      #expect(parts["\(number)"] == Part(x: number, y: y))
    }
  }
}

/// The path of a value that could not be encoded.
@Suite struct `The path of an error` {
  private struct Refusing: Encodable {
    var refuses = true

    func encode(to encoder: any Encoder) throws {
      guard refuses else { return }
      throw EncodingError.invalidValue(
        0, .init(codingPath: encoder.codingPath, debugDescription: "refused"))
    }
  }

  private func path(of value: some Encodable) -> [String] {
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(value) }
    guard case .invalidValue(_, let context) = error else { return [] }
    return context.codingPath.map(\.stringValue)
  }

  private enum Color: String, Codable, CodingKeyRepresentable { case red, green }

  @Test func `The path of an encoding error names the key of a dictionary`() {
    #expect(path(of: ["key": Refusing()]) == ["key"])
    #expect(path(of: [Color.red: Refusing(refuses: false), .green: Refusing()]) == ["green"])
    #expect(path(of: [[true]: Refusing()]).count == 1)
  }

  @Test func `The path of an encoding error has the index in an array`() {
    struct Outer: Encodable {
      struct Inner: Encodable { var deep = Refusing(refuses: false) }
      var first = Inner()
      var list = [Refusing(refuses: false), Refusing()]
    }
    #expect(path(of: Outer()) == ["list", "Index 1"])
  }

  @Test func `The path of an encoding error counts elements written without an encoder`() {
    let quiet = Refusing(refuses: false)
    #expect(path(of: [nil, Refusing()]) == ["Index 1"])
    #expect(path(of: [quiet, nil, Refusing()]) == ["Index 2"])
    #expect(path(of: [[nil, Refusing()], nil] as [[Refusing?]?]) == ["Index 0", "Index 1"])
    #expect(path(of: ["key": nil, "other": Refusing()] as [String: Refusing?]) == ["other"])
    #expect(path(of: [7: ["a": [quiet, Refusing()]]]) == ["7", "a", "Index 1"])
  }
}
