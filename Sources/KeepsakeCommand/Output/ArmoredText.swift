import CommandSupport
import Foundation
import Keepsake

/// The text form of a sealed file, for mail and clipboards (Spec/armor.md).
///
/// The seal of the file vouches for the content. The checksum only detects damage to the text.
enum ArmoredText {
  private static let name = "KEEPSAKE SEALED FILE"
  private static let begin = "-----BEGIN \(name)-----"
  private static let end = "-----END \(name)-----"
  /// Section 2: the characters of each line but the last one.
  private static let lineLength = 64
  /// Section 3: the most bytes of a sealed file in this form.
  static let contentByteLimit = 8 << 20
  /// The most bytes of a text that is read.
  static let mostBytes = 16 << 20

  /// True when a text begins as this form does, after blanks and a byte order mark.
  static func isArmored(_ beginning: [UInt8]) -> Bool {
    withoutMark(beginning).drop { isBlank($0) }.starts(with: begin.utf8)
  }

  /// True when a text of this form begins anywhere in the bytes, as in a mail with a greeting, or in an answer to one.
  static func begins(in bytes: [UInt8]) -> Bool { bytes.firstRange(of: begin.utf8) != nil }

  private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let mark = KeyContent.byteOrderMark
    return bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0)
  }

  static func text(of bytes: [UInt8]) throws(Failure) -> String {
    guard bytes.count <= contentByteLimit else {
      throw Failure(
        "The sealed file has more than \(contentByteLimit) bytes, which are too many for a text; leave --armor out.",
        .usage)
    }
    let digits = Array(Data(bytes).base64EncodedString().utf8)
    var lines = [begin]
    for start in stride(from: 0, to: digits.count, by: lineLength) {
      let line = digits[start..<min(digits.count, start + lineLength)]
      lines.append(String(decoding: line, as: UTF8.self))
    }
    lines += ["=" + checksum(of: bytes), end]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads a text; anything but the canonical form is refused with its line.
  static func decode(_ text: [UInt8], from source: String) throws(Failure) -> [UInt8] {
    func failure(_ reason: String, _ line: Int) -> Failure {
      Failure(
        "\(source) is not the text of a sealed file as it should be: \(reason) (line \(line)). Copy the whole text again.",
        .damaged)
    }
    guard text.count <= mostBytes else {
      throw Failure(
        "\(source) has more than \(mostBytes) bytes, the limit of the text form of a sealed file.",
        .damaged)
    }
    let lines = withoutMark(text).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { trimmed($0) }
    guard let first = lines.firstIndex(where: { !$0.isEmpty }),
      lines[first].elementsEqual(begin.utf8)
    else { throw failure("it does not begin with \(begin)", 1) }
    guard let last = lines.firstIndex(where: { $0.elementsEqual(end.utf8) }), last > first else {
      throw failure("its last line, \(end), is missing", lines.count)
    }
    if let other = lines[(last + 1)...].firstIndex(where: { !$0.isEmpty }) {
      throw failure("something follows the last line", other + 1)
    }
    let content = lines[(first + 1)..<last]
    guard let stated = content.last, stated.first == UInt8(ascii: "=") else {
      throw failure("the line with the checksum is missing", last)
    }
    var digits: [UInt8] = []
    for (index, line) in zip(content.indices, content.dropLast()) {
      let isLast = index == last - 2
      guard isLast ? (1...lineLength).contains(line.count) : line.count == lineLength else {
        throw failure("a line has \(line.count) characters in place of \(lineLength)", index + 1)
      }
      digits += line
    }
    guard let data = Data(base64Encoded: Data(digits)),
      Array(data.base64EncodedString().utf8) == digits
    else { throw failure("a character does not belong to base 64", first + 2) }
    let bytes = Array(data)
    guard stated.dropFirst().elementsEqual(checksum(of: bytes).utf8) else {
      throw failure("the checksum does not fit, so a character is wrong or lines are missing", last)
    }
    return bytes
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var line = line.drop { isBlank($0) }
    while let last = line.last, isBlank(last) { line.removeLast() }
    return line
  }

  /// Section 2: CRC-32 as in ISO/IEC 8802-3, in eight hexadecimal digits.
  static func checksum(of bytes: [UInt8]) -> String {
    var state = UInt32.max
    for byte in bytes {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = state >> 1 ^ (state & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    let digits = String(~state, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
