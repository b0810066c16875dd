package import KeepsakeArchive

// Dates and bytes, which a property list in XML stores as text.

extension PropertyList {
  /// The date of a text such as `2001-12-31T23:59:59Z`, nil if there is no such date.
  ///
  /// The calendar is the one that Foundation prints such dates in: Gregorian from the 15th of October 1582 on, the
  /// day after the 4th, and Julian before.
  package static func date(_ text: String) -> ArchiveDate? {
    let bytes = Array(text.utf8)
    let marks: [(Int, Unicode.Scalar)] = [
      (4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":"), (19, "Z"),
    ]
    guard bytes.count == 20, marks.allSatisfy({ bytes[$0.0] == UInt8(ascii: $0.1) }),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]),
      let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      year >= 1, hour < 24, minute < 60, second < 60,
      let days = daysSinceReferenceDate(year, month, day)
    else { return nil }
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    return ArchiveDate(secondsSinceReferenceDate: Double(seconds))
  }

  /// The value of decimal digits; nil if there are other characters.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  /// The number of days from the first of January 2001 to a day, nil if there is no such day.
  private static func daysSinceReferenceDate(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    let isGregorian = (year, month, day) >= (1582, 10, 15)
    guard isGregorian || (year, month, day) <= (1582, 10, 4), (1...12).contains(month) else {
      return nil
    }
    let isLeap = year % 4 == 0 && (!isGregorian || year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...lengths[month - 1]).contains(day) else { return nil }
    // Both calendars count from the first of January of the year 1; the Julian one began two days earlier.
    let past = year - 1
    let leapDays = isGregorian ? past / 4 - past / 100 + past / 400 : past / 4
    let dayOfYear = lengths[..<(month - 1)].reduce(0, +) + day - 1
    return past * 365 + leapDays + dayOfYear - (isGregorian ? 730_485 : 730_487)
  }

  /// The bytes of a text in base 64, which may have blanks anywhere; nil if it breaks a rule of RFC 4648.
  package static func bytes(base64 text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    // `bits` has the `bitCount` bits that do not fill a byte yet; `digitCount` includes the padding.
    var (bits, bitCount, paddingCount, digitCount): (UInt32, Int, Int, Int) = (0, 0, 0, 0)
    for byte in text.utf8 where !TextCursor.isBlank(byte) {
      digitCount += 1
      if byte == UInt8(ascii: "=") {
        paddingCount += 1
        continue
      }
      guard paddingCount == 0, let digit = digit(ofBase64: byte) else { return nil }
      bits = bits << 6 | UInt32(digit)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
        bits &= (1 << UInt32(bitCount)) - 1
      }
    }
    // The bits after the last byte are zero, and padding completes the last group of four digits.
    guard digitCount.isMultiple(of: 4), bits == 0, bitCount < 6, paddingCount == bitCount / 2 else {
      return nil
    }
    return bytes
  }

  private static func digit(ofBase64 byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
