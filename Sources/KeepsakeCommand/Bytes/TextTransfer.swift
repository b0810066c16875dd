import CommandSupport
import Keepsake

/// Traces of a transfer that took a binary file for text.
enum TextTransfer {
  /// The bytes after the name of a format, which differ once line ends are converted.
  private static let intact: [UInt8] = [0x0D, 0x0A, 0x1A, 0x0A]
  private static let converted: [[UInt8]] = [
    [0x0A, 0x1A, 0x0A], [0x0D, 0x0D, 0x0A, 0x1A, 0x0D, 0x0A], [0x0D, 0x0A, 0x1A, 0x0D, 0x0A],
    [0x0D, 0x1A, 0x0D],
  ]
  /// The first byte of a format, and what it becomes in seven bits, in UTF-8, and where it is no character.
  private static let firstBytes: [[UInt8]] = [[0x89], [0x09], [0xC2, 0x89], [0xEF, 0xBF, 0xBD]]

  /// Whether a file begins as a file of Keepsake does that was changed on its way.
  static func hasChanged(_ beginning: [UInt8]) -> Bool {
    for first in firstBytes where beginning.starts(with: first) {
      let rest = beginning.dropFirst(first.count)
      // A format is named by KS and one more letter.
      guard rest.starts(with: [0x4B, 0x53]), rest.count > 3 else { continue }
      let ends = rest.dropFirst(3)
      if converted.contains(where: { ends.starts(with: $0) }) { return true }
      if first != firstBytes[0], ends.starts(with: intact) { return true }
    }
    return false
  }
}

extension Failure {
  /// Refuses a file by its first bytes.
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
