import Foundation

/// Formats numbers for readers: three significant digits, and a unit.
package enum Figures {
  package static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e3: significant(nanoseconds) + " ns"
    case ..<1e6: significant(nanoseconds / 1e3) + " µs"
    case ..<1e9: significant(nanoseconds / 1e6) + " ms"
    default: significant(nanoseconds / 1e9) + " s"
    }
  }

  /// The number with at most three significant digits, or with all digits before the point if these are more.
  package static func significant(_ value: Double) -> String {
    let digits =
      switch abs(value) {
      case 0, 99.95...: 0
      case 9.995...: 1
      case 0.0995...: 2
      case 0.00995...: 3
      default: 4
      }
    return String(format: "%.\(digits)f", value)
  }

  package static func percent(_ fraction: Double) -> String {
    String(format: "%.1f %%", fraction * 100)
  }

  /// A whole number with its thousands separated.
  package static func grouped(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// A number of bytes in the largest binary unit that it fills.
  package static func bytes(_ count: Int) -> String {
    let units = ["KiB", "MiB", "GiB"]
    var value = Double(count)
    guard abs(value) >= 1024 else { return "\(count) B" }
    var unit = -1
    while abs(value) >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    let text = value == value.rounded() ? String(Int(value)) : significant(value)
    return "\(text) \(units[unit])"
  }
}

extension Figures {
  /// A power of ten, or another round number, as a mark of an axis.
  package static func short(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
  }

  /// A number of elements, in thousands or millions if it is round.
  package static func compact(_ value: Int) -> String {
    switch value {
    case 1_000_000... where value.isMultiple(of: 1_000_000): "\(value / 1_000_000)M"
    case 1000... where value.isMultiple(of: 1000): "\(value / 1000)k"
    default: "\(value)"
    }
  }

  /// A power of ten of bytes as a mark of an axis.
  package static func roundBytes(_ count: Double) -> String {
    switch count {
    case ..<1e3: "\(Int(count.rounded())) B"
    case ..<1e6: "\(Int((count / 1e3).rounded())) kB"
    case ..<1e9: "\(Int((count / 1e6).rounded())) MB"
    default: "\(Int((count / 1e9).rounded())) GB"
    }
  }

  /// A power of ten of nanoseconds as a mark of an axis.
  package static func roundTime(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case ..<1e3: "\(Int(nanoseconds.rounded())) ns"
    case ..<1e6: "\(Int((nanoseconds / 1e3).rounded())) µs"
    case ..<1e9: "\(Int((nanoseconds / 1e6).rounded())) ms"
    default: "\(Int((nanoseconds / 1e9).rounded())) s"
    }
  }
}
