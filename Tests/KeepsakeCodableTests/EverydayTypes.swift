import FoundationEssentials

/// Typical types of apps, made `Codable` in every way by Swift or by their authors.
enum Everyday {
  /// An identifier that encodes itself as its text.
  struct Identifier: Codable, Hashable {
    var text: String
    init(_ text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  /// An identifier that encodes itself as its number.
  struct Number: RawRepresentable, Codable, Hashable {
    var rawValue: Int
  }

  enum Kind: String, Codable, CaseIterable, Hashable { case draft, sent, archived }
  enum Level: Int, Codable, CaseIterable, Hashable { case low = 1, high = 9 }

  /// An enumeration that is a dictionary key like a text.
  enum Language: String, Codable, CodingKeyRepresentable { case english = "en", german = "de" }

  enum Event: Codable, Hashable {
    case opened
    case renamed(String)
    case moved(x: Double, y: Double)
    case paid(Money, on: Date, by: Identifier?)
    indirect case both(Event, Event)
  }

  struct Money: Codable, Hashable {
    var amount: Decimal
    var currency: String
  }

  struct Reference: Codable, Hashable {
    var id: UUID
    var number: Number
    var owner: Identifier?
    var page: URL
    var token: Data
    var changed: Date
    var total: Money?
    var history: [Event]
    var last: Event?
    var scores: [Double?]
    var notes: [String?]
    var prices: [Money?]
    var range: Range<Int>
    var parts: [[Int]]
  }

  struct Index: Codable, Hashable {
    var counts: [Kind: Int]
    var names: [Identifier: Money]
    var levels: [Level: [Event]]
    var texts: [Language: String]
    var kinds: Set<Kind>
    var tags: Set<String>
    var nested: [String: [String: [Number: Bool]]]
  }

  /// Objects in objects.
  final class Folder: Codable, Equatable {
    var name: String
    var inner: Folder?
    init(_ name: String, _ inner: Folder?) { (self.name, self.inner) = (name, inner) }
    static func == (left: Folder, right: Folder) -> Bool {
      left.name == right.name && left.inner == right.inner
    }
  }

  /// A class whose two levels of subclasses encode it in a container of its own.
  class Vehicle: Codable, Equatable {
    var wheels: Int
    var name: String?
    init(wheels: Int, name: String?) { (self.wheels, self.name) = (wheels, name) }
    static func == (left: Vehicle, right: Vehicle) -> Bool { left.facts == right.facts }
    var facts: [String] { ["\(wheels)", name ?? ""] }
  }

  class Car: Vehicle {
    var doors: Int
    enum Keys: CodingKey { case doors }
    init(doors: Int, name: String?) {
      self.doors = doors
      super.init(wheels: 4, name: name)
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      doors = try container.decode(Int.self, forKey: .doors)
      try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try super.encode(to: container.superEncoder())
      try container.encode(doors, forKey: .doors)
    }
    override var facts: [String] { super.facts + ["\(doors)"] }
  }

  final class Taxi: Car {
    var licence: Identifier
    enum Keys: CodingKey { case licence, base }
    init(doors: Int, name: String?, licence: Identifier) {
      self.licence = licence
      super.init(doors: doors, name: name)
    }
    required init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      licence = try container.decode(Identifier.self, forKey: .licence)
      try super.init(from: container.superDecoder(forKey: .base))
    }
    override func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(licence, forKey: .licence)
      try super.encode(to: container.superEncoder(forKey: .base))
    }
    override var facts: [String] { super.facts + [licence.text] }
  }

  /// A place in the form of GeoJSON, with containers in containers by hand.
  struct Place: Codable, Hashable {
    var kind: String
    var points: [[Double]]
    var names: [String: String]
    enum Keys: CodingKey { case type, geometry, properties }
    enum GeometryKeys: CodingKey { case type, coordinates }

    init(kind: String, points: [[Double]], names: [String: String]) {
      (self.kind, self.points, self.names) = (kind, points, names)
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      let geometry = try container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
      kind = try geometry.decode(String.self, forKey: .type)
      var rows = try geometry.nestedUnkeyedContainer(forKey: .coordinates)
      points = []
      while !rows.isAtEnd {
        var row = try rows.nestedUnkeyedContainer()
        points.append([])
        while !row.isAtEnd { points[points.count - 1].append(try row.decode(Double.self)) }
      }
      names = try container.decode([String: String].self, forKey: .properties)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode("Feature", forKey: .type)
      var geometry = container.nestedContainer(keyedBy: GeometryKeys.self, forKey: .geometry)
      try geometry.encode(kind, forKey: .type)
      var rows = geometry.nestedUnkeyedContainer(forKey: .coordinates)
      for point in points {
        var row = rows.nestedUnkeyedContainer()
        for number in point { try row.encode(number) }
      }
      try container.encode(names, forKey: .properties)
    }
  }

  /// Any value of JSON.
  enum JSON: Codable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else if let value = try? container.decode(String.self) {
        self = .text(value)
      } else if let value = try? container.decode([JSON].self) {
        self = .list(value)
      } else {
        self = .object(try container.decode([String: JSON].self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .null: try container.encodeNil()
      case .bool(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      case .list(let values): try container.encode(values)
      case .object(let entries): try container.encode(entries)
      }
    }
  }

  /// A structure whose values are mostly left out.
  struct Sparse: Codable, Hashable {
    var a: Int?
    var b: String?
    var c: Double?
    var d: Money?
    var e: [Int]?
    var f: [String: String]?
    var g: Kind?
    var h: Event?
    var i: Date?
    var j: Bool?
  }
}
