/// The names of files that are being written: `.<16 hexadecimal digits>.sealtmp`
/// (Spec/replacement.md, section 1).
enum TemporaryName {
  private static let suffix = ".sealtmp"

  /// A new name of 64 random bits, which reveals nothing about the file.
  static func make() -> String {
    "." + UInt64.random(in: .min ... .max).bytes.hexadecimal + suffix
  }

  /// Whether a name has exactly this form.
  static func matches(_ name: String) -> Bool {
    name.digits(count: 16, suffix: suffix) != nil
  }
}

/// The name under which a finished file is exchanged with the file that it replaces: `.<48 hexadecimal
/// digits>.sealswap` (Spec/replacement.md, section 6).
///
/// After the exchange, the name may belong to a file that another program has just saved. So it records the
/// two files of the exchange: after a crash, a collector can tell which files are safe to remove.
struct ExchangeName: Equatable {
  private static let suffix = ".sealswap"

  let text: String
  private let placed: String
  private let replaced: String
  private let target: String

  /// The name for an exchange that puts the file `placed` in place of `replaced`, under the name `target`.
  init(
    placing placed: FileStatus, over replaced: FileStatus, at target: String
  ) {
    self.placed = Self.digest(of: placed)
    self.replaced = Self.digest(of: replaced)
    self.target = Self.digest(of: target)
    text = "." + self.placed + self.replaced + self.target + Self.suffix
  }

  /// Parses a name; nil when it does not have this form.
  init?(_ name: String) {
    let length = 2 * NameDigest.length
    guard let digits = name.digits(count: 3 * length, suffix: Self.suffix)
    else { return nil }
    text = name
    placed = String(digits.prefix(length))
    replaced = String(digits.dropFirst(length).prefix(length))
    target = String(digits.suffix(length))
  }

  /// Whether a file is the one that the exchange was to put in place.
  func isPlaced(_ status: FileStatus) -> Bool {
    Self.digest(of: status) == placed
  }

  /// Whether a file is one of the two files of the exchange, unchanged.
  func includes(_ status: FileStatus) -> Bool {
    [placed, replaced].contains(Self.digest(of: status))
  }

  /// Whether the exchange was made at this name.
  func isFor(_ target: String) -> Bool {
    Self.digest(of: target) == self.target
  }

  /// The digest covers inode, size and time: a file that was changed in place has another one.
  private static func digest(of status: FileStatus) -> String {
    var bytes: [UInt8] = []
    for number in [
      status.inode, status.size, UInt64(bitPattern: status.modified.seconds),
      UInt64(bitPattern: status.modified.nanoseconds),
    ] {
      bytes += number.bytes
    }
    return NameDigest.digest(of: bytes).hexadecimal
  }

  private static func digest(of name: String) -> String {
    NameDigest.digest(of: Array(name.utf8)).hexadecimal
  }
}

extension UInt64 {
  /// The bytes of the number, the lowest first.
  fileprivate var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: self >> (8 * UInt64($0))) }
  }
}

extension String {
  /// The lower-case hexadecimal digits between the dot and the suffix of a name, if there are exactly `count`.
  fileprivate func digits(count: Int, suffix: String) -> Substring? {
    guard utf8.count == 1 + count + suffix.utf8.count, hasPrefix("."), hasSuffix(suffix),
      utf8.dropFirst().prefix(count).allSatisfy("0123456789abcdef".utf8.contains)
    else { return nil }
    return dropFirst().prefix(count)
  }
}
