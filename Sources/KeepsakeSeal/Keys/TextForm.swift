/// The text form of the 32 bytes of a key, which a person can paste (Spec/seal.md, section 9.1).
struct TextForm {
  /// The text before the separator, in lower case.
  let prefix: String
  let isUpperCase: Bool
  /// The error of a text that is not of this form.
  let code: SealError.Code
  /// True when messages must not repeat characters of the text.
  let isSecret: Bool

  static let recipient = TextForm(
    prefix: "keepsake", isUpperCase: false, code: .invalidRecipient, isSecret: false)
  static let identity = TextForm(
    prefix: "keepsake-secret-key-", isUpperCase: true, code: .invalidIdentity, isSecret: true)
  static let signer = TextForm(
    prefix: "keepsake-signer", isUpperCase: false, code: .invalidSigner, isSecret: false)
  static let signingKey = TextForm(
    prefix: "keepsake-signing-key-", isUpperCase: true, code: .invalidSigningKey, isSecret: true)

  /// All forms with their names in messages.
  private static let names = [
    (recipient, "a recipient"), (identity, "the secret text of an identity"), (signer, "a signer"),
    (signingKey, "the secret text of a signing key"),
  ]

  private static let byteCount = 32
  /// The number of characters for 256 bits in groups of five; the last group is padded with zero bits.
  private static let dataLength = 52

  var textLength: Int { prefix.utf8.count + 1 + TextForm.dataLength + Bech32.checksumLength }

  /// Writes the text of 32 bytes, character by character, into memory that the caller chooses.
  func encode(_ bytes: Span<UInt8>, to append: (UInt8) -> Void) {
    func write(_ character: UInt8) {
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character)
      append(isUpperCase && isLetter ? character - 32 : character)
    }
    let prefix = Array(prefix.utf8)
    prefix.forEach(write)
    write(UInt8(ascii: "1"))
    var checksum = Bech32.Checksum(prefix: prefix)
    for index in 0..<TextForm.dataLength {
      let value = TextForm.fiveBits(of: bytes, at: index)
      checksum.add(value)
      write(Bech32.alphabet[Int(value)])
    }
    for value in checksum.values() { write(Bech32.alphabet[Int(value)]) }
  }

  /// The text of 32 secret bytes, in guarded memory.
  func text(of secret: SecretBytes) throws(SealError) -> SecretBytes {
    try secret.withSpan { bytes throws(SealError) in
      try SecretBytes(count: textLength) { text in encode(bytes) { text.append($0) } }
    }
  }

  /// The text of the 32 bytes of a public key.
  func text(of publicKey: [UInt8]) -> String {
    var text: [UInt8] = []
    encode(publicKey.span) { text.append($0) }
    return String(decoding: text, as: UTF8.self)
  }

  private static func fiveBits(of bytes: Span<UInt8>, at index: Int) -> UInt8 {
    let bit = 5 * index
    let first = UInt16(bytes[bit / 8]) << 8
    let second = bit / 8 + 1 < bytes.count ? UInt16(bytes[bit / 8 + 1]) : 0
    return UInt8(truncatingIfNeeded: (first | second) >> UInt16(11 - bit % 8)) & 31
  }
}

extension TextForm {
  func publicKey(in text: String) throws(SealError) -> [UInt8] {
    let bytes = try decode(Array(text.utf8).span)
    return bytes.publicBytes(0..<bytes.count)
  }

  /// Refuses a public key that has the wrong length or is not usable.
  func require(_ publicKey: [UInt8], _ isUsable: Bool) throws(SealError) {
    guard publicKey.count == TextForm.byteCount else {
      throw failure("a public key of \(publicKey.count) bytes")
    }
    guard isUsable else { throw failure("the public key is weak or not canonical") }
  }

  /// Reads a text straight into guarded memory.
  func decode(_ text: Span<UInt8>) throws(SealError) -> SecretBytes {
    let range = TextForm.trimmed(text)
    try requirePrefix(text, range)
    let start = range.lowerBound + prefix.utf8.count + 1
    guard range.count == textLength else {
      throw failure("it has \(range.count) characters instead of \(textLength)")
    }
    var checksum = Bech32.Checksum(prefix: Array(prefix.utf8))
    var (pending, bitCount) = (UInt16(0), 0)
    // The groups are collected before the checksum is known, in memory that is wiped.
    let secret = try SecretBytes(count: TextForm.byteCount) { bytes throws(SealError) in
      for index in start..<range.upperBound {
        let value = try self.value(text[index], at: index - range.lowerBound)
        checksum.add(value)
        guard index < start + TextForm.dataLength else { continue }
        pending = pending << 5 | UInt16(value)
        bitCount += 5
        guard bitCount >= 8 else { continue }
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: pending >> UInt16(bitCount)))
        pending &= 1 << UInt16(bitCount) - 1
      }
    }
    guard checksum.isVerified else {
      throw failure("its checksum does not fit: a character is wrong, or two are exchanged")
    }
    // Section 9.1: each key has one text, so the bits that pad the last group are zero.
    guard pending == 0 else { throw failure("its last bits are not zero") }
    return secret
  }

  /// The text without spaces, tabs and line ends around it.
  static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    var range = 0..<text.count
    while let last = range.last, blanks.contains(text[last]) { range = 0..<last }
    while let first = range.first, blanks.contains(text[first]) {
      range = first + 1..<range.upperBound
    }
    return range
  }

  /// Refuses an empty text, a text of another kind, and any other text, each with its own message.
  private func requirePrefix(_ text: Span<UInt8>, _ range: Range<Int>) throws(SealError) {
    func begins(with prefix: String) -> Bool {
      let prefix = Array((prefix + "1").utf8)
      return prefix.count <= range.count
        && prefix.indices.allSatisfy {
          TextForm.lowerCase(text[range.lowerBound + $0]) == prefix[$0]
        }
    }
    guard !range.isEmpty else { throw failure("it is empty") }
    for (other, name) in TextForm.names where other.prefix != prefix && begins(with: other.prefix) {
      throw failure("it is \(name)")
    }
    let start = isUpperCase ? prefix.uppercased() : prefix
    guard begins(with: prefix) else { throw failure("it does not begin with \"\(start)1\"") }
    // BIP 173: upper or lower case, never both.
    var (hasUpper, hasLower) = (false, false)
    for index in range {
      hasUpper = hasUpper || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[index])
      hasLower = hasLower || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[index])
    }
    guard !hasUpper || !hasLower else { throw failure("it mixes upper and lower case") }
  }

  private func value(_ character: UInt8, at position: Int) throws(SealError) -> UInt8 {
    if let value = Bech32.value(of: TextForm.lowerCase(character)) { return value }
    let isPrintable = (0x21...0x7E).contains(character)
    let name =
      isSecret || !isPrintable ? "the character" : "\"\(Character(Unicode.Scalar(character)))\""
    throw failure("\(name) at place \(position + 1) never occurs in such a text")
  }

  private static func lowerCase(_ character: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(character) ? character + 32 : character
  }

  private func failure(_ detail: String) -> SealError { SealError(code, detail: detail) }
}

/// The checksum and the alphabet of Bech32m (BIP 350), which the text forms of keys use.
///
/// In a text of up to 90 characters, it detects any change of up to four characters.
enum Bech32 {
  /// The character for each value of five bits.
  static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  static let checksumLength = 6
  private static let target: UInt32 = 0x2BC8_30A3

  /// The value of a lower-case character, or nil when it is not in the alphabet.
  static func value(of character: UInt8) -> UInt8? {
    alphabet.firstIndex(of: character).map { UInt8($0) }
  }

  /// The checksum of the characters so far.
  struct Checksum {
    private var state: UInt32 = 1

    /// Starts with the prefix, each character in two halves.
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

    /// True when the checksum characters have been added too and match.
    var isVerified: Bool { state == target }

    /// The six values that complete the checksum.
    func values() -> [UInt8] {
      var end = self
      for _ in 0..<checksumLength { end.add(0) }
      let rest = end.state ^ target
      return (0..<checksumLength).map { UInt8(rest >> UInt32(5 * (5 - $0)) & 31) }
    }
  }
}
