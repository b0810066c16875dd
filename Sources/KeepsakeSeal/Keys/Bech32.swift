/// The checksum and the alphabet of Bech32m (BIP 350), which the text forms of keys use.
///
/// Within 90 characters any change of up to four of them is found.
enum Bech32 {
  /// The character for each value of five bits.
  static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  static let checksumLength = 6
  private static let target: UInt32 = 0x2BC8_30A3

  /// The value of a lower-case character, or nil when it is not in the alphabet.
  static func value(of character: UInt8) -> UInt8? {
    alphabet.firstIndex(of: character).map { UInt8($0) }
  }

  /// The state of the checksum over everything up to here.
  struct Checksum {
    private var state: UInt32 = 1

    /// Begins with the text before the separator, each character in two halves.
    init(prefix: [UInt8]) {
      for character in prefix { add(character >> 5) }
      add(0)
      for character in prefix { add(character & 31) }
    }

    mutating func add(_ value: UInt8) {
      let top = state >> 25
      state = (state & 0x1FF_FFFF) << 5 ^ UInt32(value)
      let generator: [UInt32] = [
        0x3B6A_57B2, 0x2650_8E6D, 0x1EA1_19FA, 0x3D42_33DD, 0x2A14_62B3,
      ]
      for bit in 0..<5 where top >> UInt32(bit) & 1 == 1 { state ^= generator[bit] }
    }

    /// Whether the checksum has been added too, and fits.
    var isVerified: Bool { state == target }

    /// The six values that make it fit.
    func values() -> [UInt8] {
      var end = self
      for _ in 0..<checksumLength { end.add(0) }
      let rest = end.state ^ target
      return (0..<checksumLength).map { UInt8(rest >> UInt32(5 * (5 - $0)) & 31) }
    }
  }
}
