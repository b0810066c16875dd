public import KeepsakeArchive

/// One stored value of any kind, for inspectors, comparison and migration.
///
/// Equality is that of the stored bits: a NaN equals itself, 0 and -0 differ, and strings are
/// compared by their bytes.
public enum ArchivedValue: Sendable {
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
  /// A floating-point number of 16 bits, by its bits since not every platform has the type.
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
  case array([ArchivedValue])
  /// Values under keys that are values, in the order in which they are stored.
  case dictionary([ArchivedEntry])
  /// Distinct values, in the order in which they are stored.
  case set([ArchivedValue])
  /// A nested value with its own keys.
  case record(ArchivedRecord)
  /// A case of an enumeration with its values.
  indirect case enumeration(ArchiveKey, ArchivedRecord)
  /// A reference to an object, or to none.
  case reference(ArchiveObjectID?)
  /// A conditional reference by its number; `Archive.conditionalObjects` lists the objects.
  case conditionalReference(ArchiveConditionalReference)
  /// A value of a kind that this version does not know, or an array of such a form: its tag and its bytes.
  case unknown(ArchiveTag, bytes: [UInt8])
}

extension ArchivedValue: Hashable {
  /// Whether both values are stored as the same bits.
  public static func == (left: ArchivedValue, right: ArchivedValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.signed(let one, let width), .signed(let other, let otherWidth)):
      one == other && width == otherWidth
    case (.unsigned(let one, let width), .unsigned(let other, let otherWidth)):
      one == other && width == otherWidth
    case (.int128(let one), .int128(let other)): one == other
    case (.uint128(let one), .uint128(let other)): one == other
    case (.float16(let one), .float16(let other)): one == other
    case (.float(let one), .float(let other)): one.bitPattern == other.bitPattern
    case (.double(let one), .double(let other)): one.bitPattern == other.bitPattern
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.bytes(let one), .bytes(let other)): one == other
    case (.date(let one), .date(let other)):
      one.secondsSinceReferenceDate.bitPattern == other.secondsSinceReferenceDate.bitPattern
    case (.uuid(let one), .uuid(let other)): one == other
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
    switch self {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .signed(let value, _): hasher.combine(value)
    case .unsigned(let value, _): hasher.combine(value)
    case .int128(let value): hasher.combine(value)
    case .uint128(let value): hasher.combine(value)
    case .float16(let value): hasher.combine(value)
    case .float(let value): hasher.combine(value.bitPattern)
    case .double(let value): hasher.combine(value.bitPattern)
    case .string(let value): value.hashBytes(into: &hasher)
    case .bytes(let value): hasher.combine(value)
    case .date(let value): hasher.combine(value.secondsSinceReferenceDate.bitPattern)
    case .uuid(let value): hasher.combine(value)
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
    }
  }

  /// The tag that the value is written with.
  var storedTag: ArchiveTag {
    switch self {
    case .null: .null
    case .bool: .bool
    case .signed(_, let width): ArchiveTag(.signed, bitWidth: width) ?? .int64
    case .unsigned(_, let width): ArchiveTag(.unsigned, bitWidth: width) ?? .uint64
    case .int128: .int128
    case .uint128: .uint128
    case .float16: .float16
    case .float: .float
    case .double: .double
    case .string: .string
    case .bytes: .bytes
    case .date: .date
    case .uuid: .uuid
    case .url: .url
    case .array: .array
    case .dictionary: .dictionary
    case .set: .set
    case .record: .record
    case .enumeration: .enumeration
    case .reference: .reference
    case .conditionalReference: .conditionalReference
    case .unknown(let tag, _): tag
    }
  }
}

/// One entry of a stored dictionary.
public struct ArchivedEntry: Hashable, Sendable {
  /// The key, which is a value and never a reference.
  public var key: ArchivedValue
  /// The value under the key.
  public var value: ArchivedValue

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value under the key.
  public init(key: ArchivedValue, value: ArchivedValue) {
    self.key = key
    self.value = value
  }
}
