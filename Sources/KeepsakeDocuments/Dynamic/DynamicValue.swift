public import KeepsakeArchive

/// One stored value of any kind, for inspectors, comparison and migration.
///
/// Equality is that of the stored bits: a NaN equals itself, 0 and -0 differ, and strings are
/// compared by their bytes.
public enum DynamicValue: Sendable {
  /// A nil.
  case null
  /// A truth value.
  case bool(Bool)
  /// A signed integer and the number of bits that it is stored in: 8, 16, 32 or 64.
  case signed(Int64, bitWidth: Int)
  /// An unsigned integer and the number of bits that it is stored in: 8, 16, 32 or 64.
  case unsigned(UInt64, bitWidth: Int)
  /// A signed integer stored in 128 bits.
  case int128(Int128)
  /// An unsigned integer stored in 128 bits.
  case uint128(UInt128)
  /// A floating-point number of 16 bits, given as its bits, since not every platform has the type.
  case float16(bitPattern: UInt16)
  /// A floating-point number of 32 bits.
  case float(Float)
  /// A floating-point number of 64 bits.
  case double(Double)
  /// A string.
  case string(String)
  /// A run of bytes.
  case bytes([UInt8])
  /// A point in time.
  case date(ArchiveDate)
  /// A universally unique identifier.
  case uuid(ArchiveUUID)
  /// A URL.
  case url(ArchiveURL)
  /// A sequence of values.
  case array(DynamicValues)
  /// Values under keys that are values, in the order in which they are stored.
  case dictionary(DynamicEntries)
  /// Distinct values, in the order in which they are stored.
  case set(DynamicValues)
  /// A nested value with its own keys.
  case record(DynamicRecord)
  /// A case of an enumeration with its values.
  indirect case enumeration(ArchiveKey, DynamicRecord)
  /// A reference to an object; nil for an empty reference.
  case reference(ArchiveObjectID?)
  /// A conditional reference by its number; `Archive.conditionalObjects` lists the objects.
  case conditionalReference(ArchiveConditionalReference)
  /// A value of a kind, or an array of a form, that this version does not know: its tag and its bytes.
  case unknown(ArchiveTag, bytes: [UInt8])
}

extension DynamicValue: Hashable {
  /// Returns whether both values are stored as the same bits.
  public static func == (left: DynamicValue, right: DynamicValue) -> Bool {
    if let one = StoredScalar(left), let other = StoredScalar(right) { return one == other }
    return switch (left, right) {
    case (.null, .null): true
    // Integers that do not fit their widths.
    case (.signed(let one, let width), .signed(let other, let otherWidth)):
      one == other && width == otherWidth
    case (.unsigned(let one, let width), .unsigned(let other, let otherWidth)):
      one == other && width == otherWidth
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.bytes(let one), .bytes(let other)): one == other
    case (.url(let one), .url(let other)): one.string.hasSameBytes(as: other.string)
    case (.array(let one), .array(let other)): one == other
    case (.dictionary(let one), .dictionary(let other)): one == other
    case (.set(let one), .set(let other)): one == other
    case (.record(let one), .record(let other)): one == other
    case (.enumeration(let one, let values), .enumeration(let other, let otherValues)):
      one == other && values == otherValues
    case (.reference(let one), .reference(let other)): one == other
    case (.conditionalReference(let one), .conditionalReference(let other)): one == other
    case (.unknown(let tag, let one), .unknown(let otherTag, let other)):
      tag == otherTag && one == other
    default: false
    }
  }

  /// Feeds the kind and the stored bits to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storedTag)
    if let scalar = StoredScalar(self) { return hasher.combine(scalar.wide) }
    switch self {
    case .signed(let value, _): hasher.combine(value)
    case .unsigned(let value, _): hasher.combine(value)
    case .string(let value): value.hashBytes(into: &hasher)
    case .bytes(let value): hasher.combine(value)
    case .url(let value): value.string.hashBytes(into: &hasher)
    case .array(let values): hasher.combine(values)
    case .dictionary(let entries): hasher.combine(entries)
    case .set(let values): hasher.combine(values)
    case .record(let record): hasher.combine(record)
    case .enumeration(let name, let record):
      hasher.combine(name)
      hasher.combine(record)
    case .conditionalReference(let reference): hasher.combine(reference)
    case .reference(let id): hasher.combine(id)
    case .unknown(_, let bytes): hasher.combine(bytes)
    case .null, .bool, .int128, .uint128, .float16, .float, .double, .date, .uuid: break
    }
  }

  package var storedTag: ArchiveTag {
    switch self {
    case .null: .null
    case .signed(_, let width): ArchiveTag(.signed, bitWidth: width) ?? .int64
    case .unsigned(_, let width): ArchiveTag(.unsigned, bitWidth: width) ?? .uint64
    case .string: .string
    case .bytes: .bytes
    case .url: .url
    case .array: .array
    case .dictionary: .dictionary
    case .set: .set
    case .record: .record
    case .enumeration: .enumeration
    case .reference: .reference
    case .conditionalReference: .conditionalReference
    case .unknown(let tag, _): tag
    case .bool, .int128, .uint128, .float16, .float, .double, .date, .uuid:
      StoredScalar(self)?.tag ?? .null
    }
  }
}

/// One entry of a stored dictionary.
public struct DynamicEntry: Hashable, Sendable {
  /// The key, which is a value and never a reference.
  public var key: DynamicValue
  /// The value under the key.
  public var value: DynamicValue

  /// Makes an entry.
  public init(key: DynamicValue, value: DynamicValue) {
    self.key = key
    self.value = value
  }
}

extension StoredScalar {
  /// The value for the dynamic view; nil for a kind whose bits have rules beside their width, or that
  /// this version does not know.
  @inline(__always)
  var dynamicValue: DynamicValue? {
    switch tag {
    case .uint8, .uint16, .uint32, .uint64: .unsigned(low, bitWidth: 8 &* tag.byteCount)
    case .int8, .int16, .int32, .int64: .signed(signed, bitWidth: 8 &* tag.byteCount)
    case .double: .double(Double(bitPattern: low))
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: low)))
    case .float16: .float16(bitPattern: UInt16(truncatingIfNeeded: low))
    case .int128: .int128(Int128(truncatingIfNeeded: wide))
    case .uint128: .uint128(wide)
    case .date: .date(ArchiveDate(secondsSinceReferenceDate: Double(bitPattern: low)))
    case .uuid: .uuid(ArchiveUUID(low: low, high: high))
    default: nil
    }
  }

  /// The bits that a value of the dynamic view is stored as; nil for a value of no fixed width, and for
  /// an integer that does not fit the width it is given.
  @inline(__always)
  init?(_ value: DynamicValue) {
    switch value {
    case .bool(let value): self.init(.bool, low: value ? 1 : 0)
    case .signed(let value, let width):
      guard let tag = ArchiveTag(.signed, bitWidth: width) else { return nil }
      self.init(signed: value, tag)
    case .unsigned(let value, let width):
      guard let tag = ArchiveTag(.unsigned, bitWidth: width) else { return nil }
      self.init(unsigned: value, tag)
    case .int128(let value): self.init(wide: UInt128(truncatingIfNeeded: value), .int128)
    case .uint128(let value): self.init(wide: value, .uint128)
    case .float16(let bits): self.init(.float16, low: UInt64(bits))
    case .float(let value): self.init(.float, low: UInt64(value.bitPattern))
    case .double(let value): self.init(.double, low: value.bitPattern)
    case .date(let value): self.init(.date, low: value.secondsSinceReferenceDate.bitPattern)
    case .uuid(let value): self.init(.uuid, low: value.low, high: value.high)
    case .unknown(let tag, let bytes): self.init(tag, bytes)
    case .null, .string, .bytes, .url, .array, .dictionary, .set, .record, .enumeration, .reference,
      .conditionalReference:
      return nil
    }
  }
}

extension StoredScalar {
  /// The bits of a value of an unknown kind; nil when their number differs from that of the tag.
  @inline(never)
  private init?(_ tag: ArchiveTag, _ bytes: [UInt8]) {
    guard tag.kind == nil, tag.isFixed, bytes.count == tag.byteCount, !tag.isBit || bytes[0] <= 1
    else { return nil }
    self.init(tag, ofBytes: bytes)
  }
}

extension DynamicValue: CustomStringConvertible {
  /// The value as an inspector shows it, on one line; long contents are cut short, and control
  /// characters are escaped.
  public var description: String {
    text { "date(\($0.secondsSinceReferenceDate) s since 2001)" }
  }

  /// The description, with dates in the text of a closure.
  package func text(_ date: (ArchiveDate) -> String) -> String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .signed(let value, _): "\(value)"
    case .unsigned(let value, _): "\(value)"
    case .int128(let value): "\(value)"
    case .uint128(let value): "\(value)"
    case .float16(let bits): "\(Float(halfBits: bits))"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value.debugDescription.displayed
    case .bytes(let value): DynamicValue.describe(bytes: value)
    case .date(let value): date(value)
    case .uuid(let value): "\(value)"
    case .url(let value): "<\(value.string.displayed)>"
    case .array(let values): "[\(DynamicValue.join(values) { $0.text(date) })]"
    case .dictionary(let entries):
      "[\(DynamicValue.join(entries) { "\($0.key.text(date)): \($0.value.text(date))" })]"
    case .set(let values): "{\(DynamicValue.join(values) { $0.text(date) })}"
    case .record(let record): record.typeName.displayed + DynamicValue.describe(record, date)
    case .enumeration(let name, let record):
      ".\(name)" + (record.fields.isEmpty ? "" : DynamicValue.describe(record, date))
    case .reference(let id): id.map { "object \($0)" } ?? "no object"
    case .conditionalReference(let reference):
      reference.number == 0 ? "no object" : "conditional reference \(reference.number)"
    case .unknown(let tag, let bytes): "\(tag) (\(bytes.count) bytes)"
    }
  }

  /// The kind and the width in words, such as "Int64".
  package var typeDescription: String { storedTag.description }

  private static func describe(_ record: DynamicRecord, _ date: (ArchiveDate) -> String) -> String {
    "(\(join(record.fields) { "\($0.name): \($0.value.text(date))" }))"
  }

  private static func describe(bytes: [UInt8]) -> String {
    let shown = bytes.prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "\(bytes.count) bytes" + (shown.isEmpty ? "" : " ")
      + shown.joined(separator: " ") + (bytes.count > 16 ? " …" : "")
  }

  /// Describes the first 20 parts, and counts the rest.
  private static func join<Parts: RandomAccessCollection>(
    _ parts: Parts, _ describe: (Parts.Element) -> String
  ) -> String {
    let shown = parts.prefix(20).map(describe).joined(separator: ", ")
    return parts.count > 20 ? "\(shown), … \(parts.count - 20) more" : shown
  }
}

extension DynamicValue {
  var holdsTypedRecords: Bool { contains { !($0.nestedTypeName ?? "").isEmpty } }

  func holdsRecord(ofType typeName: String) -> Bool {
    contains { $0.nestedTypeName?.hasSameBytes(as: typeName) ?? false }
  }

  /// The name of the type of a record or an enumeration.
  private var nestedTypeName: String? {
    switch self {
    case .record(let record), .enumeration(_, let record): record.typeName
    default: nil
    }
  }

  mutating func updateRecords(
    ofType typeName: String, _ body: (inout DynamicRecord) throws -> Void
  ) throws -> Int {
    var count = 0
    try updateNested(where: { $0.holdsRecord(ofType: typeName) }) {
      count += try $0.updateRecords(ofType: typeName, body)
    } record: {
      count += try $0.updateRecords(ofType: typeName, body)
    }
    return count
  }
}
