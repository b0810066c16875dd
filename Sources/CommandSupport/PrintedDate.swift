import Foundation
package import Keepsake

// The text form of dates, which the command prints and reads.

extension ArchiveDate {
  /// The date in the form of ISO 8601, or a number of seconds.
  ///
  /// It has as many fractional digits as an exact round trip needs, and at least three if there are any. A date before
  /// the year 1, after 9999 or with too many digits is given as a number of seconds.
  package var text: String {
    let seconds = secondsSinceReferenceDate
    // Foundation's calendar, whose first day is `Date.distantPast`.
    guard (-63_114_076_800..<252_423_993_600).contains(seconds), let digits = fractionDigits else {
      return "\(seconds)\(Self.unit)"
    }
    let whole = Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)).formatted(.iso8601)
    return digits.isEmpty ? whole : "\(whole.dropLast()).\(digits)Z"
  }

  /// The date of such a text, which may also have an offset such as `+01:00` in place of the `Z`; nil if there is no such
  /// date.
  package init?(text: String) {
    if text.hasSuffix(Self.unit) {
      guard let seconds = try? Double(decimal: String(text.dropLast(Self.unit.count))) else {
        return nil
      }
      self.init(secondsSinceReferenceDate: seconds)
      return
    }
    var rest = text.dropFirst(19)
    var digits: [UInt8] = []
    if rest.first == "." {
      digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }.utf8.map { $0 - 0x30 }
      rest = rest.dropFirst(digits.count + 1)
      if digits.isEmpty { return nil }
    }
    guard let whole = PropertyList.date("\(text.prefix(19))Z"), let offset = Self.offset(rest)
    else { return nil }
    var seconds = Int(whole.secondsSinceReferenceDate - offset)
    while digits.last == 0 { digits.removeLast() }
    let isNegative = seconds < 0
    if isNegative, !digits.isEmpty {
      digits = Self.complement(of: digits)
      seconds += 1
    }
    let decimal = "\(seconds.magnitude).\(Self.text(of: digits))0"
    guard let magnitude = try? Double(decimal: decimal) else { return nil }
    self.init(secondsSinceReferenceDate: isNegative ? -magnitude : magnitude)
  }

  /// The seconds of `Z` or of an offset such as `+01:00`; nil for another text.
  private static func offset(_ zone: Substring) -> Double? {
    if zone == "Z" { return 0 }
    guard let sign = zone.first, sign == "+" || sign == "-",
      let time = PropertyList.date("2001-01-01T\(zone.dropFirst()):00Z")
    else { return nil }
    return sign == "-" ? -time.secondsSinceReferenceDate : time.secondsSinceReferenceDate
  }

  /// The unit after a number of seconds in the text of a date.
  private static let unit = " s after 2001"

  /// The most fractional digits of a date: enough for 1e-15 seconds with 17 significant digits.
  private static let mostFractionDigits = 32

  /// The digits of the fraction of a second, counted from the previous whole second; empty for a whole second.
  ///
  /// The result is nil for a number so close to zero that it has hundreds of digits.
  private var fractionDigits: String? {
    // A description has the shortest digits that round-trip exactly. Below a ten-thousandth it has an exponent.
    let parts = "\(secondsSinceReferenceDate.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1].utf8.map { $0 - 0x30 } : []
    if parts.count > 1, let exponent = Int(parts[1]) {
      guard -exponent + digits.count <= Self.mostFractionDigits else { return nil }
      digits =
        Array(repeating: 0, count: -exponent - 1) + mantissa[0].utf8.map { $0 - 0x30 } + digits
    }
    if digits.isEmpty { return "" }
    if secondsSinceReferenceDate < 0 { digits = Self.complement(of: digits) }
    digits += Array(repeating: 0, count: max(0, 3 - digits.count))
    return Self.text(of: digits)
  }

  /// The digits of one second minus a fraction, whose last digit is not zero.
  private static func complement(of digits: [UInt8]) -> [UInt8] {
    digits.dropLast().map { 9 - $0 } + digits.suffix(1).map { 10 - $0 }
  }

  private static func text(of digits: [UInt8]) -> String {
    digits.map { "\($0)" }.joined()
  }
}
