// Floating-point numbers of 16 bits. Their bits are read on every platform; the type `Float16` does
// not exist on all of them.

extension Float {
  /// The number of the bits of a 16-bit floating-point number; exact.
  init(halfBits bits: UInt16) {
    let sign = UInt32(bits & 0x8000) << 16
    let exponent = UInt32(bits >> 10 & 0x1F)
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0:
      // Zero, or a number too small for the usual form: so many times 2 to the power of -24.
      let magnitude = Float(fraction) * 0x1p-24
      self = sign == 0 ? magnitude : -magnitude
    case 0x1F: self.init(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: self.init(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ArchiveValue {
    /// The tag of this width.
    @inlinable public static var archiveTag: ArchiveTag { .float16 }

    /// Writes the bits of the number.
    ///
    /// - Parameters:
    ///   - encoder: The coder of the object that the value is part of.
    ///   - place: Where the value belongs.
    @inlinable
    public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
      encoder.encodeFixed(bitPattern, tag: .float16, at: place)
    }

    /// Reads a floating-point number of any width, rounded to the nearest.
    ///
    /// - Parameter decoder: The stored value.
    /// - Throws: ``ArchiveError`` when what is stored is no floating-point number, or is finite and
    ///   too large.
    public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
      if decoder.tag == .float16, !decoder.isNil {
        self.init(bitPattern: decoder.word())
        return
      }
      let number = try decoder.double()
      self.init(number)
      guard isFinite || !number.isFinite else {
        throw ArchiveError(
          .valueOutOfRange, "a stored \(decoder.tag) is too large for a Float16",
          offset: decoder.offset)
      }
    }
  }
#endif
