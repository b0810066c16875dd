/// Parses the keys in the bytes that a terminal sends.
package struct TerminalKeyParser {
  /// The bytes of an incomplete character or sequence.
  private var rest: [UInt8] = []

  /// True when the last bytes may be the start of a sequence, or the escape key itself.
  package var isUndecided: Bool { rest.first == 0x1B }

  /// The keys of the escape sequences that all present terminals share.
  private static let sequences: [String: TerminalKey] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
    "1~": .home, "3~": .delete, "4~": .end, "5~": .pageUp, "6~": .pageDown, "7~": .home,
    "8~": .end,
  ]

  /// Makes a parser.
  package init() {}

  /// Parses bytes as they arrive.
  ///
  /// Sequences may arrive in parts. An escape byte at the end may be the escape key, so call ``decide()`` when
  /// nothing follows.
  ///
  /// - Parameter bytes: The bytes of one read.
  /// - Returns: The keys; unknown sequences are left out.
  package mutating func keys(in bytes: [UInt8]) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var input = (rest + bytes)[...]
    rest = []
    while let first = input.first {
      switch first {
      case 0x1B:
        let start = input
        input.removeFirst()
        guard let key = Self.escaped(&input) else {
          rest = Array(start)
          return keys
        }
        keys += key.map { [$0] } ?? []
      case 0x0D, 0x0A:
        input.removeFirst()
        keys.append(.enter)
      case 0x09:
        input.removeFirst()
        keys.append(.tab)
      case 0x7F, 0x08:
        input.removeFirst()
        keys.append(.backspace)
      case 0x01...0x1A:
        input.removeFirst()
        keys.append(.control(Character(UnicodeScalar(first + 0x60))))
      case 0x00, 0x1C...0x1F: input.removeFirst()
      default:
        guard let character = Self.character(&input) else {
          rest = Array(input)
          return keys
        }
        keys += character.map { [.character($0)] } ?? []
      }
    }
    return keys
  }

  /// Decides that an escape byte without a sequel is the escape key.
  ///
  /// - Returns: The escape key, if one was undecided.
  package mutating func decide() -> [TerminalKey] {
    guard isUndecided else { return [] }
    rest = []
    return [.escape]
  }

  /// Parses the sequence after an escape byte; nil when it is incomplete, `.some(nil)` when it is unknown.
  private static func escaped(_ input: inout ArraySlice<UInt8>) -> TerminalKey?? {
    guard let first = input.first else { return nil }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else { return .some(.escape) }
    input.removeFirst()
    var sequence = ""
    while let byte = input.popFirst() {
      sequence.unicodeScalars.append(UnicodeScalar(byte))
      if (0x40...0x7E).contains(byte) { return .some(sequences[sequence]) }
    }
    // No sequence is that long, so these bytes are no sequence.
    return sequence.count > longestSequence ? .some(nil) : nil
  }

  private static let longestSequence = 32

  /// Parses one scalar value; nil when it is incomplete, `.some(nil)` when the bytes are not UTF-8.
  private static func character(_ input: inout ArraySlice<UInt8>) -> Character?? {
    guard let first = input.first else { return nil }
    let length =
      switch first {
      case 0xF0...0xF7: 4
      case 0xE0...0xEF: 3
      case 0xC0...0xDF: 2
      default: 1
      }
    guard input.count >= length else { return nil }
    let bytes = input.prefix(length)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      input.removeFirst()
      return .some(nil)
    }
    input.removeFirst(length)
    return .some(text.first)
  }
}
