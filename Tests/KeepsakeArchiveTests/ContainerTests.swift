import KeepsakeArchive
import Testing

/// Each kind of value alone, as an optional, as an element and as a value of a dictionary.
@Suite struct `Values in containers` {
  private func check<Value: ArchiveValue & Equatable>(_ values: Value...) throws {
    let one = values[0]
    for value in values { #expect(try roundTrip(value) == value) }
    #expect(try roundTrip(one as Value?) == one)
    #expect(try roundTrip(nil as Value?) == nil)
    #expect(try roundTrip(values) == values)
    #expect(try roundTrip([Value]()) == [])
    let optionals = values.map { Optional($0) }
    for list in [
      [nil] + optionals, optionals + [nil], [nil, one, nil], [nil], [nil, nil, nil],
      Array(repeating: nil, count: 9) + optionals, Array(repeating: one, count: 17) + [nil],
      Array(repeating: [one, nil], count: 9).flatMap { $0 },
    ] as [[Value?]] {
      #expect(try roundTrip(list) == list)
      #expect(try roundTrip([list, [], list]) == [list, [], list])
    }
    #expect(try roundTrip([values, nil, []] as [[Value]?]) == [values, nil, []])
    #expect(try roundTrip(["a": one, "": one]) == ["a": one, "": one])
    #expect(try roundTrip(["a": one, "b": nil] as [String: Value?]) == ["a": one, "b": nil])
    #expect(try roundTrip([1: values]) == [1: values])
    try checkAmongOthers(one)
  }

  /// Checks a value after a slot of one byte and before other slots, with and without a nil bit.
  private func checkAmongOthers<Value: ArchiveValue & Equatable>(_ value: Value) throws {
    let object = try archive { coder in
      coder.encode(UInt8(1), forKey: "odd")
      coder.encode(value, forKey: "first")
      coder.encode("odd", forKey: "text")
      coder.encode(nil as Value?, forKey: "none")
      coder.encode(value as Value?, forKey: "second")
      coder.encode(true, forKey: "flag")
      coder.encode([value, value], forKey: "both")
    }.object(first)
    for key in ["first", "second"] as [ArchiveKey] {
      #expect(try object.decode(Value.self, forKey: key) == value)
      #expect(try object.decode(Value?.self, forKey: key) == value)
    }
    #expect(try object.decode(Value?.self, forKey: "none") == nil)
    #expect(archiveError { _ = try object.decode(Value.self, forKey: "none") }?.code == .nullValue)
    #expect(try object.decode([Value].self, forKey: "both") == [value, value])
    #expect(try object.decode(String.self, forKey: "text") == "odd")
    #expect(try object.decode(Bool.self, forKey: "flag"))
  }

  @Test func `Truth values and integers are read back from every container`() throws {
    try check(true, false, true)
    try check(Int8.min, .max, 0)
    try check(Int16.min, .max, -1)
    try check(Int32.min, .max, 7)
    try check(Int64.min, .max, -1)
    try check(Int.min, .max)
    try check(UInt8.max, 0)
    try check(UInt16.max, 1)
    try check(UInt32.max, 2)
    try check(UInt64.max, 3)
    try check(UInt.max, 4)
    try check(Int128.min, .max, -1)
    try check(UInt128.max, 1 << 64, 0)
  }

  @Test func `Floating-point numbers are read back from every container`() throws {
    try check(Float16(1.5), -.infinity, .leastNonzeroMagnitude)
    try check(Float(0.1), -0.0)
    try check(0.1, .greatestFiniteMagnitude)
  }

  @Test
  func `Text, bytes, dates, identifiers and URLs are read back from every container`() throws {
    try check("text", "", "日本語")
    try check(ArchiveBytes([1, 2, 3]), ArchiveBytes([]))
    try check(ArchiveDate(secondsSinceReferenceDate: -1.5))
    try check(try #require(ArchiveUUID(bytes: Array(0..<16))))
    try check(ArchiveURL("https://example.org/?q=ä"), ArchiveURL(""))
  }

  @Test func `References are read back from every container`() throws {
    try check(ArchiveReference(first), ArchiveReference(nil))
    try check(ArchiveConditionalReference(0))
  }

  @Test func `Records and enumerations are read back from every container`() throws {
    try check(Point(x: 1, y: 2), Point(x: 0, y: -0.5))
    try check(Line(start: Point(x: 1, y: 2), end: nil, color: .red))
    try check(Route.detail(name: "n", isEditing: true), .home, .list([1, -1]), .list([]))
    try check(Side.left, .right)
    try check(Color.green)
  }

  @Test func `Containers are read back from every container`() throws {
    try check([1, 2, 3], [])
    try check([[[Int8(1)], []], [], [[2]]])
    try check(["a": 1, "b": 2], [:])
    try check(Set([1, 2, 3]), [])
    try check(Set(["a", "bc", ""]))
    try check([Set([true, false])], [])
    try check(["outer": ["inner": [Route.home]]])
  }

  @Test func `A record may have more nullable keys than one byte of nil bits holds`() throws {
    for count in [7, 8, 9, 16, 17, 40] {
      let object = try archive { coder in
        for index in 0..<count {
          let key = ArchiveKey("key \(index)")
          switch index % 4 {
          case 0: coder.encode(index.isMultiple(of: 3) ? nil : index, forKey: key)
          case 1: coder.encode(index.isMultiple(of: 3) ? nil : "text \(index)", forKey: key)
          case 2: coder.encode(index.isMultiple(of: 3) ? nil : [index], forKey: key)
          default: coder.encode(index, forKey: key)
          }
        }
      }.object(first)
      for index in 0..<count {
        let key = ArchiveKey("key \(index)")
        let isNil = index.isMultiple(of: 3)
        switch index % 4 {
        case 0: #expect(try object.decode(Int?.self, forKey: key) == (isNil ? nil : index))
        case 1:
          #expect(try object.decode(String?.self, forKey: key) == (isNil ? nil : "text \(index)"))
        case 2: #expect(try object.decode([Int]?.self, forKey: key) == (isNil ? nil : [index]))
        default: #expect(try object.decode(Int.self, forKey: key) == index)
        }
      }
    }
  }

  @Test func `Many numbers of an array are aligned, so that they can be used in place`() throws {
    let bytes = try archiveBytes { coder in
      coder.encode(UInt8(1), forKey: "odd")
      coder.encode("odd", forKey: "text")
      coder.encode([1.5, 2.5] + [Double](repeating: 0, count: 30), forKey: "v")
    }
    let map = ArchiveMap(bytes)
    let numbers = map.arraySlots(map.payload("v"))
    #expect(numbers.isMultiple(of: 8))
    #expect(number(in: bytes, at: numbers, byteCount: 8) == 1.5.bitPattern)
    #expect(number(in: bytes, at: numbers + 8, byteCount: 8) == 2.5.bitPattern)
  }
}
