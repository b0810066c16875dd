import CommandSupport
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `A number of JSON` {
  private func value(_ text: String) throws -> DynamicValue {
    try DynamicValue(JSONParser.parse(Array(text.utf8), from: "it"), from: "it")
  }

  private static let whole: [(String, DynamicValue)] = [
    ("0", .signed(0, bitWidth: 64)), ("-1", .signed(-1, bitWidth: 64)),
    ("9223372036854775807", .signed(.max, bitWidth: 64)),
    ("9223372036854775808", .unsigned(1 << 63, bitWidth: 64)),
    ("-9223372036854775808", .signed(.min, bitWidth: 64)),
    ("-9223372036854775809", .int128(Int128(Int64.min) - 1)),
    ("18446744073709551615", .unsigned(.max, bitWidth: 64)),
    ("18446744073709551616", .int128(Int128(UInt64.max) + 1)),
    ("\(Int128.max)", .int128(.max)), ("\(Int128.min)", .int128(.min)),
    ("\(UInt128(Int128.max) + 1)", .uint128(UInt128(Int128.max) + 1)),
    ("\(UInt128.max)", .uint128(.max)),
  ]

  @Test(arguments: whole.indices) func `A whole number keeps all its digits`(index: Int) throws {
    let (text, number) = Self.whole[index]
    #expect(try value(text) == number)
    #expect(try number.jsonText == text)
  }

  @Test(
    arguments: [
      ("-0", -0.0), ("-0.0", -0.0), ("1.0", 1), ("1e2", 100), ("0e-999", 0),
      ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
      ("5e-324", Double.leastNonzeroMagnitude), ("3e-324", Double.leastNonzeroMagnitude),
    ])
  func `A number that is not written as an integer, or is a negative zero, is a double`(
    text: String, number: Double
  )
    throws
  {
    #expect(try value(text) == .double(number))
  }

  @Test(
    arguments: [
      ("340282366920938463463374607431768211456", "too large for 128 bits"),
      ("-170141183460469231731687303715884105729", "too large for 128 bits"),
      ("1e309", "too large for a double"), ("-1e309", "too large for a double"),
      ("1.8e308", "too large for a double"), ("2e-324", "too small for a double"),
      ("1e-400", "too small for a double"), ("-0.0001e-400", "too small for a double"),
    ])
  func `A number that would lose its value is refused, and the error says what to do`(
    text: String, reason: String
  ) {
    let failure = refusal { try value("[\(text)]") }
    #expect(failure?.status == .damaged)
    #expect(failure?.message.hasPrefix("it: ") == true)
    #expect(
      failure?.message.contains("number \(text) is \(reason)") == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("write it as text") == true)
  }

  @Test func `The error of a number of two million digits shows only a few of them`() {
    let digits = String(repeating: "9", count: 2_000_000)
    for number in [digits, "1.0e" + digits, "0." + digits + "e-9999999"] {
      let failure = refusal { try value("{\"n\": \(number)}") }
      #expect((failure?.message.count ?? 1_000) < 350)
      #expect(failure?.message.contains("characters left out") == true)
    }
  }
}

@Suite struct `An array of numbers that is imported` {
  private static let cases: [(String, DynamicValue)] = [
    ("[1, 2.5]", .array([.double(1), .double(2.5)])),
    ("[2.5, null, 1]", .array([.double(2.5), .null, .double(1)])),
    ("[1, 2]", .array([.signed(1, bitWidth: 64), .signed(2, bitWidth: 64)])),
    ("[1.0, 2.0]", .array([.double(1), .double(2)])),
    ("[-0, 1]", .array([.double(-0.0), .double(1)])),
    ("[18446744073709551616, 0.5]", .array([.double(0x1p64), .double(0.5)])),
    ("[9223372036854775808, 0.5]", .array([.double(0x1p63), .double(0.5)])),
    // A number that would lose digits does not change.
    (
      "[9007199254740993, 0.5]",
      .array([.signed(9_007_199_254_740_993, bitWidth: 64), .double(0.5)])
    ),
    ("[\(UInt128.max), 0.5]", .array([.uint128(.max), .double(0.5)])),
    // An array of other values does not change, either.
    ("[1, \"a\", 2.5]", .array([.signed(1, bitWidth: 64), .string("a"), .double(2.5)])),
    ("[1, [2.5]]", .array([.signed(1, bitWidth: 64), .array([.double(2.5)])])),
    ("[]", .array([])),
  ]

  @Test(arguments: cases.indices)
  func `An array of numbers becomes an array of doubles if some numbers are not whole`(index: Int)
    throws
  {
    let (text, value) = Self.cases[index]
    #expect(try DynamicValue(JSONParser.parse(Array(text.utf8), from: "it"), from: "it") == value)
  }
}
