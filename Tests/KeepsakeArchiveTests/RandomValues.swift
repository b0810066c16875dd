import KeepsakeArchive
import KeepsakeDocuments
import TestSupport

/// Makes values of every kind, for properties that must hold for all of them.
struct RandomValues {
  var generator: SeededGenerator
  /// References lead to objects 1 to this number, or are nil.
  var objectCount = 1
  var conditionalCount = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// The objects of an archive.
  mutating func objects() -> [DynamicRecord] {
    objectCount = 1 + generator.below(5)
    conditionalCount = generator.below(4)
    var records: [DynamicRecord] = []
    for _ in 0..<objectCount {
      // Objects that repeat the keys of the one before take the writer's fast path.
      if let last = records.last, generator.chance(of: 2) {
        records.append(similar(to: last))
      } else {
        records.append(record(depth: 3, typeName: ["Window", "View", "V"][generator.below(3)]))
      }
    }
    return records
  }

  /// A record of the same type that has most of the keys, each with another value.
  private mutating func similar(to record: DynamicRecord) -> DynamicRecord {
    var result = record
    if generator.chance(of: 3), !result.fields.isEmpty {
      result.fields.remove(at: generator.below(result.fields.count))
    }
    for index in result.fields.indices where generator.chance(of: 3) {
      result.fields[index].value = value(depth: 2)
    }
    return result
  }

  mutating func record(depth: Int, typeName: String) -> DynamicRecord {
    var record = DynamicRecord(
      typeName: typeName, schemaVersion: generator.chance(of: 4) ? 3 : 0)
    var names: Set<[String]> = []
    for _ in 0..<generator.below(generator.chance(of: 5) ? 24 : 6) {
      let scope = (0..<(generator.chance(of: 4) ? generator.below(3) : 0)).map { _ in word() }
      let name = word()
      guard names.insert(scope + [name]).inserted else { continue }
      record.fields.append(
        .init(scope: scope, key: ArchiveKey(name), value: value(depth: depth)))
    }
    return record
  }

  /// One of a few names, so that names repeat.
  private mutating func word() -> String {
    let words = [
      "a", "b", "", "label", "a name of more than fifteen bytes", "\u{0}", "ключ", "$class",
    ]
    return words[generator.below(words.count)]
      + (generator.chance(of: 3) ? "\(generator.below(9))" : "")
  }

  mutating func value(depth: Int) -> DynamicValue {
    if depth > 0, generator.chance(of: 2) { return container(depth: depth - 1) }
    switch generator.below(8) {
    case 0: return .null
    case 1: return .reference(id())
    case 2: return .conditionalReference(.init(UInt32(generator.below(conditionalCount + 1))))
    case 3: return unknown()
    default: return keyable()
    }
  }

  private mutating func id() -> ArchiveObjectID? {
    let id = generator.below(objectCount + 1)
    return id == 0 ? nil : ArchiveObjectID(UInt32(id))
  }

  /// A value of a kind that dictionaries may have as keys.
  private mutating func keyable() -> DynamicValue {
    let bits = generator.chance(of: 3) ? [0, 1, .max][generator.below(3)] : generator.next()
    let width = 8 << generator.below(4)
    switch generator.below(12) {
    case 0: return .bool(bits & 1 == 1)
    case 1: return .signed(Int64(bitPattern: bits) >> Int64(64 - width), bitWidth: width)
    case 2: return .unsigned(bits >> UInt64(64 - width), bitWidth: width)
    case 3: return .int128(Int128(Int64(bitPattern: bits)) << generator.below(64))
    case 4: return .uint128(UInt128(bits) << generator.below(64))
    case 5: return .float16(bitPattern: UInt16(truncatingIfNeeded: bits))
    case 6: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 7: return .double(Double(bitPattern: bits))
    case 8:
      return .bytes(
        (0..<generator.below(20)).map { UInt8(truncatingIfNeeded: $0) ^ UInt8(bits & 3) })
    case 9: return .date(ArchiveDate(secondsSinceReferenceDate: Double(bitPattern: bits)))
    case 10:
      let bytes = (0..<16).map { _ in UInt8(generator.below(3)) }
      return ArchiveUUID(bytes: bytes).map { .uuid($0) } ?? .null
    default: return generator.chance(of: 4) ? .url(ArchiveURL(word())) : .string(word() + word())
    }
  }

  /// A value of a kind that this version does not know.
  private mutating func unknown() -> DynamicValue {
    let width = 1 + generator.below(7)
    let kind = ([17] + Array(19...31))[generator.below(14)]
    let count = width == 6 ? generator.below(20) : [0, 1, 2, 4, 8, 16, 0, 1][width]
    return .unknown(
      ArchiveTag(rawValue: UInt8(kind << 3 | width)),
      bytes: width == 7
        ? [UInt8(generator.below(2))] : (0..<count).map { _ in UInt8(generator.below(256)) })
  }

  private mutating func container(depth: Int) -> DynamicValue {
    let count = generator.below(generator.chance(of: 6) ? 20 : 5)
    switch generator.below(6) {
    case 0: return .array((0..<count).map { _ in value(depth: depth) })
    case 1: return .array(uniform(count))
    case 2: return .record(record(depth: depth, typeName: generator.chance(of: 2) ? "" : "Inner"))
    case 3:
      let name = ArchiveKey(word())
      return .enumeration(name, record(depth: depth, typeName: generator.chance(of: 2) ? "" : "E"))
    case 4: return .set(DynamicValue.sorted(Set((0..<count).map { _ in keyable() })))
    default:
      let keys = DynamicValue.sorted(Set((0..<count).map { _ in keyable() }))
      return .dictionary(keys.map { DynamicEntry(key: $0, value: value(depth: depth)) })
    }
  }

  /// Elements of one kind, perhaps with nils, perhaps with one of another kind at the end.
  private mutating func uniform(_ count: Int) -> [DynamicValue] {
    let hasNil = generator.chance(of: 2)
    let kind = generator.below(9)
    let length = generator.below(3)
    var values: [DynamicValue] = (0..<count).map { index in
      if hasNil, generator.chance(of: 3) { return .null }
      return switch kind {
      case 0: .signed(Int64(index), bitWidth: 16)
      case 1: .string(word())
      case 2: .bool(generator.chance(of: 2))
      case 3: .array([.signed(Int64(index), bitWidth: 8)])
      case 4: .reference(id())
      case 5: .array((0..<length).map { .unsigned(UInt64($0 + index), bitWidth: 16) })
      case 6: .record(DynamicRecord(fields: [.init(key: "x", value: .string(word()))]))
      case 7: .enumeration("c", DynamicRecord(fields: [.init(key: "x", value: .bool(true))]))
      default: .record(DynamicRecord(fields: [.init(key: "x", value: .double(Double(index)))]))
      }
    }
    if generator.chance(of: 4) { values.append(keyable()) }
    return values
  }
}

extension DynamicValue {
  /// Keys or members in the order in which they are stored: by tag, then by encoded bytes.
  static func sorted(_ values: Set<DynamicValue>) -> [DynamicValue] {
    values.sorted { left, right in
      let (one, other) = (left.encodedKey, right.encodedKey)
      return one.tag == other.tag
        ? one.bytes.lexicographicallyPrecedes(other.bytes) : one.tag < other.tag
    }
  }

  /// The tag and the bytes that a key is sorted by, from the specification and without the library.
  private var encodedKey: (tag: UInt8, bytes: [UInt8]) {
    func little(_ tag: UInt8, _ bits: UInt128, _ width: Int) -> (tag: UInt8, bytes: [UInt8]) {
      (tag, (0..<width / 8).map { UInt8(truncatingIfNeeded: bits >> UInt128(8 * $0)) })
    }
    func width(_ count: Int) -> UInt8 { UInt8(count.trailingZeroBitCount - 2) }
    return switch self {
    case .bool(let value): (0x09, [value ? 1 : 0])
    case .signed(let value, let bits):
      little(2 << 3 | width(bits), UInt128(truncatingIfNeeded: value), bits)
    case .unsigned(let value, let bits): little(3 << 3 | width(bits), UInt128(value), bits)
    case .int128(let value): little(0x15, UInt128(truncatingIfNeeded: value), 128)
    case .uint128(let value): little(0x1D, value, 128)
    case .float16(let bits): little(0x22, UInt128(bits), 16)
    case .float(let value): little(0x23, UInt128(value.bitPattern), 32)
    case .double(let value): little(0x24, UInt128(value.bitPattern), 64)
    case .string(let value): (0x2E, Array(value.utf8))
    case .bytes(let value): (0x36, value)
    case .date(let value): little(0x3C, UInt128(value.secondsSinceReferenceDate.bitPattern), 64)
    case .uuid(let value): (0x45, value.bytes)
    case .url(let value): (0x4E, Array(value.string.utf8))
    default: (0xFF, [])
    }
  }
}
