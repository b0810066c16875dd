package import KeepsakeDocuments

// A number that is imported as text keeps its value: it is not rounded to another kind silently.

extension DynamicValue {
  /// A whole number of decimal digits, with a sign or without: in 64 bits if it fits, else in 128; `nil` if it is
  /// beyond both.
  package init?(wholeNumber text: String) {
    if let value = Int64(text) {
      self = .signed(value, bitWidth: 64)
    } else if let value = UInt64(text) {
      self = .unsigned(value, bitWidth: 64)
    } else if let value = Int128(text) {
      self = .int128(value)
    } else if let value = UInt128(text) {
      self = .uint128(value)
    } else {
      return nil
    }
  }

  /// A whole number, in 64 bits if it fits.
  package init(wholeNumber value: Int128) {
    if let small = Int64(exactly: value) {
      self = .signed(small, bitWidth: 64)
    } else if let small = UInt64(exactly: value) {
      self = .unsigned(small, bitWidth: 64)
    } else {
      self = .int128(value)
    }
  }

  /// An array of values that were read one by one.
  ///
  /// All become real numbers of 64 bits if some are whole and some real, or if there are real ones of both widths. So
  /// the array can be read as one of `Double`. The array stays as it is if a number would lose digits.
  package init(elements: [DynamicValue]) {
    self = .array(elements)
    var (hasWhole, hasFloat, hasDouble) = (false, false, false)
    for element in elements {
      switch element {
      case .signed, .unsigned, .int128, .uint128: hasWhole = true
      case .double: hasDouble = true
      case .float: hasFloat = true
      case .null: break
      default: return
      }
    }
    guard hasWhole ? hasFloat || hasDouble : hasFloat && hasDouble else { return }
    var reals: [DynamicValue] = []
    reals.reserveCapacity(elements.count)
    for element in elements {
      guard let real = element.asReal else { return }
      reals.append(real)
    }
    self = .array(reals)
  }

  /// A number as a real number, if that has the same value; any other value unchanged.
  private var asReal: DynamicValue? {
    switch self {
    case .signed(let value, _): Double(exactly: value).map { .double($0) }
    case .unsigned(let value, _): Double(exactly: value).map { .double($0) }
    case .int128(let value): Double(exactly: value).map { .double($0) }
    case .uint128(let value): Double(exactly: value).map { .double($0) }
    case .float(let value): .double(Double(value))
    default: self
    }
  }
}

extension Double {
  /// The reason why a `Double` cannot hold a decimal number.
  package enum DecimalFailure: Error {
    case malformed, tooLarge, tooSmall

    /// The end of the sentence that names the number.
    package var reason: String {
      switch self {
      case .malformed: "is not a number"
      case .tooLarge: "is too large for a double; write it as text"
      case .tooSmall: "is too small for a double, which would hold zero; write it as text, or as 0"
      }
    }
  }

  /// The value of a decimal number, which may have a sign, a point and an exponent.
  ///
  /// It is rounded to the nearest `Double`, as decimal fractions are.
  package init(decimal text: String) throws(DecimalFailure) {
    let allowed = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0)
    }
    guard allowed, let value = Double(text) else { throw .malformed }
    guard value.isFinite else { throw .tooLarge }
    if value == 0 {
      let digits = text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
      guard !digits.contains(where: { (0x31...0x39).contains($0) }) else { throw .tooSmall }
    }
    self = value
  }
}
