/// Parses the keys in the bytes that a terminal sends.
package struct TerminalKeyParser {
  /// The bytes of an incomplete character or sequence.
  private var rest: [UInt8] = []

  /// True when the last bytes may be the start of a sequence, or the escape key itself.
  package var isUndecided: Bool { rest.first == 0x1B }

  /// The keys of the escape sequences that all current terminals share.
  private static let sequences: [String: TerminalKey] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
    "1~": .home, "3~": .delete, "4~": .end, "5~": .pageUp, "6~": .pageDown, "7~": .home,
    "8~": .end,
  ]

  package init() {}

  /// Parses the bytes of one read; unknown sequences are left out.
  ///
  /// Sequences may arrive in parts. An escape byte at the end may be the escape key, so call ``decide()`` when nothing
  /// follows.
  package mutating func keys(in bytes: [UInt8]) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var input = (rest + bytes)[...]
    rest = []
    while let first = input.first {
      let start = input
      input.removeFirst()
      switch Self.parse(first, &input) {
      case .key(let key): keys.append(key)
      case .unknown: break
      case .incomplete:
        rest = Array(start)
        return keys
      }
    }
    return keys
  }

  /// Returns the escape key for an escape byte that nothing follows.
  package mutating func decide() -> [TerminalKey] {
    guard isUndecided else { return [] }
    rest = []
    return [.escape]
  }

  private enum Parsed {
    case key(TerminalKey)
    /// A sequence without a key, or bytes that are not UTF-8.
    case unknown
    /// More bytes have to arrive.
    case incomplete
  }

  /// Parses a key from its first byte and the bytes after it.
  private static func parse(_ first: UInt8, _ input: inout ArraySlice<UInt8>) -> Parsed {
    switch first {
    case 0x1B: escaped(&input)
    case 0x0D, 0x0A: .key(.enter)
    case 0x09: .key(.tab)
    case 0x7F, 0x08: .key(.backspace)
    case 0x01...0x1A: .key(.control(Character(UnicodeScalar(first + 0x60))))
    case 0x00, 0x1C...0x1F: .unknown
    default: character(first, &input)
    }
  }

  /// Parses the sequence after an escape byte.
  private static func escaped(_ input: inout ArraySlice<UInt8>) -> Parsed {
    guard let first = input.first else { return .incomplete }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else { return .key(.escape) }
    input.removeFirst()
    var sequence = ""
    while let byte = input.popFirst() {
      sequence.unicodeScalars.append(UnicodeScalar(byte))
      if (0x40...0x7E).contains(byte) { return sequences[sequence].map { .key($0) } ?? .unknown }
    }
    // Longer input is not an escape sequence.
    return sequence.count > longestSequence ? .unknown : .incomplete
  }

  private static let longestSequence = 32

  /// Parses one scalar value; skips the first one of bytes that are not UTF-8.
  private static func character(_ first: UInt8, _ input: inout ArraySlice<UInt8>) -> Parsed {
    let restLength =
      switch first {
      case 0xF0...0xF7: 3
      case 0xE0...0xEF: 2
      case 0xC0...0xDF: 1
      default: 0
      }
    guard input.count >= restLength else { return .incomplete }
    let bytes = [first] + input.prefix(restLength)
    guard let character = String(validating: bytes, as: UTF8.self)?.first else { return .unknown }
    input.removeFirst(restLength)
    return .key(.character(character))
  }
}
