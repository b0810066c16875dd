import CommandSupport
import Keepsake

/// Recognizes binary files that a transfer in text mode has changed.
enum TextTransfer {
  /// The bytes of a magic number after the format's name; a conversion of line ends changes them.
  private static let intact: [UInt8] = [0x0D, 0x0A, 0x1A, 0x0A]
  private static let converted: [[UInt8]] = [
    [0x0A, 0x1A, 0x0A], [0x0D, 0x0D, 0x0A, 0x1A, 0x0D, 0x0A], [0x0D, 0x0A, 0x1A, 0x0D, 0x0A],
    [0x0D, 0x1A, 0x0D],
  ]
  /// The first byte of a magic number; then with seven bits, as a character in UTF-8, and as U+FFFD.
  private static let firstBytes: [[UInt8]] = [[0x89], [0x09], [0xC2, 0x89], [0xEF, 0xBF, 0xBD]]

  /// True when the bytes are the beginning of a Keepsake file that a transfer has changed.
  static func hasChanged(_ beginning: [UInt8]) -> Bool {
    for first in firstBytes where beginning.starts(with: first) {
      let rest = beginning.dropFirst(first.count)
      // The name of a format is KS and one more letter.
      guard rest.starts(with: [0x4B, 0x53]), rest.count > 3 else { continue }
      let ends = rest.dropFirst(3)
      if converted.contains(where: { ends.starts(with: $0) }) { return true }
      if first != firstBytes[0], ends.starts(with: intact) { return true }
    }
    return false
  }
}

extension Failure {
  /// The failure for a file that is neither sealed nor an archive, with advice that fits its first bytes.
  static func neither(_ name: String, _ beginning: [UInt8]) -> Failure {
    if TextTransfer.hasChanged(beginning) {
      return Failure(
        "\(name) was a sealed file or an archive, but a transfer as text has changed its line ends. Transfer it again as "
          + "binary data, or seal it with --armor.", .damaged)
    }
    if ArmoredText.begins(in: beginning) {
      return Failure(
        "\(name) has the text of a sealed file within another text. Copy only the lines from -----BEGIN to -----END, "
          + "without marks such as > before them.", .damaged)
    }
    return Failure(
      "\(name) is neither a sealed file nor an archive; check that it is the right file.", .damaged)
  }
}
