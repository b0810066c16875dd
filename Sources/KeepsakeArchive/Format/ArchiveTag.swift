/// The kind and the width class of one value, in one byte.
///
/// You use a tag when you make a type of your own an ``ArchiveValue``, which names the tag of the type that it is
/// stored as, and when an archive holds a value of a kind that this version does not know. The numbers are in
/// Spec/archive.md, section 5.
public struct ArchiveTag: Hashable, Sendable, BitwiseCopyable {
  /// The byte of the format: the kind in the upper five bits, the width class in the lower three.
  public let rawValue: UInt8

  /// Makes a tag from the byte of the format.
  @inlinable
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Whether both tags are the same byte.
  @inlinable
  public static func == (left: ArchiveTag, right: ArchiveTag) -> Bool {
    left.rawValue == right.rawValue
  }

  /// The tag of integers of 8, 16, 32, 64 or 128 bits.
  @inlinable
  init(integerOf bitWidth: Int, isSigned: Bool) {
    let width = UInt8(truncatingIfNeeded: bitWidth.trailingZeroBitCount &- 2)
    self.init(rawValue: (isSigned ? 0x10 : 0x18) | width)
  }

  /// The tag of floating-point numbers of 16, 32 or 64 bits.
  @inlinable
  init(floatingPointOf bitWidth: Int) {
    self.init(rawValue: 0x20 | UInt8(truncatingIfNeeded: bitWidth.trailingZeroBitCount &- 2))
  }

  @inlinable package static var null: ArchiveTag { ArchiveTag(rawValue: 0x00) }
  /// A truth value, one bit.
  @inlinable package static var bool: ArchiveTag { ArchiveTag(rawValue: 0x0F) }
  @inlinable package static var int8: ArchiveTag { ArchiveTag(rawValue: 0x11) }
  @inlinable package static var int16: ArchiveTag { ArchiveTag(rawValue: 0x12) }
  @inlinable package static var int32: ArchiveTag { ArchiveTag(rawValue: 0x13) }
  @inlinable package static var int64: ArchiveTag { ArchiveTag(rawValue: 0x14) }
  @inlinable package static var uint8: ArchiveTag { ArchiveTag(rawValue: 0x19) }
  @inlinable package static var uint16: ArchiveTag { ArchiveTag(rawValue: 0x1A) }
  @inlinable package static var uint32: ArchiveTag { ArchiveTag(rawValue: 0x1B) }
  @inlinable package static var uint64: ArchiveTag { ArchiveTag(rawValue: 0x1C) }
  @inlinable package static var int128: ArchiveTag { ArchiveTag(rawValue: 0x15) }
  @inlinable package static var uint128: ArchiveTag { ArchiveTag(rawValue: 0x1D) }
  @inlinable package static var float16: ArchiveTag { ArchiveTag(rawValue: 0x22) }
  @inlinable package static var float: ArchiveTag { ArchiveTag(rawValue: 0x23) }
  @inlinable package static var double: ArchiveTag { ArchiveTag(rawValue: 0x24) }
  @inlinable package static var string: ArchiveTag { ArchiveTag(rawValue: 0x2E) }
  @inlinable package static var bytes: ArchiveTag { ArchiveTag(rawValue: 0x36) }
  /// A point in time, seconds since 2001-01-01 00:00:00 UTC as a 64-bit floating-point number.
  @inlinable package static var date: ArchiveTag { ArchiveTag(rawValue: 0x3C) }
  /// A universally unique identifier, 16 bytes.
  @inlinable package static var uuid: ArchiveTag { ArchiveTag(rawValue: 0x45) }
  /// A URL, as the UTF-8 string that spells it.
  @inlinable package static var url: ArchiveTag { ArchiveTag(rawValue: 0x4E) }
  @inlinable package static var reference: ArchiveTag { ArchiveTag(rawValue: 0x53) }
  /// A reference to an object that is stored only if another reference leads to it, by its number
  /// among such references.
  @inlinable package static var conditionalReference: ArchiveTag { ArchiveTag(rawValue: 0x5B) }
  @inlinable package static var record: ArchiveTag { ArchiveTag(rawValue: 0x66) }
  @inlinable package static var array: ArchiveTag { ArchiveTag(rawValue: 0x6E) }
  /// Values under keys that are themselves values, sorted by encoded key.
  @inlinable package static var dictionary: ArchiveTag { ArchiveTag(rawValue: 0x76) }
  /// Distinct values other than references, sorted by their encoded bytes.
  @inlinable package static var set: ArchiveTag { ArchiveTag(rawValue: 0x7E) }
  /// One case of several, with the case's values under keys of their own.
  @inlinable package static var enumeration: ArchiveTag { ArchiveTag(rawValue: 0x86) }

  /// An `Int`, whose width is chosen when all values of a record or an array are known; never stored.
  @usableFromInline static var int: ArchiveTag { ArchiveTag(rawValue: 0x04) }
  /// A `UInt`, whose width is chosen in the same way; never stored.
  @usableFromInline static var uint: ArchiveTag { ArchiveTag(rawValue: 0x0C) }

  /// True while the width is not chosen yet.
  @inlinable var isFlexible: Bool { rawValue & ~0x08 == 0x04 }

  @inlinable
  func integer(ofClass width: UInt8) -> ArchiveTag {
    ArchiveTag(rawValue: (self == .int ? 0x10 : 0x18) | width)
  }

  /// A nested record that is stored in its slot.
  @usableFromInline static var inline: ArchiveTag { ArchiveTag(rawValue: 0x60) }

  /// The tag of an array whose elements have different tags.
  @usableFromInline package static var any: ArchiveTag { ArchiveTag(rawValue: 0x90) }

  /// The kind, or nil when this version does not know it.
  package var kind: ValueKind? { ValueKind(rawValue: rawValue >> 3) }

  /// The bytes of a slot: the end of a payload takes four, and a bit counts as a byte, although bits share one.
  ///
  /// The width classes from 0 to 7 (Spec/archive.md, 5.1) have no bytes, one, two, four, eight and sixteen bytes, a
  /// payload of any length, and one bit. With them, a reader can skip a value of an unknown kind. Their sizes are bytes
  /// of one word: a branch for each value would cost more.
  @inlinable package var byteCount: Int {
    Int(truncatingIfNeeded: 0x0104_1008_0402_0100 >> (UInt64(rawValue & 7) &* 8) & 0xFF)
  }

  @inlinable package var isBit: Bool { rawValue & 7 == 7 }

  @inlinable package var isVariable: Bool { rawValue & 7 == 6 }

  /// True when every value of the tag takes the same number of bytes, other than 0.
  package var isFixed: Bool { 1...5 ~= rawValue & 7 || isBit }

  /// Whether the payload can contain other values: that of a container, or of any unknown kind.
  @inlinable package var isContainer: Bool {
    isVariable && rawValue != ArchiveTag.string.rawValue && rawValue != ArchiveTag.bytes.rawValue
      && rawValue != ArchiveTag.url.rawValue
  }

  /// One bit for each kind that has a value for every bit pattern.
  private static let freeKinds =
    1 << UInt32(ValueKind.signed.rawValue) | 1 << UInt32(ValueKind.unsigned.rawValue)
    | 1 << UInt32(ValueKind.floatingPoint.rawValue) | 1 << UInt32(ValueKind.date.rawValue)
    | 1 << UInt32(ValueKind.uuid.rawValue)

  /// A bit for each tag below 64 of numbers, dates and the like.
  private static var numberTags: UInt64 { 0x1000_001C_3E3E_0000 }

  /// True when the tag is that of an integer, a floating-point number or a date.
  var isNumber: Bool { rawValue < 64 && ArchiveTag.numberTags &>> UInt64(rawValue) & 1 != 0 }

  /// True when every sequence of bits is a value of the kind.
  package var hasFreeBits: Bool {
    ArchiveTag.freeKinds >> UInt32(rawValue >> 3) & 1 != 0
  }

  /// A bit for each kind whose values are aligned in an array.
  private static let alignedKinds = freeKinds & ~(1 << UInt32(ValueKind.uuid.rawValue))

  /// The alignment of such values in an array, in bytes (Spec/archive.md, 5.5).
  var alignment: Int {
    if ArchiveTag.alignedKinds >> UInt32(rawValue >> 3) & 1 == 0 { return 1 }
    return min(byteCount, 8)
  }

  /// True when the tag can be that of all elements of an array, where references may be narrower.
  var isOfElements: Bool {
    isWellFormed && self != .any || isReference && 1...2 ~= rawValue & 7
  }

  /// True when arrays of such values, if they have the same length, are stored as rows.
  var isOfRows: Bool { isScalar && !isBit && isWellFormed }

  /// True when a value has as many bits as its tag says wherever it is stored; a reference is narrower in an array.
  var isScalar: Bool { isFixed && !isReference }

  /// True when the value is the number of an object, or of a conditional reference.
  var isReference: Bool {
    rawValue >> 3 == ValueKind.reference.rawValue
      || rawValue >> 3 == ValueKind.conditionalReference.rawValue
  }

  /// True when such values can be keys of a dictionary or members of a set.
  var isKeyable: Bool {
    switch kind {
    case .bool, .signed, .unsigned, .floatingPoint, .string, .bytes, .date, .uuid, .url: true
    default: false
    }
  }

  /// True when the kind may have the width.
  ///
  /// An unknown kind may have any width except zero: values without bits could be repeated any number of times.
  var isWellFormed: Bool {
    let width = rawValue & 7
    guard let kind else { return width != 0 }
    return switch kind {
    case .null, .any: width == 0
    case .bool: isBit
    case .signed, .unsigned: 1...5 ~= width
    case .floatingPoint: 2...4 ~= width
    case .date: width == 4
    case .uuid: width == 5
    case .reference, .conditionalReference: width == 3
    case .string, .bytes, .url, .record, .array, .dictionary, .set, .enumeration: isVariable
    }
  }
}

extension ArchiveTag: CustomStringConvertible {
  /// The kind and the width in words, for errors and inspectors.
  public var description: String {
    let bits = byteCount * 8
    if isFlexible { return self == .int ? "Int" : "UInt" }
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
    case .conditionalReference: "conditional reference"
    case .record: "record"
    case .array: "array"
    case .dictionary: "dictionary"
    case .set: "set"
    case .enumeration: "enumeration"
    case .any: "any"
    case nil: "value of unknown kind \(rawValue >> 3)"
    }
  }
}

/// The kinds of value (Spec/archive.md, 5.1); the numbers 17 and 19 to 31 are free.
package enum ValueKind: UInt8 {
  case null = 0
  case bool = 1
  case signed = 2
  case unsigned = 3
  case floatingPoint = 4
  case string = 5
  case bytes = 6
  case date = 7
  case uuid = 8
  case url = 9
  case reference = 10
  case conditionalReference = 11
  case record = 12
  case array = 13
  case dictionary = 14
  case set = 15
  case enumeration = 16
  case any = 18
}

extension ArchiveTag {
  /// Whether the payload is bytes that contain no other values.
  @inlinable var isText: Bool { isVariable && !isContainer }
}
