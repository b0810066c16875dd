extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
  package var hexadecimal: String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * underestimatedCount)
    for byte in self {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)

    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }
  }
}

extension [UInt8] {
  /// The bytes that pairs of hexadecimal digits spell in ASCII; nil for anything else.
  package init?(hexadecimal text: some Sequence<UInt8>) {
    self = []
    var high: UInt8?
    for byte in text {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x37
      case 0x61...0x66: digit = byte - 0x57
      default: return nil
      }
      if let first = high { append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    if high != nil { return nil }
  }
}
