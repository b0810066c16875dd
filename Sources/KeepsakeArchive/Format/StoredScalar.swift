/// The bits of a value of fixed width, with the tag that says what they mean (Spec/archive.md, 5.1).
///
/// This type alone converts between bits and values: typed, dynamic, verifying and copying code all load and store
/// values of fixed width through it.
@usableFromInline
package struct StoredScalar: Equatable, BitwiseCopyable, Sendable {
  /// The tag of the value, of a width class from 1 to 5 or of one bit.
  @usableFromInline package let tag: ArchiveTag
  /// The lowest 64 bits; bits beyond the width are zero.
  @usableFromInline package let low: UInt64
  /// The upper 64 bits of a value of 16 bytes; zero for any other value.
  @usableFromInline package let high: UInt64

  @inlinable
  @inline(__always)
  package init(_ tag: ArchiveTag, low: UInt64, high: UInt64 = 0) {
    self.tag = tag
    self.low = low
    self.high = high
  }
}

// MARK: - Loading and storing

extension StoredScalar {
  /// Loads the slot of a value of fixed width, or its bit.
  @inlinable
  @inline(__always)
  package init(_ tag: ArchiveTag, in view: ByteView, at offset: Int, bit: UInt8 = 0) {
    if bit != 0 {
      self.init(tag, low: view.load(UInt8.self, at: offset) & bit == 0 ? 0 : 1)
      return
    }
    switch tag.rawValue & 7 {
    case 1, 7: self.init(tag, low: UInt64(view.load(UInt8.self, at: offset)))
    case 2: self.init(tag, low: UInt64(view.load(UInt16.self, at: offset)))
    case 3: self.init(tag, low: UInt64(view.load(UInt32.self, at: offset)))
    case 4: self.init(tag, low: view.load(UInt64.self, at: offset))
    case 5:
      self.init(
        tag, low: view.load(UInt64.self, at: offset),
        high: view.load(UInt64.self, at: offset &+ 8))
    default: self.init(tag, low: 0)
    }
  }

  /// The value of which these are the bytes: up to 16 of them, as many as the tag says.
  package init(_ tag: ArchiveTag, ofBytes bytes: [UInt8]) {
    let padded = bytes + Array(repeating: 0, count: max(0, 16 - bytes.count))
    self.init(
      tag, low: padded.load(UInt64.self, at: 0) ?? 0, high: padded.load(UInt64.self, at: 8) ?? 0)
  }
}

// MARK: - Integers

extension StoredScalar {
  @inlinable package var isInteger: Bool { isSigned || isUnsigned }

  @inlinable package var isSigned: Bool { tag.rawValue &>> 3 == 2 }

  @inlinable var isUnsigned: Bool { tag.rawValue &>> 3 == 3 }

  /// The stored integer as a type; nil when it does not fit or the value is not an integer.
  @inlinable
  package func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    if isSigned {
      return tag == .int128
        ? Integer(exactly: Int128(truncatingIfNeeded: wide)) : Integer(exactly: signed)
    }
    if isUnsigned {
      return tag == .uint128 ? Integer(exactly: wide) : Integer(exactly: low)
    }
    return nil
  }

  /// The bits of a signed integer of up to 64 bits, with its sign extended.
  @inlinable package var signed: Int64 {
    let unused = Int64(64 &- 8 &* tag.byteCount)
    return (Int64(truncatingIfNeeded: low) &<< unused) &>> unused
  }

  @inlinable package var wide: UInt128 { UInt128(high) << 64 | UInt128(low) }

  /// An integer in the width of a tag of up to 64 bits; nil when it does not fit.
  @inline(__always)
  package init?(signed value: Int64, _ tag: ArchiveTag) {
    let unused = Int64(64 - 8 * tag.byteCount)
    guard (value << unused) >> unused == value else { return nil }
    self.init(tag, low: (UInt64(bitPattern: value) << UInt64(unused)) >> UInt64(unused))
  }

  package init?(unsigned value: UInt64, _ tag: ArchiveTag) {
    let unused = UInt64(64 - 8 * tag.byteCount)
    guard (value << unused) >> unused == value else { return nil }
    self.init(tag, low: value)
  }

  package init(wide value: UInt128, _ tag: ArchiveTag) {
    self.init(
      tag, low: UInt64(truncatingIfNeeded: value), high: UInt64(truncatingIfNeeded: value >> 64))
  }
}

// MARK: - Floating-point numbers and truth values

extension StoredScalar {
  /// The stored floating-point number in full precision; nil for another kind of value.
  package var double: Double? {
    switch tag {
    case .double: Double(bitPattern: low)
    case .float: Double(Float(bitPattern: UInt32(truncatingIfNeeded: low)))
    case .float16: Double(Float(halfBits: UInt16(truncatingIfNeeded: low)))
    default: nil
    }
  }

  /// The stored floating-point number rounded to the nearest Float; nil for another kind of value, or when a finite
  /// number would become infinite.
  package var float: Float? {
    switch tag {
    case .float: return Float(bitPattern: UInt32(truncatingIfNeeded: low))
    case .float16: return Float(halfBits: UInt16(truncatingIfNeeded: low))
    case .double:
      let number = Double(bitPattern: low)
      let rounded = Float(number)
      return rounded.isFinite || !number.isFinite ? rounded : nil
    default: return nil
    }
  }

  /// The stored integer as a floating-point number; nil when it would change, or the value is not an integer.
  package func wholeNumber<Number: BinaryFloatingPoint>(as type: Number.Type) -> Number? {
    if let number = integer(as: Int128.self) { return Number(exactly: number) }
    return integer(as: UInt128.self).flatMap { Number(exactly: $0) }
  }
}

extension ArchiveTag {
  /// The tag of integers of a number of bits up to 64; nil for a width that no slot has.
  @inline(__always)
  package init?(_ kind: ValueKind, bitWidth: Int) {
    switch bitWidth {
    case 8, 16, 32, 64: self.init(integerOf: bitWidth, isSigned: kind == .signed)
    default: return nil
    }
  }
}
