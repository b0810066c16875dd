/// Finds the keys in the bytes that a terminal sends.
public struct TerminalKeyParser {
  /// Bytes of a character that is not whole yet.
  private var rest: [UInt8] = []

  /// The keys of the escape sequences that are common to all terminals of today.
  private static let sequences: [String: TerminalKey] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
    "1~": .home, "3~": .delete, "4~": .end, "5~": .pageUp, "6~": .pageDown, "7~": .home,
    "8~": .end,
  ]

  /// Makes a parser.
  public init() {}

  /// Takes bytes as they come.
  ///
  /// An escape byte that nothing follows in the same bytes is the escape key.
  ///
  /// - Parameter bytes: What was read at once.
  /// - Returns: The keys; sequences that are not known are left out.
  public mutating func keys(in bytes: [UInt8]) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var input = (rest + bytes)[...]
    rest = []
    while let first = input.first {
      switch first {
      case 0x1B:
        input.removeFirst()
        if let key = Self.escaped(&input) { keys.append(key) }
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

  /// What follows an escape byte.
  private static func escaped(_ input: inout ArraySlice<UInt8>) -> TerminalKey? {
    guard let first = input.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else {
      return .escape
    }
    input.removeFirst()
    var sequence = ""
    while let byte = input.popFirst() {
      sequence.unicodeScalars.append(UnicodeScalar(byte))
      if (0x40...0x7E).contains(byte) { break }
    }
    return sequences[sequence]
  }

  /// One scalar value; `nil` when it is not whole yet, and none in it when the bytes are no UTF-8.
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
