/// How one value is written: a kind and a width class in one byte.
///
/// You meet a tag when you make a type of your own an ``ArchiveValue`` (it names the tag of the
/// type that it is stored as) and when an archive holds a value of a kind that this version does
/// not know. The numbers are stated in Spec/archive.md, section 5.
public struct ArchiveTag: Hashable, Sendable {
  /// The byte of the format: the kind in the upper five bits, the width class in the lower three.
  public let rawValue: UInt8

  /// Makes a tag of the byte of the format.
  ///
  /// - Parameter rawValue: The kind in the upper five bits, the width class in the lower three.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  init(_ kind: ValueKind, _ width: WidthClass) {
    rawValue = kind.rawValue << 3 | width.rawValue
  }

  /// No value.
  public static let null = ArchiveTag(.null, .none)
  /// A truth value, one byte.
  public static let bool = ArchiveTag(.bool, .one)
  /// A signed integer of 8 bits.
  public static let int8 = ArchiveTag(.signed, .one)
  /// A signed integer of 16 bits.
  public static let int16 = ArchiveTag(.signed, .two)
  /// A signed integer of 32 bits.
  public static let int32 = ArchiveTag(.signed, .four)
  /// A signed integer of 64 bits.
  public static let int64 = ArchiveTag(.signed, .eight)
  /// An unsigned integer of 8 bits.
  public static let uint8 = ArchiveTag(.unsigned, .one)
  /// An unsigned integer of 16 bits.
  public static let uint16 = ArchiveTag(.unsigned, .two)
  /// An unsigned integer of 32 bits.
  public static let uint32 = ArchiveTag(.unsigned, .four)
  /// An unsigned integer of 64 bits.
  public static let uint64 = ArchiveTag(.unsigned, .eight)
  /// A floating-point number of 32 bits.
  public static let float = ArchiveTag(.floatingPoint, .four)
  /// A floating-point number of 64 bits.
  public static let double = ArchiveTag(.floatingPoint, .eight)
  /// A UTF-8 string.
  public static let string = ArchiveTag(.string, .variable)
  /// A run of bytes.
  public static let bytes = ArchiveTag(.bytes, .variable)
  /// A point in time, seconds since 2001-01-01 00:00:00 UTC as a 64-bit floating-point number.
  public static let date = ArchiveTag(.date, .eight)
  /// A universally unique identifier, 16 bytes.
  public static let uuid = ArchiveTag(.uuid, .sixteen)
  /// A URL, as the UTF-8 string that spells it.
  public static let url = ArchiveTag(.url, .variable)
  /// A reference to an object by its id.
  public static let reference = ArchiveTag(.reference, .four)
  /// A nested value with keys of its own.
  public static let record = ArchiveTag(.record, .variable)
  /// A sequence of values.
  public static let array = ArchiveTag(.array, .variable)
  /// Values under keys that are values themselves, sorted by encoded key.
  public static let dictionary = ArchiveTag(.dictionary, .variable)

  /// Elements of one array that do not share a tag.
  static let any = ArchiveTag(.any, .sixteen)

  /// The kind, or nil when this version does not know it.
  var kind: ValueKind? { ValueKind(rawValue: rawValue >> 3) }

  /// The width class, or nil for the one that is reserved.
  var width: WidthClass? { WidthClass(rawValue: rawValue & 7) }

  var isVariable: Bool { rawValue & 7 == WidthClass.variable.rawValue }

  /// Whether the width is one that the kind may have; any defined width will do for an unknown kind.
  var isWellFormed: Bool {
    guard let width else { return false }
    guard let kind else { return true }
    return switch kind {
    case .null: width == .none
    case .bool: width == .one
    case .signed, .unsigned:
      width == .one || width == .two || width == .four || width == .eight || width == .sixteen
    case .floatingPoint: width == .two || width == .four || width == .eight
    case .date: width == .eight
    case .uuid, .any: width == .sixteen
    case .reference: width == .four
    case .string, .bytes, .url, .record, .array, .dictionary: width == .variable
    }
  }
}

extension ArchiveTag: CustomStringConvertible {
  /// The kind and the width in words, for errors and inspectors.
  public var description: String {
    let bits = (width?.byteCount ?? 0) * 8
    return switch kind {
    case .null: "nil"
    case .bool: "Bool"
    case .signed: "Int\(bits)"
    case .unsigned: "UInt\(bits)"
    case .floatingPoint: bits == 64 ? "Double" : bits == 32 ? "Float" : "Float16"
    case .string: "String"
    case .bytes: "bytes"
    case .date: "date"
    case .uuid: "UUID"
    case .url: "URL"
    case .reference: "reference"
    case .record: "record"
    case .array: "array"
    case .dictionary: "dictionary"
    case .any: "any"
    case nil: "value of unknown kind \(rawValue >> 3)"
    }
  }
}
