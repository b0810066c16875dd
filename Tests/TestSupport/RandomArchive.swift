package import KeepsakeArchive
import KeepsakeDocuments

/// An archive of random values of all kinds; the same seed gives the same archive.
package struct RandomArchive {
  package var generator: SeededGenerator
  /// True when a value of an unknown kind was made.
  package private(set) var hasUnknown = false
  private let objectCount: UInt32
  private let conditionalCount: UInt32

  package init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    objectCount = UInt32.random(in: 1...6, using: &generator)
    conditionalCount = UInt32.random(in: 0...3, using: &generator)
  }

  package mutating func bytes(limits: ArchiveLimits = .init()) throws -> [UInt8] {
    var writer = ArchiveWriter(
      reserved: ReservedValues(
        bundleVersion: flip() ? "1.2" : nil, userInterfaceIdiom: flip() ? 1 : nil,
        timestamp: flip() ? ArchiveDate(secondsSinceReferenceDate: 7) : nil),
      limits: limits)
    for id in 1...objectCount {
      let record = self.record(depth: 0)
      let optionals = (0..<below(12)).map { _ in flip() ? "text" : nil }
      try writer.writeObject(
        ArchiveObjectID(id), typeName: "T\(below(3))", schemaVersion: UInt32(below(2)),
        template: flip() ? "main" : nil
      ) { coder in
        for (index, text) in optionals.enumerated() {
          coder.encode(text, forKey: ArchiveKey("optional \(index)"))
        }
        coder.encodeFields(of: record)
      }
    }
    for _ in 0..<conditionalCount {
      let id = UInt32(below(Int(objectCount) + 1))
      writer.conditionalObjects.append(id == 0 ? nil : ArchiveObjectID(id))
    }
    let root = UInt32.random(in: 1...objectCount, using: &generator)
    return try writer.finish(root: ArchiveObjectID(root))
  }

  private mutating func flip() -> Bool { Bool.random(using: &generator) }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  private mutating func record(depth: Int) -> DynamicRecord {
    var record = DynamicRecord(
      typeName: flip() ? "" : "V\(below(3))", schemaVersion: UInt32(below(2)))
    for name in ["a", "b", "é", "", "a longer name of a key"].shuffled(using: &generator) {
      if flip() { continue }
      let scope = [[], ["Base"], ["Base", "Root"], [""]][below(4)]
      record.fields.append(.init(scope: scope, key: ArchiveKey(name), value: value(depth: depth)))
    }
    return record
  }

  private mutating func value(depth: Int) -> DynamicValue {
    if depth > 2 { return simple(below(12)) }
    switch below(10) {
    case 0: return .null
    case 1:
      // Elements that share a kind, with or without nils among them.
      let kind = below(12)
      let hasNils = flip()
      return .array((0..<below(12)).map { _ in hasNils && flip() ? .null : simple(kind) })
    case 2: return .array((0..<below(5)).map { _ in value(depth: depth + 1) })
    case 3: return .record(record(depth: depth + 1))
    case 4: return .enumeration(ArchiveKey(["x", "y", ""][below(3)]), record(depth: depth + 1))
    case 5: return .set(Array(keys()))
    case 6: return .dictionary(keys().map { .init(key: $0, value: value(depth: depth + 1)) })
    case 7: return other()
    default: return simple(below(12))
    }
  }

  /// Values that are all different, for keys and members.
  private mutating func keys() -> [DynamicValue] {
    let kind = below(12)
    let isMixed = flip()
    return (0..<below(6)).map { _ in simple(isMixed ? below(12) : kind) }
      .reduce(into: []) { unique, value in
        if !unique.contains(value) { unique.append(value) }
      }
  }

  /// A value of one of the kinds that may be keys.
  private mutating func simple(_ kind: Int) -> DynamicValue {
    let bits = generator.next()
    let text = ["", "a", "ab", "\u{e9}", "e\u{301}", "a text of some length"][below(6)]
    switch kind {
    case 0: return .bool(flip())
    case 1: return .signed(Int64(Int8(truncatingIfNeeded: bits)), bitWidth: 8)
    case 2: return .unsigned(bits & 0xFFFF, bitWidth: 16)
    case 3: return .signed(Int64(bitPattern: bits), bitWidth: 64)
    case 4: return .uint128(UInt128(bits) << 60)
    case 5: return .float16(bitPattern: UInt16(truncatingIfNeeded: bits))
    case 6: return .double(Double(bitPattern: bits))
    case 7: return .string(text)
    case 8: return .bytes(Array(text.utf8.dropFirst()))
    case 9: return .date(ArchiveDate(secondsSinceReferenceDate: Double(below(99))))
    case 10: return .url(ArchiveURL("https://a.example/\(text)"))
    default:
      return ArchiveUUID(bytes: (0..<16).map { _ in UInt8(below(256)) }).map { .uuid($0) } ?? .null
    }
  }

  /// A value of a kind that cannot be a key, or of an unknown kind.
  private mutating func other() -> DynamicValue {
    switch below(5) {
    case 0:
      let id = UInt32(below(Int(objectCount) + 1))
      return .reference(id == 0 ? nil : ArchiveObjectID(id))
    case 1:
      return .conditionalReference(.init(UInt32(below(Int(conditionalCount) + 1))))
    case 2: return .int128(Int128(Int64(bitPattern: generator.next())) << 40)
    default:
      hasUnknown = true
      let tag = ArchiveTag(rawValue: UInt8(20 << 3 | 1 + below(7)))
      if tag.rawValue & 7 == 7 { return .unknown(tag, bytes: [UInt8(below(2))]) }
      let count = [0, 1, 2, 4, 8, 16, below(20)][Int(tag.rawValue & 7)]
      return .unknown(tag, bytes: [UInt8](repeating: 0xAB, count: count))
    }
  }
}
