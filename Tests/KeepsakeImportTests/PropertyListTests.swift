import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@testable import KeepsakeImport

private func xml(_ value: String) -> [UInt8] {
  Array(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(value)</plist>\n".utf8)
}

@Suite struct `A property list of XML` {
  private func parse(_ value: String) throws -> DynamicValue {
    try PropertyList.value(of: xml(value))
  }

  private static let values: [(String, DynamicValue)] = [
    ("<true/>", .bool(true)), ("<false></false>", .bool(false)), ("<string/>", .string("")),
    ("<string> a&lt;&gt;&amp;&apos;&quot;&#233;&#xE9;\r\n</string>", .string(" a<>&'\"éé\r\n")),
    ("<string>a<![CDATA[<b>&amp;]]>c<!-- no --></string>", .string("a<b>&amp;c")),
    ("<integer>-5</integer>", .signed(-5, bitWidth: 64)),
    ("<integer> +0x1f </integer>", .signed(31, bitWidth: 64)),
    ("<integer>-0x10</integer>", .signed(-16, bitWidth: 64)),
    ("<integer>18446744073709551615</integer>", .unsigned(.max, bitWidth: 64)),
    ("<integer>\(Int128.min)</integer>", .int128(.min)),
    ("<integer>\(UInt128.max)</integer>", .uint128(.max)),
    ("<real>1</real>", .double(1)), ("<real>-0.0</real>", .double(-0.0)),
    ("<real>1e300</real>", .double(1e300)), ("<real>-Infinity</real>", .double(-.infinity)),
    ("<real>0e5</real>", .double(0)), ("<real>0.0E-9</real>", .double(0)),
    ("<real>+inf</real>", .double(.infinity)), ("<real>nan</real>", .double(.nan)),
    ("<data>\n AAE\tC\n</data>", .bytes([0, 1, 2])), ("<data>/w==</data>", .bytes([255])),
    ("<data/>", .bytes([])), ("<array/>", .array([])),
    ("<date>2001-01-01T00:00:01Z</date>", .date(.init(secondsSinceReferenceDate: 1))),
    ("<date>2000-02-29T00:00:00Z</date>", .date(.init(secondsSinceReferenceDate: -26_524_800))),
    ("<date>0001-01-01T00:00:00Z</date>", .date(.init(secondsSinceReferenceDate: -63_114_076_800))),
    ("<date>4001-01-01T00:00:00Z</date>", .date(.init(secondsSinceReferenceDate: 63_113_904_000))),
    ("<array><integer>1</integer><real>2.5</real></array>", .array([.double(1), .double(2.5)])),
    (
      "<dict><!-- c --><key a='>'>b</key><true/><?pi?><key>a&amp;</key><array><false/></array></dict>",
      .record(
        .init(fields: [
          .init(key: "a&", value: .array([.bool(false)])), .init(key: "b", value: .bool(true)),
        ]))
    ),
  ]

  @Test(arguments: values.indices)
  func `Each value of an XML property list is read as it is`(index: Int) throws {
    let (text, value) = Self.values[index]
    #expect(try parse(text) == value)
  }

  @Test
  func `A dictionary that looks like a reference stays a dictionary in a plain property list`()
    throws
  {
    let record = DynamicValue.record(
      .init(fields: [.init(key: "CF$UID", value: .signed(1, bitWidth: 64))]))
    let list = "<dict><key>CF$UID</key><integer>1</integer></dict>"
    #expect(try parse("<array><array>\(list)</array></array>") == .array([.array([record])]))
  }

  @Test func `An XML property list may lack the declaration and the plist element`() throws {
    for text in [
      "<true/>", "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><!-- --><true/><!-- --> ",
      "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\"><plist><true/></plist>",
    ] {
      #expect(try PropertyList.value(of: Array(text.utf8)) == .bool(true))
    }
  }

  @Test(
    arguments: [
      ("<dict><key>a</key><true/><key>a</key><true/></dict>", "\"a\" is there twice"),
      ("<dict><true/></dict>", "a <key> was expected"),
      ("<dict><key>a</key></dict>", "a value was"),
      ("<data>!!!!</data>", "not base 64"), ("<data>AAA!A</data>", "not base 64"),
      ("<data>AAE</data>", "not base 64"), ("<data>AAB=</data>", "not base 64"),
      ("<data>A===</data>", "not base 64"), ("<data>AA==AA==</data>", "not base 64"),
      ("<date>2001-13-45T99:99:99Z</date>", "no date \"2001-13-45T99:99:99Z\""),
      ("<date>2001-02-29T00:00:00Z</date>", "no date"),
      ("<date>2001-01-01T24:00:00Z</date>", "no date"),
      ("<date>2001-01-01T00:00:60Z</date>", "no date"), ("<date>2001-1-1T0:0:0Z</date>", "no date"),
      ("<date>-0001-01-01T00:00:00Z</date>", "no date"), ("<date/>", "no date"),
      ("<date>1582-10-14T00:00:00Z</date>", "no date"),
      ("<date>1582-10-05T00:00:00Z</date>", "no date"),
      ("<real>1e400</real>", "too large"), ("<real>1e-400</real>", "too small"),
      ("<real>0x1p3</real>", "is not a number"), ("<real/>", "is not a number"),
      ("<integer>1.5</integer>", "is not an integer"), ("<integer/>", "is not an integer"),
      ("<integer>0x</integer>", "is not an integer"),
      ("<integer>--1</integer>", "is not an integer"),
      ("<integer>340282366920938463463374607431768211456</integer>", "is not an integer"),
      ("<string>&e;</string>", "a name that XML does not have"),
      ("<string>&#0;</string>", "a name that XML does not have"),
      ("<string>&#xD800;</string>", "a name that XML does not have"),
      ("<string>&amp</string>", "a name that XML does not have"),
      ("<string><b/></string>", "<string> does not end before"),
      ("<string>a</strings>", "<string> does not end before"),
      ("<array></dict>", "<array> does not"),
      ("<set/>", "<set> is not an element"), ("<true>x</true>", "there is text in <true>"),
      ("<array>x</array>", "a tag was expected"), ("<true/><true/>", "more than one value"),
      ("", "a value was"),
      ("<array", "a tag does not end"), ("<>", "a tag has no name"),
      ("<string>", "does not end before"),
      ("<!-- ", "it ends too early"),
    ])
  func `An invalid XML property list is refused with the reason and the place`(
    text: String, reason: String
  ) {
    let error = importError { try parse(text) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.description.contains("(line ") == true)
  }

  @Test func `The place of a fault is its line, and its column in that line`() {
    let text = "<plist>\n <true/>\n  <set/></plist>"
    let error = importError { try PropertyList.value(of: Array(text.utf8)) }
    #expect(error?.description.contains("line 3, column 9") == true, "\(error?.description ?? "")")
  }

  @Test func `An XML property list that is not in UTF-8 or declares entities is refused`() {
    let texts = [
      ("<?xml version='1.0' encoding='ISO-8859-1'?><true/>", "in \"ISO-8859-1\""),
      ("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist><string>&a;</string></plist>", "a document type"),
      ("<true/><true/>", "something follows"),
      ("<plists><true/></plists>", "<plists> is not an element"),
    ]
    for (text, reason) in texts {
      let error = importError { try PropertyList.value(of: Array(text.utf8)) }
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
    let wide = Array("<true/>".data(using: .utf16) ?? Data())
    let error = importError { try PropertyList.value(of: wide) }
    #expect(error?.code == .unsupportedEncoding && error?.message.contains("in UTF-16") == true)
    let bytes = xml("<string>") + [0xFF] + xml("</string>")
    #expect(importError { try PropertyList.value(of: bytes) } != nil)
  }

  @Test(arguments: [127, 128, 129, 1_000_000])
  func `An XML property list is nested 128 levels at most`(depth: Int) {
    for (open, close) in [("<array>", "</array>"), ("<dict><key>a</key>", "</dict>")] {
      // The innermost value is a level of its own.
      let text =
        String(repeating: open, count: depth - 1) + "<true/>"
        + (depth > 1_000 ? "" : String(repeating: close, count: depth - 1))
      let error = importError { try parse(text) }
      #expect((error == nil) == (depth <= 128), "\(error?.message ?? "")")
      #expect(error?.message.contains("it is nested too deeply") ?? true)
    }
  }
}

@Suite struct `A property list of the binary form` {
  private func parse(_ objects: [UInt8]...) throws -> DynamicValue {
    try PropertyList.value(of: BinaryFile.of(objects))
  }

  private static let values: [([UInt8], DynamicValue)] = [
    ([0x00], .null), ([0x08], .bool(false)), ([0x09], .bool(true)),
    ([0x10, 0xFF], .signed(255, bitWidth: 64)),
    ([0x11, 0xFF, 0xFE], .signed(65_534, bitWidth: 64)),
    ([0x13] + [UInt8](repeating: 0xFF, count: 8), .signed(-1, bitWidth: 64)),
    (
      [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8),
      .unsigned(.max, bitWidth: 64)
    ),
    ([0x14, 0x80] + [UInt8](repeating: 0, count: 15), .int128(.min)),
    ([0x22, 0x3F, 0x80, 0, 0], .double(1)), ([0x23, 0x80, 0, 0, 0, 0, 0, 0, 0], .double(-0.0)),
    ([0x33, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0], .date(.init(secondsSinceReferenceDate: 1))),
    ([0x42, 1, 2], .bytes([1, 2])), ([0x4F, 0x10, 1, 9], .bytes([9])),
    ([0x52, 0x61, 0x62], .string("ab")), ([0x50], .string("")),
    ([0x62, 0xD8, 0x3D, 0xDE, 0x00], .string("\u{1F600}")), ([0xA0], .array([])),
    ([0xD0], .record(.init(fields: []))),
  ]

  @Test(arguments: values.indices)
  func `Each value of a binary property list is read as it is`(index: Int) throws {
    let (object, value) = Self.values[index]
    #expect(try parse(object) == value)
  }

  @Test func `A binary property list is read as Foundation writes it`() throws {
    let names = (0..<300).map { "name \($0)" }
    var list: [String: Any] = [
      "é": [1, 2.5] as [Any], "big": UInt64.max, "d": Date(timeIntervalSinceReferenceDate: 0.5),
    ]
    for name in names { list[name] = ["n": name, "b": Data([1, 2])] as [String: Any] }
    let data = try PropertyListSerialization.data(
      fromPropertyList: list, format: .binary, options: 0)
    let text = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    guard case .record(var record) = try PropertyList.value(of: Array(data)),
      case .record(var other) = try PropertyList.value(of: Array(text))
    else { return #expect(Bool(false), "the value is not a record") }
    // XML has no fractions of a second.
    #expect(
      record.fields.first { $0.key == "d" }?.value == .date(.init(secondsSinceReferenceDate: 0.5)))
    record.fields.removeAll { $0.key == "d" }
    other.fields.removeAll { $0.key == "d" }
    #expect(record == other && record.fields.count == 302)
  }

  @Test func `Names that are stored again for each dictionary are compared by all their bytes`()
    throws
  {
    func name(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + text.utf8 }
    func record(_ name: String, _ value: Int64) -> DynamicValue {
      .record(.init(fields: [.init(key: .init(name), value: .signed(value, bitWidth: 64))]))
    }
    let value = try parse(
      [0xA4, 1, 4, 7, 10], [0xD1, 2, 3], name("a1b2c"), [0x10, 1], [0xD1, 5, 6], name("a9b8c"),
      [0x10, 2], [0xD1, 8, 9], name("a1b2c"), [0x10, 3], [0xD1, 11, 12], [0x50], [0x10, 4])
    #expect(
      value
        == .array([record("a1b2c", 1), record("a9b8c", 2), record("a1b2c", 3), record("", 4)]))
  }

  @Test(arguments: [
    ["a", "\u{0}a", "\u{0}\u{0}a"], ["abcdefgh", "abcdefgi", "abcdefghi", "abcdefghabcdefgh"],
    ["first 8 b, last 8 b", "first 8 c, last 8 b", "first 8 b, last 8 c"],
  ])
  func `Names with the same first and last bytes are distinguished`(names: [String]) throws {
    // Each name is stored twice.
    let dictionaries = names + names
    var objects: [[UInt8]] = [[0xA0 | UInt8(dictionaries.count)]]
    for (index, name) in dictionaries.enumerated() {
      let (number, count) = (UInt8(objects.count), UInt8(name.utf8.count))
      objects[0].append(number)
      let head: [UInt8] = count < 15 ? [0x50 | count] : [0x5F, 0x10, count]
      objects += [[0xD1, number + 1, number + 2], head + name.utf8, [0x10, UInt8(index)]]
    }
    let value = try PropertyList.value(of: BinaryFile.of(objects))
    #expect(
      value
        == .array(
          dictionaries.enumerated().map { index, name in
            .record(
              DynamicRecord(fields: [
                .init(key: ArchiveKey(name), value: .signed(Int64(index), bitWidth: 64))
              ]))
          }))
  }

  @Test func `An invalid binary property list is refused with the reason and the object`() {
    let cases: [([[UInt8]], String)] = [
      ([[0xA1, 1]], "an object that the file does not have"),
      ([[0xA2, 0]], "longer than the file"),
      ([[0x13, 1]], "longer than the file"), ([[0x5F]], "no count"), ([[0x5F, 0x51]], "no count"),
      ([[0x5F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "longer than the file"),
      ([[0x5F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "longer than the file"),
      // An array and a dictionary of billions of elements.
      ([[0xAF, 0x13, 0, 0, 0, 2, 0, 0, 0, 0]], "longer than the file"),
      ([[0xDF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "longer than the file"),
      ([[0x51, 0x80]], "ASCII"), ([[0x61, 0xD8, 0x3D]], "inside a character"),
      ([[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]], "a date does not exist"),
      ([[0x0F]], "a kind of object"),
      ([[0xC0]], "a kind of object"),
      ([[0x15] + [UInt8](repeating: 0, count: 32)], "a kind of object"),
      ([[0x80, 1]], "NSKeyedArchiver"), ([[0xA1, 0]], "contains itself"),
      ([[0xA1, 1], [0xD1, 2, 0], [0x51, 0x61]], "contains itself"),
      ([[0xD1, 1, 1], [0x09]], "a name in a dictionary is not a text"),
      ([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x61], [0x09]], "\"a\" is there twice"),
    ]
    for (objects, reason) in cases {
      let error = importError { try PropertyList.value(of: BinaryFile.of(objects)) }
      #expect(error?.code == .damaged)
      #expect(error?.message.contains(reason) == true, "\(objects): \(error?.message ?? "")")
      #expect(error?.description.contains("(object ") == true)
    }
  }

  @Test func `A cut binary property list is refused, and a wrong end does not crash the reader`() {
    let whole = BinaryFile.of([
      [0xD1, 1, 2], [0x51, 0x61], [0xA2, 3, 3], [0x13, 0, 0, 0, 0, 0, 0, 0, 7],
    ])
    #expect(importError { try PropertyList.value(of: whole) } == nil)
    for count in 6..<whole.count {
      #expect(importError { try PropertyList.value(of: Array(whole[..<count])) } != nil)
    }
    for offset in whole.count - 26..<whole.count {
      for byte: UInt8 in [0, 1, 9, 0x7F, 0xFF] {
        var other = whole
        other[offset] = byte
        // Any result is fine, as long as the process continues.
        _ = importError { try PropertyList.value(of: other) }
      }
    }
    #expect(importError { try PropertyList.value(of: BinaryFile.of([[0x09]], top: 1)) } != nil)
  }

  @Test(arguments: [127, 128, 129])
  func `A binary property list is nested 128 levels at most`(depth: Int) {
    let arrays = (1..<depth).map { [0xA1, UInt8($0)] }
    let error = importError { try PropertyList.value(of: BinaryFile.of(arrays + [[0x09]])) }
    #expect((error == nil) == (depth <= 128), "\(error?.message ?? "")")
    #expect(error?.message.contains("it is nested too deeply") ?? true)
  }

  /// Arrays that each refer to the next one twice.
  private func doubling(_ levels: Int, _ last: [UInt8]) -> [UInt8] {
    BinaryFile.of((0..<levels).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [last])
  }

  @Test
  func `A binary property list that grows too much by repeated references is refused`() {
    #expect(importError { try PropertyList.value(of: doubling(12, [0x09])) } == nil)
    for (levels, last) in [
      (14, [0x09]), (60, [0x09]), (11, [0x4F, 0x10, 0xC8] + [UInt8](repeating: 1, count: 200)),
    ] as [(Int, [UInt8])] {
      let error = importError { try PropertyList.value(of: doubling(levels, last)) }
      #expect(error?.message.contains("named so often") == true, "\(error?.message ?? "")")
    }
  }

  @Test func `A binary property list that refers to one text often is read`() throws {
    // A table of many rows with one value has such references.
    let text: [UInt8] = [0x5F, 0x10, 200] + [UInt8](repeating: 0x61, count: 200)
    let value = try parse([0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 1, count: 1_000), text)
    guard case .array(let elements) = value else {
      return #expect(Bool(false), "the value is not an array")
    }
    #expect(elements.count == 1_000)
  }
}
