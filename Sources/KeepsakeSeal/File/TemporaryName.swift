/// The names of files that are being written: `.<16 hexadecimal digits>.sealtmp`
/// (Spec/seal.md, section 8).
enum TemporaryName {
  private static let suffix = ".sealtmp"
  private static let digits = Array("0123456789abcdef".utf8)

  /// A new name of 64 random bits; it says nothing of the file that it becomes.
  static func make() throws(SealError) -> String {
    let hex = try RandomBytes.make(count: 8).flatMap { byte in
      [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return "." + String(decoding: hex, as: UTF8.self) + suffix
  }

  /// Whether a name is exactly of this form.
  static func matches(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    return bytes.count == 25 && bytes[0] == UInt8(ascii: ".")
      && bytes[1..<17].allSatisfy { digits.contains($0) } && name.hasSuffix(suffix)
  }
}
