import CommandSupport
import Foundation
import Keepsake
import TestSupport
import Testing

@Suite struct `A date that is printed` {
  @Test(
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (-0.0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"),
      (0.25, "2001-01-01T00:00:00.250Z"), (0.5, "2001-01-01T00:00:00.500Z"),
      (-0.5, "2000-12-31T23:59:59.500Z"),
      (-0.1, "2000-12-31T23:59:59.900Z"), (1.123456, "2001-01-01T00:00:01.123456Z"),
      (-1.25, "2000-12-31T23:59:58.750Z"), (1.5e-05, "2001-01-01T00:00:00.000015Z"),
      (-1e-05, "2000-12-31T23:59:59.99999Z"), (-1e-20, "2000-12-31T23:59:59.99999999999999999999Z"),
      (759_321_123.123456, "2025-01-23T10:32:03.123456Z"),
      (-63_114_076_800, "0001-01-01T00:00:00Z"), (63_113_904_000, "4001-01-01T00:00:00Z"),
      (252_423_993_599.5, "9999-12-31T23:59:59.500Z"),
      (-63_114_076_800.5, "-63114076800.5 s after 2001"),
      (252_423_993_600, "252423993600.0 s after 2001"),
      (1e-32, "2001-01-01T00:00:00.00000000000000000000000000000001Z"),
      (1.5e-32, "1.5e-32 s after 2001"), (-1e-33, "-1e-33 s after 2001"),
      (-1e-300, "-1e-300 s after 2001"), (.leastNonzeroMagnitude, "5e-324 s after 2001"),
      (.infinity, "inf s after 2001"), (.nan, "nan s after 2001"),
    ] as [(Double, String)])
  func `A date is printed in ISO 8601 with all its digits`(seconds: Double, text: String) {
    #expect(ArchiveDate(secondsSinceReferenceDate: seconds).text == text)
    if seconds.isFinite {
      #expect(ArchiveDate(text: text)?.secondsSinceReferenceDate == seconds)
    }
  }

  @Test func `A printed date is read back exactly`() throws {
    var random = SeededGenerator(seed: 24)
    let sizes: [Double] = [1e-6, 1, 1e3, 1e9]
    for index in 0..<5_000 {
      let size = sizes[index % sizes.count]
      let seconds = Double.random(in: -size...size, using: &random)
      let text = ArchiveDate(secondsSinceReferenceDate: seconds).text
      let parts = text.dropLast().split(separator: ".")
      let whole = try Date("\(parts[0])Z", strategy: .iso8601).timeIntervalSinceReferenceDate
      let digits = parts.count > 1 ? String(parts[1]) : "0"
      #expect(digits.allSatisfy { ("0"..."9").contains($0) }, "\(text)")
      // The digits of a date before 2001 count towards the reference date.
      let read =
        whole >= 0
        ? Double("\(Int(whole)).\(digits)")
        : Double("\(-Int(whole) - 1).\(complement(of: digits))").map { -$0 }
      let exact = parts.count > 1 ? read : whole
      #expect(exact == seconds, "\(text)")
      #expect(ArchiveDate(text: text)?.secondsSinceReferenceDate == seconds, "\(text)")
    }
  }

  @Test func `A date just before or after 2001 has a short text that is read back exactly`() throws
  {
    var random = SeededGenerator(seed: 43)
    for exponent in stride(from: -1_074, through: -1, by: 1) {
      for sign in [1.0, -1.0] {
        let fraction = Double.random(in: 1..<2, using: &random)
        let seconds = sign * Double(sign: .plus, exponent: exponent, significand: fraction)
        let text = ArchiveDate(secondsSinceReferenceDate: seconds).text
        #expect(text.utf8.count <= 53, "\(text)")
        if text.hasSuffix("Z") {
          let digits = String(text.dropLast().split(separator: ".")[1])
          let read = sign > 0 ? Double("0." + digits) : Double("0." + complement(of: digits))
          #expect(read == abs(seconds), "\(text)")
        } else {
          #expect(text.hasSuffix(" s after 2001"), "\(text)")
          #expect(Double(text.dropLast(13)) == seconds, "\(text)")
        }
        #expect(ArchiveDate(text: text)?.secondsSinceReferenceDate == seconds, "\(text)")
      }
    }
  }

  @Test func `A date with an offset is the same moment`() {
    for (text, moment) in [
      ("2026-01-31T12:00:00+01:00", "2026-01-31T11:00:00Z"),
      ("2026-01-31T12:00:00.5-01:30", "2026-01-31T13:30:00.500Z"),
    ] {
      #expect(ArchiveDate(text: text)?.text == moment)
    }
  }

  @Test(
    arguments: [
      "2023-02-29T00:00:00Z", "2024-01-01T25:61:61Z", "2024-01-01T00:00:60Z",
      "1582-10-10T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01", "2024-01-01T00:00:00",
      "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.5\u{308}Z", "2024-01-01T00:00:00+24:00",
      "2024-01-01T00:00:00ZZ", "today", "", "inf s after 2001", "1e400 s after 2001",
      "0x1 s after 2001", " s after 2001",
    ])
  func `A date that does not exist is not read as another one`(text: String) {
    #expect(ArchiveDate(text: text) == nil)
  }

  @Test func `An exported date has the same text when it is imported and exported again`() throws {
    try Workplace.with { place in
      var writer = ArchiveWriter()
      try writer.writeObject(.init(1), typeName: "T") { coder in
        for (index, seconds) in [-1e-300, -1e-20, 759_321_123.123456, 1e300].enumerated() {
          coder.encode(
            ArchiveDate(secondsSinceReferenceDate: seconds), forKey: ArchiveKey("d\(index)"))
        }
      }
      try place.write("archive", Data(writer.finish(root: .init(1))))
      let exported = try place.succeed("export", "archive", "").output
      let json = place.url("dates.json")
      try Data(exported.utf8).write(to: json)
      try place.succeed("import", "dates.json", "-o", "again")
      #expect(try place.succeed("export", "again", "").output == exported)
      #expect(exported.contains("-1e-300 s after 2001"), "\(exported)")
    }
  }

  /// The digits of one minus this fraction.
  private func complement(of digits: String) -> String {
    var numbers = digits.compactMap(\.wholeNumberValue)
    var carry = 1
    for index in numbers.indices.reversed() {
      let sum = 9 - numbers[index] + carry
      (numbers[index], carry) = (sum % 10, sum / 10)
    }
    return numbers.map { "\($0)" }.joined()
  }
}
