// Floating-point numbers are stored bit by bit, so NaN payloads and the sign of zero survive.
// A Double that is read as a Float rounds to the nearest; a finite one that is too large for a
// Float is an error. An integer is read as a floating-point number if it is the same number, and never
// the other way round (Spec/archive.md, 6.2).

/// A floating-point number that is stored as its bits, and is read from a number of any width, rounded to the nearest,
/// or from an integer that is exact.
@usableFromInline
protocol StoredFloatingPoint: StoredWord {
  var bitPattern: Word { get }

  init(bitPattern: Word)
}

extension StoredFloatingPoint {
  @inlinable static var storedTag: ArchiveTag {
    ArchiveTag(floatingPointOf: Word.bitWidth)
  }

  @inlinable var archiveWord: Word { bitPattern }

  @inlinable
  init(archiveWord word: Word) {
    self.init(bitPattern: word)
  }
}

extension Float: StoredFloatingPoint {
  @usableFromInline typealias Word = UInt32

  @inlinable
  init(converting coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.float()
  }

  @usableFromInline
  static func writeElements(
    _ elements: [Float], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeScalars(elements, tag: .float, at: place)
  }

  @usableFromInline
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Float] {
    let elements = try coder.value.storedElements()
    if let packed = coder.packed(Float.self, tag: .float, elements) { return packed }
    return try coder.values(of: elements)
  }
}

extension Double: StoredFloatingPoint {
  @usableFromInline typealias Word = UInt64

  @inlinable
  init(converting coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.double()
  }

  @usableFromInline
  static func writeElements(
    _ elements: [Double], to coder: inout ObjectEncoder, at place: ArchivePlace
  ) {
    coder.encodeScalars(elements, tag: .double, at: place)
  }

  @usableFromInline
  static func readElements(
    from coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> [Double] {
    let elements = try coder.value.storedElements()
    if let packed = coder.packed(Double.self, tag: .double, elements) { return packed }
    return try coder.values(of: elements)
  }
}

// Floating-point numbers of 16 bits. Their bits are read on every platform; the type `Float16` does
// not exist on all of them.

extension Float {
  /// The number of the bits of a 16-bit floating-point number; exact.
  package init(halfBits bits: UInt16) {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10 & 0x1F)
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      // Zero or a subnormal number: the fraction times 2 to the power of -24.
      let magnitude = Float(fraction) * 0x1p-24
      self = sign == 0 ? magnitude : -magnitude
    case 0x1F: self.init(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: self.init(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: StoredFloatingPoint {
    @usableFromInline typealias Word = UInt16

    @usableFromInline
    init(converting coder: borrowing ValueDecoder) throws(ArchiveError) {
      if !coder.value.isNil, coder.scalar.isInteger {
        self = try coder.wholeNumber()
        return
      }
      let number = try coder.double()
      self.init(number)
      guard isFinite || !number.isFinite else {
        throw ArchiveError(
          .valueOutOfRange, "a stored \(coder.value.tag) is too large for a Float16",
          offset: coder.value.offset)
      }
    }
  }
#endif
