import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Typical types of apps are read back, alone and in arrays, in the first call and in later ones.
@Suite struct `Everyday types` {
  private func check<Value: Codable & Equatable>(_ values: [Value]) throws {
    let row = try ArchiveEncoder().encode(values)
    #expect(try Archive(Array(row)).verdict() == .canonical)
    #expect(try ArchiveDecoder().decode([Value].self, from: row) == values)
    for value in values + values {
      let bytes = try ArchiveEncoder().encode(value)
      #expect(try Archive(Array(bytes)).verdict() == .canonical)
      #expect(try ArchiveDecoder().decode(Value.self, from: bytes) == value)
    }
    // The calls in between left nothing behind.
    #expect(try ArchiveEncoder().encode(values) == row)
  }

  private let money = Everyday.Money(amount: 12, currency: "EUR")
  private let date = Date(timeIntervalSinceReferenceDate: 0.1)

  private var events: [Everyday.Event] {
    [
      .opened, .renamed("Käse"), .moved(x: 1, y: -0.5), .paid(money, on: date, by: nil),
      .paid(money, on: date, by: .init("me")), .both(.opened, .both(.renamed(""), .opened)),
      .renamed(String(repeating: "long ", count: 40)), .opened,
    ]
  }

  private func reference(_ number: Int) throws -> Everyday.Reference {
    Everyday.Reference(
      id: UUID(), number: .init(rawValue: number), owner: number % 2 == 0 ? nil : .init("owner"),
      page: try #require(URL(string: "https://example.com/\(number)")),
      token: Data(repeating: UInt8(number), count: 20 * number), changed: date,
      total: number % 3 == 0 ? nil : money, history: Array(events.prefix(number)),
      last: number == 1 ? nil : events[number], scores: [1, nil, 2.5].dropLast(number % 3),
      notes: number % 2 == 0 ? [nil, "note"] : [], prices: [money, nil].dropLast(number % 3),
      range: 0..<number, parts: [[], [number], [1, 1 << 40]])
  }

  @Test func `Identifiers are read back`() throws {
    try check(["", "a", "an identifier of some length"].map { Everyday.Identifier($0) })
    try check([0, 1, -1, Int.max].map { Everyday.Number(rawValue: $0) })
    try check(Everyday.Kind.allCases)
    try check(Everyday.Level.allCases)
  }

  @Test func `Enumerations with values are read back`() throws {
    try check(events)
    try check([events, [], events.reversed()])
    try check(events.map { ["first": $0, "second": .opened] })
  }

  @Test func `A structure with many kinds of properties is read back`() throws {
    try check((0..<6).map { try reference($0) })
  }

  @Test func `Types with dictionaries and sets are read back`() throws {
    try check([
      Everyday.Index(
        counts: [.sent: 2, .draft: 1], names: [.init("b"): money, .init("a"): money],
        levels: [.high: events, .low: []], texts: [.german: "ja", .english: "yes"],
        kinds: [.archived, .draft], tags: ["x", "y"],
        nested: ["a": ["b": [.init(rawValue: 7): true, .init(rawValue: -7): false]], "c": [:]]),
      Everyday.Index(
        counts: [:], names: [:], levels: [:], texts: [:], kinds: [], tags: [], nested: [:]),
    ])
  }

  @Test func `Objects that nest up to 59 levels deep are read back`() throws {
    try check(
      (1..<60).map { depth in
        (0..<depth).reduce(nil as Everyday.Folder?) { .init("\($1)", $0) }
      })
  }

  @Test func `Classes with superclasses are read back`() throws {
    try check([
      Everyday.Car(doors: 3, name: nil), Everyday.Car(doors: 5, name: "red"),
      Everyday.Car(doors: 0, name: nil),
    ])
    try check([
      Everyday.Taxi(doors: 4, name: "yellow", licence: .init("T 1")),
      Everyday.Taxi(doors: 4, name: nil, licence: .init("T 2")),
    ])
  }

  @Test func `Types with containers in containers are read back`() throws {
    try check([
      Everyday.Place(kind: "LineString", points: [[1, 2], [3, 4.5]], names: ["name": "road"]),
      Everyday.Place(kind: "Point", points: [[]], names: [:]),
      Everyday.Place(kind: "Empty", points: [], names: ["a": "b", "c": "d"]),
    ])
    try check([
      Everyday.JSON.object(["a": .list([.null, .bool(true), .number(1), .text("é")])]), .null,
      .list([.object([:]), .list([])]), .text("alone"), .number(2),
    ])
  }

  @Test func `Types with most properties left out are read back`() throws {
    try check([
      Everyday.Sparse(), Everyday.Sparse(a: 1), Everyday.Sparse(d: money, h: .renamed("x")),
      Everyday.Sparse(e: [], f: [:], g: .sent, i: date), Everyday.Sparse(b: "", c: 0, j: false),
      Everyday.Sparse(),
    ])
  }

  /// Reads a value back, then boxes of it, each of which is a type of its own.
  private func checkBoxes<Value: Codable & Equatable>(_ value: Value, _ count: Int) throws {
    #expect(try reread(value, as: Value.self) == value)
    if count > 0 { try checkBoxes(Box(value: value), count - 1) }
  }

  @Test func `Values of many types are read back`() throws {
    try checkBoxes(1, 50)
  }
}
