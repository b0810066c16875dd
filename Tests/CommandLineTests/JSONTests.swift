import CommandSupport
import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

/// The failure of some work; nil when it has none.
func refusal<Result>(_ body: () throws -> Result) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}

@Suite struct `JSON that is read` {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONParser.parse(Array(text.utf8), from: "it")
  }

  @Test(
    arguments: [
      ("0", "0"), ("-0", "-0"), ("10", "10"), ("0.5", "0.5"), ("-1.25e3", "-1.25e3"),
      ("1E+2", "1E+2"), ("1e-2", "1e-2"), ("9e9", "9e9"), (" \t\r\n7\n ", "7"), ("\u{FEFF}3", "3"),
    ])
  func `A number of JSON is read as it is written`(text: String, number: String) throws {
    #expect(try parse(text) == .number(number))
  }

  @Test func `Words, strings, arrays and objects of JSON are read in their order`() throws {
    #expect(
      try parse("[true,false , null,[],{}]")
        == .array([.bool(true), .bool(false), .null, .array([]), .object([])]))
    #expect(
      try parse("{ \"b\" : 1 , \"a\":{\"b\":\"\"} }")
        == .object([.init("b", .number("1")), .init("a", .object([.init("b", .string(""))]))]))
    #expect(
      try parse(#""\"\\\/\b\f\n\r\t\u0041\u00e9\uD83D\uDE00é""#)
        == .string("\"\\/\u{8}\u{C}\n\r\tA\u{E9}\u{1F600}é"))
  }

  @Test(
    arguments: [
      ("", "it ends too early", 1, 1), ("[", "it ends too early", 1, 2),
      ("1 2", "something follows", 1, 3), ("-", "a value was expected", 1, 2),
      ("tru", "a value was expected", 1, 1), ("*", "a value was expected", 1, 1),
      ("01", "a zero that means nothing", 1, 3), ("-00", "a zero that means nothing", 1, 4),
      ("1.", "ends with its point", 1, 3), ("1.e5", "ends with its point", 1, 3),
      ("1e", "ends before its exponent", 1, 3), ("1e+", "ends before its exponent", 1, 4),
      ("[1 2]", "a comma or ] was expected", 1, 4), ("{1:2}", "a name in quotes", 1, 2),
      ("{\"a\" 1}", "a colon was expected", 1, 6), ("{\"a\":1 \"b\":2}", "a comma or }", 1, 8),
      ("{\"a\":1,}", "a name in quotes", 1, 8),
      ("{\n \"a\":1,\n \"a\":2}", "\"a\" is there twice", 3, 5),
      ("\"a", "a string does not end", 1, 3), ("\"\\", "a string does not end", 1, 3),
      ("\"a\u{1F}\"", "a control character", 1, 3),
      ("\"\\x\"", "an escape that JSON does not", 1, 4),
      ("\"\\u12\"", "without four digits", 1, 4), ("\"\\u+123\"", "without four digits", 1, 4),
      ("\"\\u00zz\"", "without four digits", 1, 4), ("\"\\u-000\"", "without four digits", 1, 4),
      ("\"\\u 123\"", "without four digits", 1, 4),
      ("\"\\u0\u{E9}0\"", "without four digits", 1, 4),
      ("\"\\udc00\"", "half a character", 1, 8),
      ("\"\\ud800\"", "half a character", 1, 8), ("\"\\ud800\\n\"", "half a character", 1, 9),
      ("\"\\ud800\\u0041\"", "half a character", 1, 14),
    ])
  func `Invalid JSON is refused with the place of the mistake`(
    text: String, reason: String, line: Int, column: Int
  ) {
    let failure = refusal { try parse(text) }
    #expect(failure?.status == .damaged)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    #expect(
      failure?.message.hasSuffix("(line \(line), column \(column)).") == true,
      "\(failure?.message ?? "")")
  }

  @Test func `Names in JSON are compared by their bytes`() throws {
    let value = try parse("{\"\u{E9}\": 1, \"e\u{301}\": 2}")
    #expect(value["\u{E9}"] == .number("1") && value["e\u{301}"] == .number("2"))
    #expect(refusal { try parse("{\"\u{E9}\": 1, \"\\u00e9\": 2}") } != nil)
  }

  @Test func `JSON in UTF-16 or UTF-32 is refused, and the error names the encoding`() {
    let text = "{\"a\": 1}"
    for encoding: String.Encoding in [
      .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian,
    ] {
      let bytes = text.data(using: encoding).map(Array.init) ?? []
      let failure = refusal { try JSONParser.parse(bytes, from: "it") }
      #expect(failure?.message.hasPrefix("it begins as a text in UTF-16") == true, "\(encoding)")
      #expect(failure?.message.contains("iconv") == true)
    }
  }

  @Test func `The error of a long name in JSON shows only a part of it`() {
    let name = String(repeating: "n", count: 2_000_000)
    let failure = refusal { try parse("{\"\(name)\": 1, \"\(name)\": 2}") }
    #expect(failure?.message.contains("nnn … (1999920 characters left out) … nnn") == true)
    #expect((failure?.message.count ?? 1_000) < 300)
  }

  @Test func `JSON with a string that is not UTF-8 is refused`() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22]] {
      let failure = refusal { try JSONParser.parse(bytes, from: "it") }
      #expect(failure?.message.contains("a string is not UTF-8") == true)
    }
    #expect(throws: Never.self) { try JSONParser.parse([0x22, 0xC3, 0xA9, 0x22], from: "it") }
  }

  @Test(arguments: [127, 128, 129]) func `JSON is read up to 128 levels of nesting`(depth: Int) {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      // The innermost value is a level of its own.
      let text =
        String(repeating: open, count: depth - 1) + "0"
        + String(repeating: close, count: depth - 1)
      let failure = refusal { try parse(text) }
      #expect((failure == nil) == (depth <= 128))
      #expect(failure?.message.contains("nested too deeply") ?? true)
    }
  }
}

@Suite struct `JSON that is written` {
  private let value: JSONValue = .object([
    .init("a", .array([.number(1), .null, .array([]), .object([])])),
    .init("b \"", .object([.init("c", .bool(false))])),
  ])

  @Test func `JSON is written in one line, or indented`() {
    #expect(value.text() == #"{"a":[1,null,[],{}],"b \"":{"c":false}}"#)
    #expect(
      value.text(indented: true) == """
        {
          "a": [
            1,
            null,
            [],
            {}
          ],
          "b \\"": {
            "c": false
          }
        }
        """)
  }

  @Test(
    arguments: [
      ("", ""), ("plain ~", "plain ~"), ("\"", #"\""#), ("\\", #"\\"#), ("\n\t\r", #"\n\t\r"#),
      ("\u{0}", #"\u0000"#), ("\u{1F}", #"\u001f"#), ("\u{7F}", #"\u007f"#), ("é", "é"),
      ("\u{202E}", #"\u202e"#), ("\u{200D}", "\u{200D}"), ("\u{E0001}", #"\udb40\udc01"#),
    ])
  func `Written JSON has no character that controls a terminal`(text: String, escaped: String)
    throws
  {
    #expect(JSONValue.string(text).text() == "\"\(escaped)\"")
    #expect(try JSONParser.parse(Array("\"\(escaped)\"".utf8), from: "it") == .string(text))
    // Texts are searched sixteen bytes at a time, so the place of the character matters.
    for count in 0...33 {
      let filler =
        String(repeating: "é", count: count / 2) + String(repeating: "a", count: count % 2)
      #expect(
        JSONValue.string(filler + text + filler + text).text()
          == "\"\(filler)\(escaped)\(filler)\(escaped)\"")
    }
  }

  @Test func `A member of a JSON object is found by its name`() {
    #expect(value["b \""] == .object([.init("c", .bool(false))]))
    #expect(value["c"] == nil && JSONValue.null["a"] == nil)
    let some: JSONValue = ["x": .number(1), "y": nil]
    #expect(some == .object([.init("x", .number(1))]))
    #expect(JSONValue.strings(["a", "b"]) == .array([.string("a"), .string("b")]))
  }

  private static let uuid = ArchiveUUID(bytes: Array(UInt8(0)..<16))
  private static let values: [(DynamicValue, String)] = [
    (.null, "null"), (.bool(true), "true"), (.signed(-5, bitWidth: 8), "-5"),
    (.unsigned(.max, bitWidth: 64), "18446744073709551615"), (.int128(.min), "\(Int128.min)"),
    (.uint128(.max), "\(UInt128.max)"), (.float(1.5), "1.5"), (.float(-.infinity), "\"-inf\""),
    (.double(0.1), "0.1"), (.double(.nan), "\"nan\""), (.float16(bitPattern: 0x3C00), "1.0"),
    (.string("x"), "\"x\""), (.bytes([0, 255]), "\"AP8=\""),
    (.date(ArchiveDate(secondsSinceReferenceDate: 0.5)), "\"2001-01-01T00:00:00.500Z\""),
    (.uuid(uuid ?? ArchiveUUID(low: 0, high: 0)), "\"00010203-0405-0607-0809-0A0B0C0D0E0F\""),
    (.url(ArchiveURL("https://example.org")), "\"https://example.org\""),
    (.array([.null, .bool(false)]), "[null,false]"), (.set([.string("a")]), "[\"a\"]"),
    (
      .dictionary([
        .init(key: .string("k"), value: .null), .init(key: .string("l"), value: .bool(true)),
      ]), "{\"k\":null,\"l\":true}"
    ),
    (
      .dictionary([
        .init(key: .string("k"), value: .null), .init(key: .bool(true), value: .string("v")),
      ]), "[{\"key\":\"k\",\"value\":null},{\"key\":true,\"value\":\"v\"}]"
    ),
    (.dictionary([]), "{}"), (.enumeration("none", .init(fields: [])), "\"none\""),
    (
      .enumeration("some", .init(fields: [.init(key: "n", value: .bool(true))])),
      "{\"some\":{\"n\":true}}"
    ),
    (
      .record(.init(fields: [.init(scope: ["S", "T"], key: "n", value: .null)])),
      "{\"<S>.<T>.n\":null}"
    ),
    (
      .array([
        .record(.init(typeName: "P", schemaVersion: 3, fields: [.init(key: "n", value: .null)])),
        .record(.init(typeName: "", schemaVersion: 3)), .record(.init(typeName: "P")),
      ]),
      "[{\"<type>\":\"P\",\"<schemaVersion>\":3,\"n\":null},{\"<schemaVersion>\":3},{\"<type>\":\"P\"}]"
    ),
    (.reference(nil), "null"), (.reference(.init(7)), "{\"object\":7}"),
  ]

  @Test(arguments: values.indices) func `Each kind of value has a form in JSON`(index: Int) throws {
    let (value, text) = Self.values[index]
    #expect(try value.jsonText == text)
  }
}

@Suite struct `Rows for a spreadsheet` {
  @Test func `Rows have a column for each key, and quotes where they are needed`() throws {
    let records = [
      DynamicRecord(fields: [
        .init(key: "a", value: .string("x,y")), .init(key: "b", value: .string("line\nbreak")),
      ]),
      DynamicRecord(fields: [
        .init(key: "c", value: .string("re\rturn")), .init(key: "a", value: .string("a \"q\"")),
      ]),
      DynamicRecord(fields: [
        .init(key: "b", value: .null), .init(key: "e", value: .string("")),
        .init(key: "c", value: .array([.bool(true), .null])),
        .init(scope: ["S"], key: "d,e", value: .signed(1, bitWidth: 8)),
      ]),
    ]
    var table = CommaSeparatedTable()
    for record in records { table.addColumns(of: record) }
    var heading = ""
    table.heading { heading += $0 }
    #expect(heading == "a,b,c,e,\"<S>.d,e\"")
    let rows = try records.map { record in
      var row = ""
      try table.row(record) { row += $0 }
      return row
    }
    #expect(
      rows == [
        "\"x,y\",\"line\nbreak\",,,", "\"a \"\"q\"\"\",,\"re\rturn\",,", ",,\"[true,null]\",\"\",1",
      ])
  }
}
