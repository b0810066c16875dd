/// Whether a slot may hold nil, and what a nil in it means; the bits are those of a ``StepSignature``.
@usableFromInline
struct NilFlags: BitwiseCopyable, Sendable {
  @usableFromInline let bits: UInt64

  @inlinable
  init(bits: UInt64) { self.bits = bits }

  /// The flags of a slot that always has a value.
  @inlinable static var none: NilFlags { NilFlags(bits: 0) }
  /// The flags of a slot that may hold nil.
  @inlinable static var nullable: NilFlags { NilFlags(bits: StepSignature.nullableBit) }
  /// The flags of a slot in which a nil says that the key is absent (Spec/archive.md, 5.3).
  @inlinable static var omitsNil: NilFlags {
    NilFlags(bits: StepSignature.nullableBit | StepSignature.omitsNilBit)
  }

  /// True when the slot always has a value.
  @inlinable var isNone: Bool { bits == 0 }
  @inlinable var isNullable: Bool { bits & StepSignature.nullableBit != 0 }

  @inlinable
  func union(_ other: NilFlags) -> NilFlags { NilFlags(bits: bits | other.bits) }
}

/// How one step of a plan declares its key and stores its value.
///
/// All of it is packed into one word, so that one comparison tells whether a record took the predicted step. Only
/// this type knows the bits:
///
///     63 … 32   the scope of the key
///     31 … 16   the number of the inline record, 0 for every other value
///     15 …  8   the tag
///           4   isFlexible
///           3   omitsNil
///           2   namesCase
///           1   isReserved
///           0   isNullable
@usableFromInline
struct StepSignature: Hashable, BitwiseCopyable, Sendable {
  @usableFromInline let word: UInt64

  @inlinable static var nullableBit: UInt64 { 1 << 0 }
  @inlinable static var reservedBit: UInt64 { 1 << 1 }
  @inlinable static var caseBit: UInt64 { 1 << 2 }
  @inlinable static var omitsNilBit: UInt64 { 1 << 3 }
  @inlinable static var flexibleBit: UInt64 { 1 << 4 }
  @inlinable static var tagBits: UInt64 { 0xFF << 8 }
  @inlinable static var inlineRecordBits: UInt64 { 0xFFFF << 16 }
  @inlinable static var scopeBits: UInt64 { 0xFFFF_FFFF << 32 }

  @inlinable
  init(word: UInt64) { self.word = word }

  /// The signature of a key that is written in a frame.
  @inlinable
  @inline(__always)
  init(
    in frame: RecordFrame, tag: ArchiveTag, flags: NilFlags, isReserved: Bool = false,
    inlineRecord: UInt16 = StepSignature.noInlineRecord, isFlexible: Bool = false
  ) {
    word =
      frame.scopeBits | UInt64(inlineRecord) << 16
      | UInt64(tag.rawValue) << 8 | flags.bits | (isReserved ? StepSignature.reservedBit : 0)
      | (isFlexible ? StepSignature.flexibleBit : 0)
  }

  /// A signature that no step has: that of the place where a record begins.
  @inlinable static var noStep: StepSignature { StepSignature(word: .max) }

  /// The signature of a step that names the case of an enumeration and has no value.
  @inlinable static var enumerationCase: StepSignature { StepSignature(word: caseBit) }

  /// The number of a value that is not an inline record.
  @inlinable static var noInlineRecord: UInt16 { 0 }

  var scope: Int32 { Int32(truncatingIfNeeded: word >> 32) }

  /// The number of the record that is stored in the slot, or ``noInlineRecord``.
  @inlinable var inlineRecord: UInt16 { UInt16(truncatingIfNeeded: word >> 16) }

  @inlinable var tag: ArchiveTag { ArchiveTag(rawValue: UInt8(truncatingIfNeeded: word >> 8)) }

  /// True when `Int` or `UInt` is stored, whose width is chosen for all such slots of the record.
  var isFlexible: Bool { word & StepSignature.flexibleBit != 0 }

  /// True when a nil in the slot says that the key is absent.
  var omitsNil: Bool { word & StepSignature.omitsNilBit != 0 }

  @inlinable var namesCase: Bool { word == StepSignature.caseBit }

  var isReserved: Bool { word & StepSignature.reservedBit != 0 }

  var isNullable: Bool { word & StepSignature.nullableBit != 0 }

  /// True when a record is stored in the slot.
  var isInline: Bool { word & StepSignature.inlineRecordBits != 0 }

  var isVariable: Bool { tag.isVariable }

  /// The words of a shape that the step takes: an inline record takes two.
  var wordCount: Int32 { isInline ? 2 : 1 }

  @inlinable var withoutInlineRecord: StepSignature {
    StepSignature(word: word & ~StepSignature.inlineRecordBits)
  }

  func with(tag: ArchiveTag) -> StepSignature {
    StepSignature(word: word & ~StepSignature.tagBits | UInt64(tag.rawValue) << 8)
  }

  /// The same step with an `Int` or `UInt` of 64 bits, or of 32; any other step unchanged.
  func integer(isWide: Bool) -> StepSignature {
    let width: UInt8 = isWide ? 4 : 3
    if tag.isFlexible {
      let signature = with(tag: tag.integer(ofClass: width))
      return StepSignature(word: signature.word | StepSignature.flexibleBit)
    }
    return isFlexible ? with(tag: ArchiveTag(rawValue: tag.rawValue & ~7 | width)) : self
  }

  /// The same step with its record stored as a payload.
  var outOfSlot: StepSignature { isInline ? withoutInlineRecord.with(tag: .record) : self }
}
