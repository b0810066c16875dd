/// The names of files that are being written: `.<16 hexadecimal digits>.sealtmp`
/// (Spec/replacement.md, section 1).
enum TemporaryName {
  private static let suffix = ".sealtmp"

  /// A new name of 64 random bits; it says nothing of the file that it becomes.
  static func make() throws(SealError) -> String {
    "." + Hexadecimal.text(try RandomBytes.make(count: 8)) + suffix
  }

  /// Whether a name is exactly of this form.
  static func matches(_ name: String) -> Bool {
    Hexadecimal.digits(of: name, count: 16, suffix: suffix) != nil
  }
}

/// The name under which a finished file is exchanged with the one that it is to replace:
/// `.<48 hexadecimal digits>.sealswap` (Spec/replacement.md, section 6).
///
/// After the exchange it may stand for what somebody else has just saved. So it says which two files the
/// exchange is about: whoever finds it after a crash can tell what is safe to remove.
struct ExchangeName: Equatable {
  private static let suffix = ".sealswap"
  private static let digestLength = 8

  let text: String
  private let placed: String
  private let replaced: String
  private let target: String

  /// The name for putting the file `placed` in place of `replaced`, under the name `target`.
  init(
    placing placed: FileStatus, over replaced: FileStatus, at target: String
  ) throws(SealError) {
    self.placed = try Self.digest(of: placed)
    self.replaced = try Self.digest(of: replaced)
    self.target = try Self.digest(of: target)
    text = "." + self.placed + self.replaced + self.target + Self.suffix
  }

  /// Reads a name; nil when it is none of these.
  init?(_ name: String) {
    let length = 2 * Self.digestLength
    guard let digits = Hexadecimal.digits(of: name, count: 3 * length, suffix: Self.suffix)
    else { return nil }
    text = name
    placed = String(digits.prefix(length))
    replaced = String(digits.dropFirst(length).prefix(length))
    target = String(digits.suffix(length))
  }

  /// Whether a file is the one that was to get the name.
  func isPlaced(_ status: FileStatus) throws(SealError) -> Bool {
    try Self.digest(of: status) == placed
  }

  /// Whether a file is one of the two, as they were.
  func isAbout(_ status: FileStatus) throws(SealError) -> Bool {
    [placed, replaced].contains(try Self.digest(of: status))
  }

  /// Whether the exchange is one with the file of this name.
  func isFor(_ target: String) throws(SealError) -> Bool {
    try Self.digest(of: target) == self.target
  }

  /// Identity, size and time: a file that was changed in place is another one.
  private static func digest(of status: FileStatus) throws(SealError) -> String {
    var bytes: [UInt8] = []
    for number in [
      status.inode, status.size, UInt64(bitPattern: status.modified.seconds),
      UInt64(bitPattern: status.modified.nanoseconds),
    ] {
      bytes.appendLittleEndian(number)
    }
    return Hexadecimal.text(Array(try Blake2b.hash(bytes).prefix(digestLength)))
  }

  private static func digest(of name: String) throws(SealError) -> String {
    Hexadecimal.text(Array(try Blake2b.hash(Array(name.utf8)).prefix(digestLength)))
  }
}

private enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// What stands between the dot and the suffix of a name, when it is exactly `count` digits.
  static func digits(of name: String, count: Int, suffix: String) -> Substring? {
    let bytes = name.utf8
    guard bytes.count == 1 + count + suffix.utf8.count, name.hasPrefix("."), name.hasSuffix(suffix),
      bytes.dropFirst().prefix(count).allSatisfy({ digits.contains($0) })
    else { return nil }
    return name.dropFirst().prefix(count)
  }
}
