/// Converts text to Unicode normalization form C in guarded memory.
///
/// It is for passphrases: one system types an accented letter as one scalar, another one as two.
///
/// The rules are those of Unicode Standard Annex #15. The standard library has no public function for them,
/// and this module does not use Foundation.
enum ComposedText {
  /// The first scalar that form C may change; text of lower scalars is in form C.
  private static let firstOther: UInt32 = 0x300

  /// The text in form C, as UTF-8; nil when it is in form C already, or is not UTF-8.
  static func composed(_ text: SecretBytes) throws(SealError) -> SecretBytes? {
    guard let isPlain = isPlain(text), !isPlain else { return nil }
    // A scalar of n bytes has at most 2n scalars in its decomposition.
    let composed = try SecretBytes.withScratch(count: 2 * text.count) {
      scalars throws(SealError) in
      let count = compose(&scalars, count: decompose(text, to: &scalars))
      var byteCount = 0
      for index in 0..<count { byteCount += Unicode.Scalar(scalars[index])?.utf8.count ?? 0 }
      return try SecretBytes(count: byteCount) { output in
        for index in 0..<count {
          if let scalar = Unicode.Scalar(scalars[index]) {
            for byte in scalar.utf8 { output.append(byte) }
          }
        }
      }
    }
    return composed.isEqual(to: text) ? nil : composed
  }

  /// Whether form C cannot change any scalar of the text; nil when the bytes are not UTF-8.
  private static func isPlain(_ text: SecretBytes) -> Bool? {
    var isPlain = true
    var bytes = SecretIterator(text)
    var decoder = UTF8()
    while true {
      switch decoder.decode(&bytes) {
      case .scalarValue(let scalar): isPlain = isPlain && scalar.value < firstOther
      case .emptyInput: return isPlain
      case .error: return nil
      }
    }
  }
}

// While marks are sorted, the upper eight bits of each scalar hold its combining class.
extension ComposedText {
  /// Writes the canonical decomposition of a text, with its marks sorted, and returns the number of scalars.
  private static func decompose(_ text: SecretBytes, to scalars: inout MutableSpan<UInt32>) -> Int {
    var count = 0
    var bytes = SecretIterator(text)
    var decoder = UTF8()
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      append(scalar.value, to: &scalars, &count)
    }
    for index in 0..<count { scalars[index] &= 0x00FF_FFFF }
    return count
  }

  private static func append(
    _ scalar: UInt32, to scalars: inout MutableSpan<UInt32>, _ count: inout Int
  ) {
    if let syllable = Hangul.parts(of: scalar) {
      for part in [syllable.leading, syllable.vowel, syllable.trailing] where part != 0 {
        insert(part, into: &scalars, &count)
      }
    } else if let parts = decompositions[scalar] {
      for part in parts { append(part, to: &scalars, &count) }
    } else {
      insert(scalar, into: &scalars, &count)
    }
  }

  /// Inserts a mark after all marks whose class is not higher.
  private static func insert(
    _ scalar: UInt32, into scalars: inout MutableSpan<UInt32>, _ count: inout Int
  ) {
    let entry = combiningClass(of: scalar) << 24 | scalar
    var place = count
    if entry >> 24 != 0 {
      while place > 0, scalars[place - 1] >> 24 > entry >> 24 {
        scalars[place] = scalars[place - 1]
        place -= 1
      }
    }
    scalars[place] = entry
    count += 1
  }

  /// Composes decomposed scalars in place, and returns the number of scalars that are left.
  private static func compose(_ scalars: inout MutableSpan<UInt32>, count: Int) -> Int {
    var kept = 0
    // The index of the last scalar that marks can compose with, and the class of the last mark kept after it.
    var starter: Int?
    var lastClass: UInt32?
    for index in 0..<count {
      let scalar = scalars[index]
      let scalarClass = combiningClass(of: scalar)
      let isReachable = lastClass.map { $0 < scalarClass } ?? true
      if let starter, isReachable, let composite = composite(scalars[starter], scalar) {
        scalars[starter] = composite
        continue
      }
      if scalarClass == 0 {
        (starter, lastClass) = (kept, nil)
      } else {
        lastClass = scalarClass
      }
      scalars[kept] = scalar
      kept += 1
    }
    return kept
  }

  private static func combiningClass(of scalar: UInt32) -> UInt32 {
    guard scalar >= firstOther, let scalar = Unicode.Scalar(scalar) else { return 0 }
    return UInt32(scalar.properties.canonicalCombiningClass.rawValue)
  }

  private static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    Hangul.composite(first, second) ?? compositions[Pair(first: first, second: second)]
  }
}

/// The Hangul syllables, whose numbers are computed from their parts (The Unicode Standard, section 3.12).
private enum Hangul {
  private static let syllables: UInt32 = 0xAC00
  private static let leading: UInt32 = 0x1100
  private static let vowels: UInt32 = 0x1161
  /// One before the first trailing consonant: number 0 means that a syllable has none.
  private static let trailing: UInt32 = 0x11A7
  private static let leadingCount: UInt32 = 19
  private static let vowelCount: UInt32 = 21
  private static let trailingCount: UInt32 = 28
  private static let syllableCount = leadingCount * vowelCount * trailingCount

  /// The parts of a syllable; the trailing consonant is 0 when it has none.
  static func parts(
    of scalar: UInt32
  ) -> (leading: UInt32, vowel: UInt32, trailing: UInt32)? {
    guard scalar >= syllables, scalar - syllables < syllableCount else { return nil }
    let index = scalar - syllables
    let last = index % trailingCount
    return (
      leading + index / (vowelCount * trailingCount),
      vowels + index / trailingCount % vowelCount, last == 0 ? 0 : trailing + last
    )
  }

  static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if first >= leading, first - leading < leadingCount, second >= vowels,
      second - vowels < vowelCount
    {
      return syllables
        + ((first - leading) * vowelCount + (second - vowels)) * trailingCount
    }
    guard let parts = parts(of: first), parts.trailing == 0, second > trailing,
      second - trailing < trailingCount
    else { return nil }
    return first + (second - trailing)
  }
}

/// Iterates over the bytes of a secret.
private struct SecretIterator: IteratorProtocol {
  private let secret: SecretBytes
  private var index = 0

  init(_ secret: SecretBytes) { self.secret = secret }

  mutating func next() -> UInt8? {
    guard index < secret.count else { return nil }
    defer { index += 1 }
    return secret.withSpan { $0[index] }
  }
}
