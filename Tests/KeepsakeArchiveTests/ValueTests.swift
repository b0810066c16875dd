import KeepsakeArchive
import KeepsakeDocuments
import Testing

@Suite struct `Values of every kind` {
  @Test func `Integers keep their extremes`() throws {
    func check<Integer: FixedWidthInteger & ArchiveValue>(_ type: Integer.Type) throws {
      for value in [Integer.min, 0, 1, Integer.max] {
        #expect(try roundTrip(value) == value)
      }
      #expect(try roundTrip([Integer.min, 0, Integer.max]) == [Integer.min, 0, Integer.max])
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
  }

  // Holds.
  @Test func `Floating-point numbers keep every bit`() throws {
    let signalling = Double(bitPattern: 0x7FF0_0000_0000_0001)
    for value in [0.0, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, .nan, signalling] {
      #expect(try roundTrip(value).bitPattern == value.bitPattern)
      #expect(try roundTrip([value])[0].bitPattern == value.bitPattern)
    }
    let float = Float(bitPattern: 0x7F80_0001)
    #expect(try roundTrip(float).bitPattern == float.bitPattern)
  }

  @Test(arguments: ["", "a", "1234567", "12345678", "é", "日本語のテキスト", "\u{0}", "e\u{301}"])
  func `Strings keep their bytes`(text: String) throws {
    #expect(try Array(roundTrip(text).utf8) == Array(text.utf8))
    #expect(try Array(roundTrip([text, text])[1].utf8) == Array(text.utf8))
  }

  @Test func `Long strings are read back`() throws {
    for text in [String(repeating: "a", count: 100_000), String(repeating: "ß", count: 100_000)] {
      #expect(try roundTrip(text) == text)
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 1000])
  func `Bytes of any length are read back`(count: Int) throws {
    let bytes = ArchiveBytes((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    #expect(try roundTrip(bytes) == bytes)
  }

  @Test func `Dates, identifiers and URLs have kinds of their own`() throws {
    let date = ArchiveDate(secondsSinceReferenceDate: 123456789.25)
    let uuid = try #require(ArchiveUUID(bytes: Array(0..<16)))
    let url = ArchiveURL("https://example.org/a")
    #expect(try roundTrip(date) == date)
    #expect(try roundTrip(uuid) == uuid)
    #expect(try roundTrip(uuid).bytes == Array(0..<16))
    #expect(uuid.description == "00010203-0405-0607-0809-0A0B0C0D0E0F")
    #expect(try roundTrip(url) == url)
    #expect(archiveError { _ = try convert(date, to: Double.self) }?.code == .typeMismatch)
    #expect(archiveError { _ = try convert(url, to: String.self) }?.code == .typeMismatch)
    #expect(ArchiveUUID(bytes: [1]) == nil)
  }

  @Test func `Optionals distinguish nil from absence`() throws {
    let object = try archive { coder in
      coder.encode(nil as Int?, forKey: "none")
      coder.encode(5 as Int?, forKey: "some")
    }.object(first)
    #expect(object.contains("none") == true)
    #expect(object.contains("absent") == false)
    #expect(try object.decode(Int?.self, forKey: "none") == nil)
    #expect(try object.decode(Int?.self, forKey: "some") == 5)
    #expect(try object.decode(Int.self, forKey: "some") == 5)
    #expect(try object.decodeIfPresent(Int.self, forKey: "none") == nil)
    #expect(try object.decodeIfPresent(Int.self, forKey: "absent") == nil)
    #expect(archiveError { _ = try object.decode(Int.self, forKey: "none") }?.code == .nullValue)
    #expect(archiveError { _ = try object.decode(Int?.self, forKey: "absent") }?.code == .absentKey)
  }

  @Test func `Arrays nest and keep nil`() throws {
    let values: [[Int?]] = [[1, nil, 3], [], [nil], [nil, nil]]
    #expect(try roundTrip(values) == values)
    #expect(try roundTrip([true, false, true]) == [true, false, true])
    #expect(try roundTrip([[String]]()) == [])
    let uuids = [ArchiveUUID(bytes: Array(1...16)), nil, ArchiveUUID(bytes: Array(2...17))]
    #expect(try roundTrip(uuids) == uuids)
    let mixed: [String?] = ["short", nil, "longer than seven bytes", ""]
    #expect(try roundTrip(mixed) == mixed)
  }

  @Test func `Dictionaries are read back whatever order they were built in`() throws {
    let values = ["b": [2], "a": [1], "": [], "long key with many bytes": [3, 4]]
    #expect(try roundTrip(values) == values)
    #expect(try roundTrip([String: Int]()) == [:])
    let nested = ["outer": ["inner": 1.5]]
    #expect(try roundTrip(nested) == nested)
  }

  @Test func `Dictionary keys are told apart by their bytes`() throws {
    let entries = [
      DynamicEntry(key: .string("\u{E9}"), value: .bool(true)),
      DynamicEntry(key: .string("e\u{301}"), value: .bool(false)),
    ]
    let value = DynamicValue.dictionary(entries)
    let object = try archive { $0.encode(value, forKey: "value") }.object(first)
    #expect(
      try object.decode(DynamicValue.self, forKey: "value") == .dictionary(entries.reversed()))
    let error = archiveError { _ = try object.decode([String: Bool].self, forKey: "value") }
    #expect(error?.code == .duplicateMember)
  }

  @Test func `Records and raw values are stored as declared`() throws {
    let line = Line(start: Point(x: 1, y: -2), end: nil, color: .green)
    #expect(try roundTrip(line) == line)
    #expect(try roundTrip([line, line]) == [line, line])
    #expect(try convert(Color.green, to: String.self) == "green")
    let error = archiveError { _ = try convert("blue", to: Color.self) }
    #expect(error?.code == .invalidValue)
    #expect(error?.keyPath == ["value"])
  }
}

enum Color: String, ArchiveValue {
  case red, green
}

struct Point: ArchiveRecord, Equatable {
  static let archiveTypeName = "Point"
  var x: Double
  var y: Double

  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    x = try coder.decode(forKey: "x")
    y = try coder.decode(forKey: "y")
  }
}

struct Line: ArchiveRecord, Equatable {
  var start: Point
  var end: Point?
  var color: Color

  init(start: Point, end: Point?, color: Color) {
    self.start = start
    self.end = end
    self.color = color
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(start, forKey: "start")
    coder.encode(end, forKey: "end")
    coder.encode(color, forKey: "color")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    start = try coder.decode(forKey: "start")
    end = try coder.decode(forKey: "end")
    color = try coder.decode(forKey: "color")
  }
}
