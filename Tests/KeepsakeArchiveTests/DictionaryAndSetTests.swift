import KeepsakeArchive
import KeepsakeDocuments
import Testing

@Suite struct `Dictionaries and sets` {
  private func check<Member: ArchiveValue & Hashable>(_ members: Member...) throws {
    let set = Set(members)
    #expect(try roundTrip(set) == set)
    let dictionary = Dictionary(uniqueKeysWithValues: set.enumerated().map { ($1, "value \($0)") })
    #expect(try roundTrip(dictionary) == dictionary)
  }

  @Test func `Keys and members of every kind are read back`() throws {
    try check(true, false)
    try check(Int8(-1), 0, 1)
    try check(Int64.min, -1, 0, 256, 1, .max)
    try check(UInt16(256), 1, 255)
    try check(Int128.min, 0, .max)
    try check(UInt128.max, 1)
    try check(Float16(1), -1, .infinity)
    try check(Float(1), -1)
    try check(1.5, -1.5, 0)
    try check("", "a", "ab", "b", "日本語", "a string of some length")
    try check(ArchiveBytes([]), ArchiveBytes([0]), ArchiveBytes([0, 0]), ArchiveBytes([255]))
    try check(
      ArchiveDate(secondsSinceReferenceDate: 1), ArchiveDate(secondsSinceReferenceDate: -1))
    try check(
      try #require(ArchiveUUID(bytes: Array(0..<16))),
      try #require(ArchiveUUID(bytes: Array(1...16))))
    try check(ArchiveURL("https://b.example"), ArchiveURL("https://a.example"))
    try check(Side.left, .right)
    try check(Color.red, .green)
  }

  @Test func `Keys are stored in the order of their unsigned bytes, a prefix first`() throws {
    let object = try archive { coder in
      coder.encode(Set([1, 256, -1, 0] as [Int16]), forKey: "integers")
      coder.encode(Set(["b", "", "ab", "a", "\u{E9}"]), forKey: "strings")
    }.object(first)
    // The bytes are little-endian: 0 is 00 00, 256 is 00 01, 1 is 01 00 and -1 is FF FF.
    #expect(
      try object.decode(DynamicValue.self, forKey: "integers")
        == .set([0, 256, 1, -1].map { .signed($0, bitWidth: 16) }))
    #expect(
      try object.decode(DynamicValue.self, forKey: "strings")
        == .set(["", "a", "ab", "b", "\u{E9}"].map { .string($0) }))
  }

  @Test func `Keys of several kinds are ordered by kind first`() throws {
    let keys: [DynamicValue] = [
      .bool(true), .signed(5, bitWidth: 8), .signed(1, bitWidth: 64), .unsigned(0, bitWidth: 8),
      .float16(bitPattern: 0), .double(-1), .string("a"), .bytes([0]),
      .date(.init(secondsSinceReferenceDate: 0)), .url(ArchiveURL("u")),
    ]
    #expect(try roundTrip(DynamicValue.set(keys.reversed())) == .set(keys))
    let entries = keys.map { DynamicEntry(key: $0, value: .array([$0])) }
    #expect(try roundTrip(DynamicValue.dictionary(entries.reversed())) == .dictionary(entries))
  }

  /// The bytes by which a member is put in order, after a number for its kind.
  private func bytes(of member: DynamicValue) -> [UInt8] {
    switch member {
    case .signed(let number, _):
      var bytes: [UInt8] = [1]
      for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> Int64(8 * place))) }
      return bytes
    case .string(let text): return [2] + Array(text.utf8)
    case .uuid(let identifier): return [3] + identifier.bytes
    default: return []
    }
  }

  /// Many members are sorted by another algorithm than a few.
  ///
  /// Members with the same first eight bytes are compared further.
  @Test(arguments: [1, 2, 8, 9, 159, 160, 161, 1000])
  func `Many members are stored in order, and a repeated one is refused`(_ count: Int) throws {
    var kinds: [[DynamicValue]] = Array(repeating: [], count: 5)
    for index in 0..<count {
      // The numbers differ, and are in no order.
      let number = index * 31 % 1009
      kinds[0].append(.signed(Int64(number - 300), bitWidth: 64))
      kinds[1].append(.string("member \(number)"))
      kinds[2].append(.string("a name of \(index % 5) and \(number)"))
      kinds[3].append(index % 2 == 0 ? .string("\(number)") : .signed(Int64(number), bitWidth: 64))
      var bytes = [UInt8](repeating: UInt8(index % 3), count: 16)
      (bytes[8], bytes[9]) = (UInt8(number & 0xFF), UInt8(number >> 8))
      kinds[4].append(.uuid(try #require(ArchiveUUID(bytes: bytes))))
    }
    for members in kinds {
      let object = try archive { $0.encode(DynamicValue.set(members), forKey: "value") }.object(
        first)
      guard case .set(let stored) = try object.decode(DynamicValue.self, forKey: "value") else {
        Issue.record("not a set")
        continue
      }
      #expect(stored.count == count && Set(stored) == Set(members))
      let keys = stored.map(bytes(of:))
      #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
      let twin = DynamicValue.set(members + [members[count / 2]])
      #expect(archiveError { _ = try roundTrip(twin) }?.code == .duplicateMember)
    }
  }

  @Test func `A repeated key or member is an error`() {
    for value in [
      .set([.bool(true), .bool(true)]),
      .dictionary([
        .init(key: .string("a"), value: .null), .init(key: .string("b"), value: .null),
        .init(key: .string("a"), value: .bool(true)),
      ]),
    ] as [DynamicValue] {
      let error = archiveError { _ = try roundTrip(value) }
      #expect(error?.code == .duplicateMember && error?.keyPath == ["value"])
    }
  }

  @Test func `Containers, references and nils cannot be keys`() {
    for key in [
      .null, .array([]), .set([]), .dictionary([]), .record(.init()), .enumeration("a", .init()),
      .reference(first), .reference(nil), .conditionalReference(.init(0)),
    ] as [DynamicValue] {
      for value in [
        .set([key]), .set([.bool(true), key]), .dictionary([.init(key: key, value: .bool(true))]),
        .dictionary([.init(key: .string("a"), value: .null), .init(key: key, value: .null)]),
      ] as [DynamicValue] {
        let error = archiveError { _ = try roundTrip(value) }
        #expect(error?.code == .invalidValue && error?.keyPath == ["value"], "\(key)")
      }
    }
  }

  @Test func `Members that are equal in the type that reads them become one`() throws {
    let value = DynamicValue.set([.string("\u{E9}"), .string("e\u{301}")])
    #expect(try convert(value, to: Set<String>.self) == ["\u{E9}"])
    let zeros = DynamicValue.set([.double(0), .double(-0.0)])
    #expect(try convert(zeros, to: Set<Double>.self) == [0])
    #expect(try convert(["gps", "nfc", "wifi"] as Set, to: Set<Feature>.self) == [.wifi, .other])
    #expect(try convert([["gps", "nfc"] as Set], to: [Set<Feature>].self) == [[.other]])
  }

  /// An enumeration with a case for the names that it does not know.
  private enum Feature: String, ArchiveValue {
    case wifi, other

    init(rawValue: String) { self = rawValue == "wifi" ? .wifi : .other }
  }

  @Test func `The error names keys that are equal in the type that reads them`() throws {
    let error = archiveError {
      _ = try convert(["gps": 1, "nfc": 2, "wifi": 3], to: [Feature: Int].self)
    }
    #expect(error?.code == .duplicateMember && error?.keyPath == ["value", "other"])
    #expect(
      error?.message == "the keys \"gps\" and \"nfc\" of a dictionary are the same Feature, "
        + "so that one of their values would be lost")
    let zeros = DynamicValue.dictionary([
      .init(key: .double(0), value: .null), .init(key: .double(-0.0), value: .null),
    ])
    let other = archiveError { _ = try convert(zeros, to: [Double: Int?].self) }
    #expect(other?.message.hasPrefix("the keys 0.0 and -0.0 ") == true)
    let spellings = DynamicValue.dictionary([
      .init(key: .string("\u{E9}"), value: .null), .init(key: .string("e\u{301}"), value: .null),
    ])
    let third = archiveError { _ = try convert(spellings, to: [String: Int?].self) }
    #expect(third?.message.hasPrefix(#"the keys "e\u{301}" and "\u{E9}" "#) == true)
  }

  @Test func `Members are read as another type when all of them fit`() throws {
    #expect(try convert(Set([1, 2, 200] as [UInt8]), to: Set<Int>.self) == [1, 2, 200])
    let error = archiveError { _ = try convert(Set([1, 2, 200]), to: Set<Int8>.self) }
    #expect(error?.code == .valueOutOfRange)
    #expect(try convert([Int8(1): "a"], to: [Int: String].self) == [1: "a"])
    #expect(archiveError { _ = try convert(Set([1]), to: [Int].self) }?.code == .typeMismatch)
    #expect(archiveError { _ = try convert([1], to: Set<Int>.self) }?.code == .typeMismatch)
    #expect(archiveError { _ = try convert([1: 1], to: Set<Int>.self) }?.code == .typeMismatch)
  }

  @Test func `Values under keys keep what is nested in them`() throws {
    let routes = ["b": [Route.home, .detail(name: "x", isEditing: false)], "a": []]
    #expect(try roundTrip(routes) == routes)
    let sides: [Side: [Int: Set<String>]] = [.left: [1: ["a"]], .right: [2: [], -2: ["b", "c"]]]
    #expect(try roundTrip(sides) == sides)
    let error = archiveError { _ = try convert(["a": [1, 300]], to: [String: [UInt8]].self) }
    #expect(error?.keyPath == ["value", "a", "[1]"])
  }
}
