extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
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
