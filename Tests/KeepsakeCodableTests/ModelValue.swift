import FoundationEssentials
import KeepsakeArchive
import KeepsakeDocuments
import TestSupport

/// A value of any form in which types encode themselves, with its expected form in the archive.
indirect enum ModelValue: Encodable {
  case null
  case bool(Bool)
  case int(Int)
  case byte(UInt8)
  case float(Float)
  case string(String)
  case date(Double)
  case data([UInt8])
  case row([ModelValue])
  case numbers([Double])
  case floats([Float])
  case shorts([Int16])
  case texts([String])
  /// Keys in any order, perhaps one of them twice.
  case record([(String, ModelValue)])
  case dictionary([String: ModelValue])
  /// A record and an array that are filled alternately with the outer record.
  case turns([(String, ModelValue)])
  case superclass(ModelValue)
  case nothing

  struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .row(let values): try values.encode(to: encoder)
    case .dictionary(let entries): try entries.encode(to: encoder)
    case .record(let fields):
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in fields { try container.encode(value, forKey: Key(name)) }
    case .turns(let fields): try encodeTurns(fields, to: encoder)
    case .superclass(let value):
      var container = encoder.container(keyedBy: Key.self)
      try container.encode("sub", forKey: Key("name"))
      try value.encode(to: container.superEncoder())
    case .nothing: break
    default: try encodeSingle(to: encoder)
    }
  }

  private func encodeSingle(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .byte(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .date(let seconds): try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let bytes): try container.encode(Data(bytes))
    case .numbers(let values): try container.encode(values)
    case .floats(let values): try container.encode(values)
    case .shorts(let values): try container.encode(values)
    case .texts(let values): try container.encode(values)
    default: try container.encodeNil()
    }
  }

  private func encodeTurns(_ fields: [(String, ModelValue)], to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    var record = container.nestedContainer(keyedBy: Key.self, forKey: Key("inner"))
    var row = container.nestedUnkeyedContainer(forKey: Key("row"))
    for (name, value) in fields {
      try container.encode(value, forKey: Key(name))
      try record.encode(value, forKey: Key(name))
      try row.encode(value)
    }
  }
}

extension ModelValue {
  /// The stored form (Spec/archive.md, section 9).
  var archived: DynamicValue {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let value): .signed(Int64(value), bitWidth: 64)
    case .byte(let value): .unsigned(UInt64(value), bitWidth: 8)
    case .float(let value): .float(value)
    case .string(let value): .string(value)
    case .date(let seconds): .date(ArchiveDate(secondsSinceReferenceDate: seconds))
    case .data(let bytes): .bytes(bytes)
    case .row(let values): .array(values.map(\.archived).resized([8, 16, 32, 64]))
    case .numbers(let values): .array(values.map { .double($0) })
    case .floats(let values): .array(values.map { .float($0) })
    case .shorts(let values): .array(values.map { .signed(Int64($0), bitWidth: 16) })
    case .texts(let values): .array(values.map { .string($0) })
    case .record(let fields): Self.record(fields.map { ($0, $1.archived) })
    case .dictionary(let entries): Self.record(entries.map { ($0, $1.archived) })
    case .turns(let fields):
      Self.record(
        [
          ("inner", ModelValue.record(fields).archived),
          ("row", ModelValue.row(fields.map { $1 }).archived),
        ] + fields.map { ($0, $1.archived) })
    case .superclass(let value):
      Self.record([("name", .string("sub")), ("super", value.archived)])
    case .nothing: Self.record([])
    }
  }

  /// The keys in the order of their bytes, each with its last value.
  private static func record(_ fields: [(String, DynamicValue)]) -> DynamicValue {
    let last = Dictionary(fields, uniquingKeysWith: { $1 })
    let sorted = last.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let values = sorted.map(\.value).resized([32, 64])
    return .record(
      DynamicRecord(
        fields: zip(sorted, values).map { .init(key: ArchiveKey($0.key), value: $1) }))
  }
}

extension [DynamicValue] {
  /// The values with all integers of 64 bits as narrow as possible; only `Int` has 64 bits here.
  func resized(_ widths: [Int]) -> [DynamicValue] {
    let width = widths.first { width in
      allSatisfy {
        guard case .signed(let value, 64) = $0 else { return true }
        return value >= -1 << (width - 1) && value <= Int64.max >> (64 - width)
      }
    }
    return map {
      guard case .signed(let value, 64) = $0 else { return $0 }
      return .signed(value, bitWidth: width ?? 64)
    }
  }
}

extension ModelValue {
  /// A random value.
  init(depth: Int, using random: inout SeededGenerator) {
    func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    func fields() -> [(String, ModelValue)] {
      (0..<below(8)).map { _ in
        ("key\(below(20))", ModelValue(depth: depth - 1, using: &random))
      }
    }
    switch below(depth > 0 ? 20 : 10) {
    case 0: self = .null
    case 1: self = .bool(below(2) == 0)
    case 2: self = .int(below(1000) - 500)
    case 3: self = .byte(UInt8(below(256)))
    case 4: self = .float(Float(below(1000)) / 8)
    case 5: self = .string(String(repeating: "é!", count: below(12)))
    case 6: self = .date(Double(below(1000)))
    case 7:
      // Some are so long that ends take more bytes.
      let count = below(40) == 0 ? [240, 65_500][below(2)] + below(40) : below(20)
      self = .data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    case 8:
      let count = below(4)
      switch below(3) {
      case 0: self = .floats((0..<count).map { Float($0) })
      case 1: self = .shorts((0..<count).map { Int16($0) })
      default: self = .numbers((0..<count).map { Double($0) })
      }
    case 9: self = .texts((0..<below(4)).map { "text \($0)" })
    case 10, 11, 12: self = .record(fields())
    case 13: self = .turns(fields())
    case 14: self = .superclass(ModelValue(depth: depth - 1, using: &random))
    case 15: self = .nothing
    case 16:
      self = .dictionary(Dictionary(fields(), uniquingKeysWith: { $1 }))
    case 17:
      // Elements that share a tag, and perhaps one that does not.
      let first = ModelValue(depth: 0, using: &random)
      let rest = (0..<below(5)).map { _ in
        below(6) == 0 ? ModelValue(depth: depth - 1, using: &random) : first
      }
      self = .row([first] + rest)
    default:
      self = .row((0..<below(5)).map { _ in ModelValue(depth: depth - 1, using: &random) })
    }
  }
}
