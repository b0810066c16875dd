import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Every scalar that has its own methods in unkeyed containers.
@Suite struct `Scalars in unkeyed containers` {
  /// The way in which a value uses its container.
  enum Way: CaseIterable {
    /// The value fills one container.
    case alone
    /// The value fills two containers alternately, which are kept until both are complete.
    case inTurns
  }

  /// Values of one type with the methods of containers for this type.
  struct Row<Scalar: Codable & Equatable & Sendable>: Sendable {
    let values: [Scalar]
    let encode: @Sendable (Scalar, inout any UnkeyedEncodingContainer) throws -> Void
    let decode: @Sendable (inout any UnkeyedDecodingContainer) throws -> Scalar
    let stored: @Sendable (Scalar) -> DynamicValue

    func check(_ way: Way) throws {
      let data = try ArchiveEncoder().encode(Source(row: self, way: way))
      let archive = try Archive(Array(data))
      #expect(try archive.verdict() == .canonical)
      let elements = DynamicValue.array(values.map(stored))
      let expected = way == .alone ? elements : .array([elements, elements])
      let value = try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
      #expect(value == expected)

      var decoder = ArchiveDecoder()
      decoder.userInfo[try #require(Target<Scalar>.key)] = self
      let found = try decoder.decode(Target<Scalar>.self, from: data).values
      #expect(found == (way == .alone ? [values] : [values, values]))
    }
  }

  struct Source<Scalar: Codable & Equatable & Sendable>: Encodable {
    let row: Row<Scalar>
    let way: Way

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      switch way {
      case .alone:
        for value in row.values { try row.encode(value, &container) }
        #expect(container.count == row.values.count)
      case .inTurns:
        var first = container.nestedUnkeyedContainer()
        var second = container.nestedUnkeyedContainer()
        for value in row.values {
          try row.encode(value, &first)
          try row.encode(value, &second)
        }
        #expect([first.count, second.count] == [row.values.count, row.values.count])
      }
    }
  }

  struct Target<Scalar: Codable & Equatable & Sendable>: Decodable {
    static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "row") }
    var values: [[Scalar]] = []

    init(from decoder: any Decoder) throws {
      let row = try #require(Self.key.flatMap { decoder.userInfo[$0] as? Row<Scalar> })
      var container = try decoder.unkeyedContainer()
      // The elements of rows that are filled alternately are rows.
      if var nested = try? container.nestedUnkeyedContainer() {
        values.append(try Self.all(of: row, in: &nested))
        var other = try container.nestedUnkeyedContainer()
        values.append(try Self.all(of: row, in: &other))
        #expect(container.isAtEnd)
      } else {
        values.append(try Self.all(of: row, in: &container))
      }
    }

    private static func all(
      of row: Row<Scalar>, in container: inout any UnkeyedDecodingContainer
    ) throws -> [Scalar] {
      var values: [Scalar] = []
      while !container.isAtEnd {
        #expect(container.currentIndex == values.count)
        values.append(try row.decode(&container))
      }
      return values
    }
  }

  @Test(arguments: Way.allCases)
  func `Scalars are stored in their own width and read back`(way: Way) throws {
    func signed<Number: FixedWidthInteger & SignedInteger & SendableMetatype>(_ width: Int)
      -> @Sendable (Number) -> DynamicValue
    { { .signed(Int64($0), bitWidth: width) } }
    func unsigned<Number: FixedWidthInteger & UnsignedInteger & SendableMetatype>(_ width: Int)
      -> @Sendable (Number) -> DynamicValue
    { { .unsigned(UInt64($0), bitWidth: width) } }

    try Row<Int>(
      values: [.min, -1, 0, 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(Int.self) }, stored: signed(64)
    ).check(way)
    try Row<Int8>(
      values: [.min, -1, 0, 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(Int8.self) }, stored: signed(8)
    ).check(way)
    try Row<Int16>(
      values: [.min, -1, 0, 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(Int16.self) }, stored: signed(16)
    ).check(way)
    try Row<Int32>(
      values: [.min, -1, 0, 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(Int32.self) }, stored: signed(32)
    ).check(way)
    try Row<Int64>(
      values: [.min, -1, 0, 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(Int64.self) }, stored: signed(64)
    ).check(way)
    try Row<UInt>(
      values: [0, 1, .max / 2, .max / 2 + 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(UInt.self) }, stored: unsigned(64)
    ).check(way)
    try Row<UInt8>(
      values: [0, 1, 127, 128, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(UInt8.self) }, stored: unsigned(8)
    ).check(way)
    try Row<UInt16>(
      values: [0, 1, .max / 2 + 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(UInt16.self) }, stored: unsigned(16)
    ).check(way)
    try Row<UInt32>(
      values: [0, 1, .max / 2 + 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(UInt32.self) }, stored: unsigned(32)
    ).check(way)
    try Row<UInt64>(
      values: [0, 1, .max / 2 + 1, .max], encode: { try $1.encode($0) },
      decode: { try $0.decode(UInt64.self) }, stored: unsigned(64)
    ).check(way)
    try Row<Bool>(
      values: [true, false, false, true], encode: { try $1.encode($0) },
      decode: { try $0.decode(Bool.self) }, stored: { .bool($0) }
    ).check(way)
    try Row<Double>(
      values: [-0.1, 0, 1e300, .infinity], encode: { try $1.encode($0) },
      decode: { try $0.decode(Double.self) }, stored: { .double($0) }
    ).check(way)
    try Row<Float>(
      values: [-0.1, 0, 1e30, .infinity], encode: { try $1.encode($0) },
      decode: { try $0.decode(Float.self) }, stored: { .float($0) }
    ).check(way)
    try Row<String>(
      values: ["", "a", "a text of more than fifteen bytes"], encode: { try $1.encode($0) },
      decode: { try $0.decode(String.self) }, stored: { .string($0) }
    ).check(way)
    try Row<Int?>(
      values: [nil, 1, nil],
      encode: { if let value = $0 { try $1.encode(value) } else { try $1.encodeNil() } },
      decode: { try $0.decodeNil() ? nil : $0.decode(Int.self) },
      stored: { $0.map { .signed(Int64($0), bitWidth: 8) } ?? .null }
    ).check(way)
  }

  /// A value after another one.
  struct Second<Value: Encodable>: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode("before")
      try container.encode(value)
    }
  }

  /// A value whose second element a closure reads.
  struct Reader: Decodable {
    typealias Body = @Sendable (inout any UnkeyedDecodingContainer) throws -> String
    static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "read") }

    /// The value, or the kind and place of the error.
    let result: String

    init(from decoder: any Decoder) throws {
      let body = try #require(Self.key.flatMap { decoder.userInfo[$0] as? Body })
      var container = try decoder.unkeyedContainer()
      #expect(try container.decode(String.self) == "before")
      do {
        result = try body(&container)
        #expect(container.currentIndex == 2)
      } catch {
        result = kindAndPath(of: error) ?? "\(error)"
        // The element that could not be read is still the next one.
        #expect(container.currentIndex == 1)
      }
    }
  }

  private func reading<Read>(
    _ value: some Encodable,
    _ read: @escaping @Sendable (inout any UnkeyedDecodingContainer) throws -> Read
  ) throws -> String {
    let body: Reader.Body = { "\(try read(&$0))" }
    var decoder = ArchiveDecoder()
    decoder.userInfo[try #require(Reader.key)] = body
    let data = try ArchiveEncoder().encode(Second(value: value))
    return try decoder.decode(Reader.self, from: data).result
  }

  @Test func `Integers are read as another width if they fit, and else refused`() throws {
    func check<Number: FixedWidthInteger & SendableMetatype>(
      _ type: Number.Type,
      _ read: @escaping @Sendable (inout any UnkeyedDecodingContainer) throws -> Number
    ) throws {
      // Each number is stored as the widest type of its sign.
      for number in [Int128(Number.min) - 1, Int128(Number.min), Int128(Number.max)]
        + [Int128(Number.max) + 1]
      {
        let expected = Number(exactly: number).map { "\($0)" } ?? "dataCorrupted [1]"
        if let stored = UInt64(exactly: number) {
          #expect(try reading(stored, read) == expected, "\(type)")
        }
        if let stored = Int64(exactly: number) {
          #expect(try reading(stored, read) == expected, "\(type)")
        }
      }
      #expect(try reading("text", read) == "typeMismatch [1]", "\(type)")
      #expect(try reading(nil as Int?, read) == "valueNotFound [1]", "\(type)")
    }
    try check(Int.self) { try $0.decode(Int.self) }
    try check(Int8.self) { try $0.decode(Int8.self) }
    try check(Int16.self) { try $0.decode(Int16.self) }
    try check(Int32.self) { try $0.decode(Int32.self) }
    try check(Int64.self) { try $0.decode(Int64.self) }
    try check(UInt.self) { try $0.decode(UInt.self) }
    try check(UInt8.self) { try $0.decode(UInt8.self) }
    try check(UInt16.self) { try $0.decode(UInt16.self) }
    try check(UInt32.self) { try $0.decode(UInt32.self) }
    try check(UInt64.self) { try $0.decode(UInt64.self) }
  }

  @Test func `Scalars in unkeyed containers are refused as another kind`() throws {
    #expect(try reading(1) { try $0.decode(Bool.self) } == "typeMismatch [1]")
    #expect(try reading(true) { try $0.decode(Int.self) } == "typeMismatch [1]")
    #expect(try reading(1.5) { try $0.decode(Int.self) } == "typeMismatch [1]")
    #expect(try reading(1) { try $0.decode(Double.self) } == "1.0")
    #expect(try reading(1) { try $0.decode(String.self) } == "typeMismatch [1]")
    #expect(try reading(1.5 as Float) { try $0.decode(Double.self) } == "1.5")
    #expect(try reading(1.5) { try $0.decode(Float.self) } == "1.5")
    #expect(try reading(1e300) { try $0.decode(Float.self) } == "dataCorrupted [1]")
    #expect(try reading(1) { try $0.decodeNil() ? "nil" : "\($0.decode(Int.self))" } == "1")
    #expect(try reading(nil as Int?) { try $0.decodeNil() } == "true")
  }
}
