import FoundationEssentials
import KeepsakeCodable
import Testing

@Suite struct `Reading Codable numbers as another type` {
  @Test func `An integer is read as any integer type that it fits`() throws {
    #expect(try reread(Int64(127), as: Int8.self) == 127)
    #expect(try reread(UInt8(255), as: Int.self) == 255)
    #expect(try reread(Int8(-1), as: Int64.self) == -1)
    #expect(try reread([Int64(1), 2], as: [UInt16].self) == [1, 2])
  }

  @Test func `An integer that does not fit is corrupted data at its path`() throws {
    #expect(try refusal(of: Box(value: 300), as: Box<UInt8>.self) == "dataCorrupted value")
    #expect(try refusal(of: Box(value: -1), as: Box<UInt64>.self) == "dataCorrupted value")
    #expect(
      try refusal(of: [UInt64.max, 1], as: [Int64].self) == "dataCorrupted [0]")
  }

  @Test func `A wider float is rounded to nearest and a narrower one is exact`() throws {
    #expect(try reread(0.1, as: Float.self) == 0.1)
    #expect(try reread(Float(0.1), as: Double.self) == Double(Float(0.1)))
    #expect(try reread(Double.infinity, as: Float.self) == .infinity)
    #expect(try reread(Double.nan, as: Float.self).isNaN)
  }

  @Test func `A double too large for a float is corrupted data`() throws {
    #expect(try refusal(of: 1e300, as: Float.self) == "dataCorrupted ")
  }

  @Test func `Integers, floats, texts and truth values are not read as each other`() throws {
    #expect(try refusal(of: 1.0, as: Int.self) == "typeMismatch ")
    #expect(try refusal(of: "1", as: Int.self) == "typeMismatch ")
    #expect(try refusal(of: 1, as: Bool.self) == "typeMismatch ")
    #expect(try refusal(of: true, as: Int.self) == "typeMismatch ")
    #expect(try refusal(of: 1, as: String.self) == "typeMismatch ")
    #expect(try refusal(of: 1, as: [Int].self) == "typeMismatch ")
    #expect(try refusal(of: [1], as: [String: Int].self) == "typeMismatch ")
  }

  @Test func `A nil is not read as a type that cannot be nil`() throws {
    #expect(
      try refusal(of: Box<Int?>(value: nil), as: Box<[Int]>.self) == "valueNotFound value")
    #expect(try refusal(of: [Int?.none], as: [Int].self) == "valueNotFound [0]")
    #expect(try refusal(of: [Int?.none], as: [[Int]].self) == "valueNotFound [0]")
  }

  /// A single value, read through its container and by its own initializer.
  private struct Single<Value: Codable & Equatable>: Codable {
    var value: Value

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws {
      let read = try decoder.singleValueContainer().decode(Value.self)
      #expect(try Value(from: decoder) == read)
      value = read
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  /// Reads values as others, in every collection and container.
  private func check<Stored: Codable & Hashable, Read: Codable & Hashable>(
    _ values: [Stored], as expected: [Read]
  ) throws {
    let names = values.indices.map { "\($0)" }
    let table = Dictionary(uniqueKeysWithValues: zip(names, values))
    let expectedTable = Dictionary(uniqueKeysWithValues: zip(names, expected))
    let keys = Dictionary(uniqueKeysWithValues: zip(values, names))
    let expectedKeys = Dictionary(uniqueKeysWithValues: zip(expected, names))
    #expect(try reread(values, as: [Read].self) == expected)
    #expect(try reread(values, as: OneByOne<Read>.self).values == expected)
    #expect(try reread(Set(values), as: Set<Read>.self) == Set(expected))
    #expect(try reread(table, as: [String: Read].self) == expectedTable)
    #expect(try reread(keys, as: [Read: String].self) == expectedKeys)
    for (value, other) in zip(values, expected) {
      #expect(try reread(Single(value: value), as: Single<Read>.self).value == other)
    }
  }

  @Test func `Numbers are read as others in every collection and container`() throws {
    try check([1, -1, 127] as [Int8], as: [1, -1, 127] as [Int])
    try check([0, 255] as [UInt8], as: [0, 255] as [Int16])
    try check([1, 2, 300] as [Int], as: [1, 2, 300] as [UInt16])
    try check([0, .max] as [UInt64], as: [0, .max] as [UInt])
    try check([-128, 127] as [Int128], as: [-128, 127] as [Int8])
    try check([1, -1] as [Int8], as: [1, -1] as [Int128])
    try check([0, 1] as [Int], as: [0, 1] as [UInt128])
    try check([1.5, -0.25] as [Float], as: [1.5, -0.25] as [Double])
    try check([1.5, -0.25, .infinity] as [Double], as: [1.5, -0.25, .infinity] as [Float])
    try check([1, -1, 127] as [Int8], as: [1, -1, 127] as [Double])
    try check([0, 1 << 53] as [Int], as: [0, 0x1p53] as [Double])
    try check([0, 300] as [UInt16], as: [0, 300] as [Float])
    try check([0, 2048] as [Int], as: [0, 2048] as [Float16])
    try check([.min, 1] as [Int128], as: [-0x1p127, 1] as [Double])
    try check([1 << 127] as [UInt128], as: [0x1p127] as [Float])
  }

  /// Expects the error of reading a value as another type, in every collection and container.
  private func checkRefused<Stored: Codable & Hashable, Read: Codable & Hashable>(
    _ value: Stored, as type: Read.Type, _ kind: String
  ) throws {
    let places = [
      try refusal(of: [value], as: [Read].self),
      try refusal(of: [value], as: OneByOne<Read>.self),
      try refusal(of: Set([value]), as: Set<Read>.self),
      try refusal(of: [value: true], as: [Read: Bool].self),
      try refusal(of: ["k": value], as: [String: Read].self),
      try refusal(of: Single(value: value), as: Single<Read>.self),
    ]
    let expected = ["[0]", "[0]", "[0]", "[0]", "k", ""].map { "\(kind) \($0)" }
    #expect(places.compactMap { $0 } == expected, "\(Stored.self) as \(type)")
  }

  @Test func `A value that does not fit is refused in every collection and container`() throws {
    try checkRefused(1.5 as Double, as: Int.self, "typeMismatch")
    try checkRefused(2 as Double, as: UInt8.self, "typeMismatch")
    try checkRefused(2 as Float, as: Int64.self, "typeMismatch")
    try checkRefused(Int.max, as: Double.self, "dataCorrupted")
    try checkRefused(Int128.max, as: Double.self, "dataCorrupted")
    try checkRefused(1 << 24 + 1 as Int, as: Float.self, "dataCorrupted")
    try checkRefused(2049 as Int, as: Float16.self, "dataCorrupted")
    try checkRefused(true, as: Double.self, "typeMismatch")
    try checkRefused(true, as: Int.self, "typeMismatch")
    try checkRefused(true, as: UInt8.self, "typeMismatch")
    try checkRefused(1 as Int, as: Bool.self, "typeMismatch")
    try checkRefused(1 as UInt8, as: Bool.self, "typeMismatch")
    try checkRefused(1.5 as Double, as: String.self, "typeMismatch")
    try checkRefused("1", as: UInt8.self, "typeMismatch")
    try checkRefused("true", as: Bool.self, "typeMismatch")
    try checkRefused("1", as: Double.self, "typeMismatch")
    try checkRefused(256 as Int, as: UInt8.self, "dataCorrupted")
    try checkRefused(-1 as Int8, as: UInt64.self, "dataCorrupted")
    try checkRefused(UInt64.max, as: Int64.self, "dataCorrupted")
    try checkRefused(Int128.max, as: Int.self, "dataCorrupted")
    try checkRefused(1e300 as Double, as: Float.self, "dataCorrupted")
  }

  @Test func `A set is read as an array, and an array as a set`() throws {
    let dates = [2, 1].map { Date(timeIntervalSinceReferenceDate: $0) }
    // The bytes of 2 end with 00 40, those of 1 with F0 3F.
    #expect(try reread(Set(dates), as: [Date].self) == dates)
    #expect(try reread(Set(dates), as: [Date?].self) == dates.map { Optional($0) })
    #expect(try reread(dates, as: Set<Date>.self) == Set(dates))
    #expect(try reread([2, 1] as Set, as: [Int].self) == [1, 2])
    #expect(try reread([1, 2, 2], as: Set<Int>.self) == [1, 2])
    #expect(try reread(["b", "a"] as Set, as: [String].self) == ["a", "b"])
    #expect(try reread([[1], []] as Set, as: Set<[UInt8]>.self) == [[], [1]])
  }

  @Test func `A collection is not read where another kind is stored`() throws {
    #expect(try refusal(of: "x", as: [Date].self) == "typeMismatch ")
    #expect(try refusal(of: ["a": 1], as: [Date].self) == "typeMismatch ")
    #expect(try refusal(of: "x", as: Set<Date>.self) == "typeMismatch ")
    #expect(try refusal(of: ["a": 1], as: Set<Date>.self) == "typeMismatch ")
    #expect(try refusal(of: "x", as: [String: Date].self) == "typeMismatch ")
    #expect(try refusal(of: [1], as: [String: Date].self) == "typeMismatch ")
    #expect(try refusal(of: [1] as Set, as: [String: Date].self) == "typeMismatch ")
    #expect(try refusal(of: Int?.none, as: [Date].self) == "valueNotFound ")
    #expect(try refusal(of: Int?.none, as: Set<Date>.self) == "valueNotFound ")
    #expect(try refusal(of: Int?.none, as: [String: Date].self) == "valueNotFound ")
  }

  private struct Whole: Codable, Equatable {
    var number = 3
    var optional: Int? = 4
    var big = UInt128.max
    var list = [1, 2]
  }

  /// A number that tries one width after the other, like `CGFloat`.
  private struct Measure: Decodable {
    var value: Double
    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      do {
        value = try container.decode(Double.self)
      } catch DecodingError.typeMismatch {
        value = Double(try container.decode(Float.self))
      }
    }
  }

  private struct Real: Codable, Equatable {
    var number: Double
    var optional: Float?
    var big: Decimal
    var list: [Double?]
  }

  @Test func `Properties that were integers are read as real numbers`() throws {
    let real = try reread(Whole(), as: Real.self)
    #expect(real.number == 3 && real.optional == 4 && real.list == [1, 2])
    #expect("\(real.big)" == "\(UInt128.max)")
    #expect(try reread([1, 2], as: [Measure].self).map(\.value) == [1, 2])
    #expect(try refusal(of: Box(value: 1.5), as: Box<Decimal>.self) == "typeMismatch value")
  }

  private enum Feature: String, Codable, CodingKeyRepresentable {
    case wifi, other

    init(from decoder: any Decoder) throws {
      let name = try decoder.singleValueContainer().decode(String.self)
      self = Feature(rawValue: name) ?? .other
    }

    var codingKey: any CodingKey { rawValue.codingKey }
    init?<Key: CodingKey>(codingKey: Key) {
      self = Feature(rawValue: codingKey.stringValue) ?? .other
    }
  }

  @Test func `Members that only the type considers equal become one`() throws {
    #expect(try reread(["wifi", "gps", "nfc"] as Set, as: Set<Feature>.self) == [.wifi, .other])
    #expect(try reread(["gps", "nfc"] as Set, as: [Feature].self) == [.other, .other])
    // These are equal as floats.
    let numbers: [Double] = [0.1, 0.1.nextUp]
    #expect(try reread(Set(numbers), as: Set<Float>.self) == [0.1])
    #expect(try reread(["a": Set(numbers)], as: [String: Set<Float>].self) == ["a": [0.1]])
    #expect(try reread([[1], [1, 1]] as Set, as: Set<Ones>.self).count == 1)
  }

  /// A type whose values are all equal.
  private struct Ones: Codable, Hashable {
    init(from decoder: any Decoder) throws { _ = try decoder.unkeyedContainer() }
  }

  @Test func `Keys that only the type considers equal are a type mismatch that names them`() throws
  {
    let tables: [Data] = [
      try ArchiveEncoder().encode(["wifi": 1, "gps": 2, "nfc": 3]),
      // A record, and an array of alternating keys and values.
      try ArchiveEncoder().encode(Features()),
      try ArchiveEncoder().encode(InTurn(values: ["wifi", "gps", "nfc"])),
    ]
    for (index, data) in tables.enumerated() {
      let error = #expect(throws: DecodingError.self) {
        try ArchiveDecoder().decode([Feature: Int].self, from: data)
      }
      guard case .typeMismatch(_, let context) = error else {
        Issue.record("\(index): \(String(describing: error))")
        continue
      }
      #expect(
        context.debugDescription
          == #"The keys "gps" and "nfc" of the dictionary are the same Feature, "#
          + "so that one of their values would be lost. Read it with keys that stay apart, "
          + "such as those of an enumeration with a case unknown(String).")
    }
    let table = Dictionary(uniqueKeysWithValues: [0.1, 0.1.nextUp].map { ($0, true) })
    #expect(
      try refusal(of: ["a": table], as: [String: [Float: Bool]].self) == "typeMismatch a")
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode([Float: Bool].self, from: ArchiveEncoder().encode(table))
    }
    #expect("\(String(describing: error))".contains(" 0.10000000000000002 "))
  }

  @Test func `An array of alternating keys and values that ends with a key is refused`() throws {
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode([Feature: Int].self, from: ArchiveEncoder().encode(["wifi"]))
    }
    #expect("\(String(describing: error))".contains("The last key of a dictionary has no value."))
  }

  private struct Features: Encodable {
    var wifi = 1
    var gps = 2
    var nfc = 3
    var zigbee = 4
  }

  private struct InTurn: Encodable {
    var values: [String]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      for value in values {
        try container.encode(value)
        try container.encode(1)
      }
    }
  }
}
