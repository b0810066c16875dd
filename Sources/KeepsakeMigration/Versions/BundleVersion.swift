/// A bundle version: numbers separated by periods, compared number by number.
///
/// Every archive records the bundle version of the program that wrote it. Versions are compared as
/// numbers, never as text and never as a decimal fraction: `2.10` is later than `2.9`, and `11`,
/// `11.0` and `11.0.0` are equal. Rules: Spec/migration.md, section 1.
///
/// ```swift
/// let version = try BundleVersion("11.0")
/// ```
public struct BundleVersion: Sendable {
  /// The maximum number of numbers in a version.
  static let maximumNumberCount = 16

  /// The numbers of the version without trailing zeros, the most significant first.
  ///
  /// `11.0` has the numbers `[11]`, and `0.0` has none.
  public let numbers: [UInt32]

  /// The version as it was written, trailing zeros included.
  package let text: String

  /// Parses a version.
  ///
  /// - Parameter text: One to sixteen decimal numbers, each at most 4,294,967,295, with a period
  ///   between two of them. Only the digits 0 to 9 and periods are allowed.
  /// - Throws: ``MigrationError`` with the code ``MigrationError/Code/malformedVersion``.
  public init(_ text: String) throws(MigrationError) {
    var numbers: [UInt32] = []
    for part in text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) {
      guard numbers.count < Self.maximumNumberCount else {
        throw .malformedVersion(text, "it has more than \(Self.maximumNumberCount) numbers")
      }
      numbers.append(try Self.number(part, of: text))
    }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
    self.text = text
  }

  private static func number(
    _ digits: Substring.UTF8View, of text: String
  ) throws(MigrationError) -> UInt32 {
    guard !digits.isEmpty else {
      throw .malformedVersion(text, "a number is missing between, before or after its periods")
    }
    var number: UInt32 = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else {
        throw .malformedVersion(text, "it holds a character that is neither a digit nor a period")
      }
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt32(digit - UInt8(ascii: "0")))
      guard !overflow, !carry else {
        throw .malformedVersion(text, "one of its numbers is larger than \(UInt32.max)")
      }
      number = sum
    }
    return number
  }
}

extension BundleVersion: Comparable, Hashable {
  /// Returns whether two versions have the same numbers; trailing zeros do not count.
  public static func == (first: BundleVersion, second: BundleVersion) -> Bool {
    first.numbers == second.numbers
  }

  /// Returns whether the first version is earlier than the second, number by number.
  public static func < (first: BundleVersion, second: BundleVersion) -> Bool {
    first.numbers.lexicographicallyPrecedes(second.numbers)
  }

  /// Hashes the numbers, so that equal versions have equal hashes, whatever their text is.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
  }
}

extension BundleVersion: CustomStringConvertible {
  /// The version as it was written, trailing zeros included.
  public var description: String { text }
}
