import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import TestSupport
import Testing

private typealias Key = ModelValue.Key

private let key = ModelValue.Key("k")

/// The archive that the keyed coder writes for the value of a Codable encoder.
private func keyed(_ value: some ArchiveValue) throws -> Data {
  var writer = ArchiveWriter()
  try writer.writeObject(ArchiveObjectID(1), typeName: "Codable") { coder in
    coder.encode(value, forKey: "value")
  }
  return Data(try writer.finish(root: ArchiveObjectID(1)))
}

/// True when a shape is declared whose only slot has the first key and a value that may be left out.
private func declares(_ data: Data, absent tag: UInt8) -> Bool {
  let (bytes, shape) = (Array(data), [0, 0, 1, 0, tag, 3, 0, 0] as [UInt8])
  return bytes.indices.contains { bytes[$0...].starts(with: shape) }
}

/// Every scalar that has its own methods in keyed containers, where it may be left out.
@Suite struct `Scalars that may be left out` {
  typealias Encode = (inout KeyedEncodingContainer<ModelValue.Key>) throws -> Void

  /// A record that a closure encodes.
  private struct Source: Encodable {
    let body: Encode

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try body(&container)
    }
  }

  /// Two such records, in containers that are filled at once or alternately.
  ///
  /// Values that are written alternately are kept until both are complete.
  private struct Pair: Encodable {
    let isInTurns: Bool
    let body: Encode

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      var first = container.nestedContainer(keyedBy: Key.self, forKey: Key("first"))
      if !isInTurns {
        try body(&first)
        try first.encode(true, forKey: Key("z"))
      }
      var second = container.nestedContainer(keyedBy: Key.self, forKey: Key("second"))
      try body(&second)
      if isInTurns {
        try body(&first)
        try first.encode(true, forKey: Key("z"))
      }
    }
  }

  /// A value that a closure reads.
  struct Reader: Decodable {
    typealias Body = @Sendable (KeyedDecodingContainer<ModelValue.Key>) throws -> String
    static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "read") }

    /// The value, or the kind and place of the error.
    let result: String

    init(from decoder: any Decoder) throws {
      let body = try #require(Self.key.flatMap { decoder.userInfo[$0] as? Body })
      let container = try decoder.container(keyedBy: ModelValue.Key.self)
      do {
        result = try body(container)
      } catch {
        result = kindAndPath(of: error) ?? "\(error)"
      }
    }
  }

  /// The result of reading from a record under the key "outer".
  private func reading<Read>(
    _ read: @escaping @Sendable (KeyedDecodingContainer<ModelValue.Key>) throws -> Read,
    where encode: @escaping Encode
  ) throws -> String? {
    let body: Reader.Body = { "\(try read($0))" }
    var decoder = ArchiveDecoder()
    decoder.userInfo[try #require(Reader.key)] = body
    let data = try ArchiveEncoder().encode(["outer": Source(body: encode)])
    return try decoder.decode([String: Reader].self, from: data)["outer"]?.result
  }

  /// Expects the description of the value that is read from a record, or the kind and place of an error.
  private func expect<Read>(
    _ expected: String,
    _ read: @escaping @Sendable (KeyedDecodingContainer<ModelValue.Key>) throws -> Read,
    sourceLocation: SourceLocation = #_sourceLocation, where encode: @escaping Encode
  ) throws {
    let found = try reading(read, where: encode)
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  private func check<Scalar: Codable & ArchiveValue & Sendable>(
    _ type: Scalar.Type, _ values: [Scalar], tag: UInt8,
    _ encode: @escaping (Scalar?, inout KeyedEncodingContainer<ModelValue.Key>) throws -> Void,
    _ decode: @escaping @Sendable (KeyedDecodingContainer<ModelValue.Key>) throws -> Scalar?
  ) throws {
    for value in values.map({ Optional($0) }) + [nil] {
      let body: Encode = { try encode(value, &$0) }
      let data = try ArchiveEncoder().encode(Source(body: body))
      let expected = try keyed(WrittenRecord { $0.encodeIfPresent(value, forKey: "k") })
      #expect(data == expected, "\(type): \(value as Any)")
      #expect(try Archive(data).verdict() == .canonical)
      if value == nil { #expect(declares(data, absent: tag), "\(type)") }
      let read = try reading(decode, where: body)
      #expect(read == "\(value as Any)", "\(type)")

      let atOnce = try ArchiveEncoder().encode(Pair(isInTurns: false, body: body))
      let inTurns = try ArchiveEncoder().encode(Pair(isInTurns: true, body: body))
      #expect(atOnce == inTurns, "\(type): \(value as Any)")
    }
    // Reads without the key, with a nil, and with a value of another kind.
    let absent = try reading(decode) { _ in }
    #expect(absent == "nil", "\(type)")
    let null = try reading(decode) { try $0.encodeNil(forKey: key) }
    #expect(null == "nil", "\(type)")
    let other = try reading(decode) { try $0.encode(Data([1]), forKey: key) }
    #expect(other == "typeMismatch outer.k", "\(type)")
  }

  @Test func `Optional scalars have the tag of their type, and are read back`() throws {
    try check(
      Bool.self, [true, false], tag: 0x0F, { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Bool.self, forKey: key) })
    try check(
      String.self, ["", "a", "a text of more than fifteen bytes"], tag: 0x2E,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(String.self, forKey: key) })
    let doubles: [Double] = [
      -0.0, 0, -0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .nan,
    ]
    try check(
      Double.self, doubles, tag: 0x24, { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Double.self, forKey: key) })
    let floats: [Float] = [
      -0.0, 0, -0.1, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, .nan,
    ]
    try check(
      Float.self, floats, tag: 0x23, { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Float.self, forKey: key) })
  }

  @Test func `Optional signed integers of each width are read back`() throws {
    let numbers: [Int] = [
      .min, -2_147_483_649, -2_147_483_648, -1, 0, 1, 2_147_483_647, 2_147_483_648, .max,
    ]
    try check(
      Int.self, numbers, tag: 0x13, { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Int.self, forKey: key) })
    try check(
      Int8.self, [.min, -1, 0, 1, .max], tag: 0x11,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Int8.self, forKey: key) })
    try check(
      Int16.self, [.min, -1, 0, 1, .max], tag: 0x12,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Int16.self, forKey: key) })
    try check(
      Int32.self, [.min, -1, 0, 1, .max], tag: 0x13,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Int32.self, forKey: key) })
    try check(
      Int64.self, [.min, -1, 0, 1, .max], tag: 0x14,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Int64.self, forKey: key) })
    try check(
      Int128.self, [.min, -1, 0, 1, .max], tag: 0x15,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(Int128.self, forKey: key) })
  }

  @Test func `Optional unsigned integers of each width are read back`() throws {
    let numbers: [UInt] = [0, 1, 2_147_483_648, 4_294_967_295, 4_294_967_296, .max]
    try check(
      UInt.self, numbers, tag: 0x1B, { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(UInt.self, forKey: key) })
    try check(
      UInt8.self, [0, 1, 127, 128, .max], tag: 0x19,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(UInt8.self, forKey: key) })
    try check(
      UInt16.self, [0, 1, 32_767, 32_768, .max], tag: 0x1A,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(UInt16.self, forKey: key) })
    try check(
      UInt32.self, [0, 1, 2_147_483_648, .max], tag: 0x1B,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(UInt32.self, forKey: key) })
    try check(
      UInt64.self, [0, 1, 9_223_372_036_854_775_808, .max], tag: 0x1C,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(UInt64.self, forKey: key) })
    try check(
      UInt128.self, [0, 1, .max], tag: 0x1D,
      { try $1.encodeIfPresent($0, forKey: key) },
      { try $0.decodeIfPresent(UInt128.self, forKey: key) })
  }

  @Test func `Optional integers are read as another width if they fit, and else refused`() throws {
    func check<Number: FixedWidthInteger & SendableMetatype>(
      _ type: Number.Type,
      _ read: @escaping @Sendable (KeyedDecodingContainer<ModelValue.Key>) throws -> Number?
    ) throws {
      let (least, most) = (Int128(Number.min), Int128(Number.max))
      for number in [least, most, 7] {
        let found = try reading(read) { try $0.encode(number, forKey: key) }
        #expect(found == "Optional(\(number))", "\(type)")
      }
      for number in [least - 1, most + 1] {
        let found = try reading(read) { try $0.encode(number, forKey: key) }
        #expect(found == "dataCorrupted outer.k", "\(type)")
      }
    }
    try check(Int.self) { try $0.decodeIfPresent(Int.self, forKey: key) }
    try check(Int8.self) { try $0.decodeIfPresent(Int8.self, forKey: key) }
    try check(Int16.self) { try $0.decodeIfPresent(Int16.self, forKey: key) }
    try check(Int32.self) { try $0.decodeIfPresent(Int32.self, forKey: key) }
    try check(Int64.self) { try $0.decodeIfPresent(Int64.self, forKey: key) }
    try check(UInt.self) { try $0.decodeIfPresent(UInt.self, forKey: key) }
    try check(UInt8.self) { try $0.decodeIfPresent(UInt8.self, forKey: key) }
    try check(UInt16.self) { try $0.decodeIfPresent(UInt16.self, forKey: key) }
    try check(UInt32.self) { try $0.decodeIfPresent(UInt32.self, forKey: key) }
    try check(UInt64.self) { try $0.decodeIfPresent(UInt64.self, forKey: key) }
  }

  @Test func `An integer is read as a floating-point number if that is exact`() throws {
    let double = { @Sendable (container: KeyedDecodingContainer<ModelValue.Key>) in
      try container.decodeIfPresent(Double.self, forKey: key)
    }
    let float = { @Sendable (container: KeyedDecodingContainer<ModelValue.Key>) in
      try container.decodeIfPresent(Float.self, forKey: key)
    }
    let integer = { @Sendable (container: KeyedDecodingContainer<ModelValue.Key>) in
      try container.decodeIfPresent(Int.self, forKey: key)
    }
    try expect("Optional(1.5)", double) { try $0.encode(1.5 as Float, forKey: key) }
    try expect("Optional(1.5)", float) { try $0.encode(1.5 as Double, forKey: key) }
    try expect("dataCorrupted outer.k", float) { try $0.encode(1e300 as Double, forKey: key) }
    try expect("Optional(1.0)", double) { try $0.encode(1 as Int, forKey: key) }
    try expect("Optional(1.0)", float) { try $0.encode(1 as Int, forKey: key) }
    try expect("dataCorrupted outer.k", float) { try $0.encode(1 << 24 + 1, forKey: key) }
    try expect("typeMismatch outer.k", integer) { try $0.encode(1.5 as Double, forKey: key) }
    try expect("typeMismatch outer.k", integer) { try $0.encode(true, forKey: key) }
  }

  @Test func `Optional values of other types are refused with their path`() throws {
    let date = { @Sendable (container: KeyedDecodingContainer<ModelValue.Key>) in
      try container.decodeIfPresent(Date.self, forKey: key)?.timeIntervalSinceReferenceDate
    }
    let row = { @Sendable (container: KeyedDecodingContainer<ModelValue.Key>) in
      try container.decodeIfPresent([Int].self, forKey: key)
    }
    let one = Date(timeIntervalSinceReferenceDate: 1)
    try expect("Optional(1.0)", date) { try $0.encodeIfPresent(one, forKey: key) }
    try expect("nil", date) { try $0.encodeIfPresent(Date?.none, forKey: key) }
    try expect("nil", date) { _ in }
    try expect("typeMismatch outer.k", date) { try $0.encode(1.5 as Double, forKey: key) }
    try expect("Optional([1, 2])", row) { try $0.encodeIfPresent([1, 2], forKey: key) }
    try expect("nil", row) { try $0.encodeNil(forKey: key) }
    try expect("typeMismatch outer.k.[0]", row) { try $0.encode(["x"], forKey: key) }
    try expect("typeMismatch outer.k", row) { try $0.encode("x", forKey: key) }
  }
}

/// A value that is left out has the tag of its type, or else that of the first value of its type in the archive
/// (Spec/archive.md, 5.3).
@Suite struct `Tags of values that Codable leaves out` {
  private struct Holder<Value: Encodable>: Encodable { var value: Value? }

  private struct Part: Encodable { var number = 1 }

  private enum Word: String, Encodable { case yes, no }

  private enum Level: Int, Encodable { case low = 1, high = 9 }

  /// A record with a value that is present.
  private func present(_ value: some ArchiveValue) -> WrittenRecord {
    WrittenRecord { $0.encodeIfPresent(value, forKey: "value") }
  }

  private func absent<Stored: ArchiveValue>(_ type: Stored.Type) -> WrittenRecord {
    WrittenRecord { $0.encodeIfPresent(Stored?.none, forKey: "value") }
  }

  @Test func `The tags of some types are known before the first value`() throws {
    func check<Value: Encodable, Stored: ArchiveValue>(
      _ type: Value.Type, as stored: Stored.Type, _ tag: UInt8
    ) throws {
      let data = try ArchiveEncoder().encode(Holder<Value>(value: nil))
      #expect(try data == keyed(absent(stored)), "\(type)")
      #expect(declares(data, absent: tag), "\(type)")
    }
    try check(Date.self, as: Date.self, 0x3C)
    try check(Data.self, as: Data.self, 0x36)
    try check(URL.self, as: URL.self, 0x4E)
    try check(UUID.self, as: UUID.self, 0x45)
    try check(Int128.self, as: Int128.self, 0x15)
    try check(UInt128.self, as: UInt128.self, 0x1D)
    try check(Bool.self, as: Bool.self, ArchiveTag.bool.rawValue)
    try check(String.self, as: String.self, ArchiveTag.string.rawValue)
    try check(Double.self, as: Double.self, ArchiveTag.double.rawValue)
    try check(Float.self, as: Float.self, ArchiveTag.float.rawValue)
    try check(Int.self, as: Int.self, ArchiveTag.int32.rawValue)
    try check(UInt.self, as: UInt.self, ArchiveTag.uint32.rawValue)
    try check(Int8.self, as: Int8.self, ArchiveTag.int8.rawValue)
    try check(UInt64.self, as: UInt64.self, ArchiveTag.uint64.rawValue)
    try check([Int].self, as: [Int].self, 0x6E)
    try check([String].self, as: [String].self, 0x6E)
    try check([Bool].self, as: [Bool].self, 0x6E)
    try check([Part].self, as: [WrittenRecord].self, 0x6E)
    try check([[Date]].self, as: [[Date]].self, 0x6E)
    // The tags of these types are not known.
    try check(Part.self, as: DynamicValue.self, 0x00)
    try check(Word.self, as: DynamicValue.self, 0x00)
    try check(Level.self, as: DynamicValue.self, 0x00)
    try check(Set<Int>.self, as: DynamicValue.self, 0x00)
    try check([String: Int].self, as: DynamicValue.self, 0x00)
  }

  /// Each call starts again with its own first value.
  @Test func `The tag of other types is that of the first value, and null before it`() throws {
    func check<Value: Encodable, Stored: ArchiveValue>(_ value: Value, _ stored: Stored) throws {
      let none = absent(DynamicValue.self)
      let (some, left) = (present(stored), absent(Stored.self))
      let cases: [(values: [Value?], expected: [WrittenRecord])] = [
        ([value, nil], [some, left]), ([nil], [none]), ([nil, value, nil], [none, some, left]),
        ([nil, nil], [none, none]), ([value, value, nil], [some, some, left]),
        ([nil, value], [none, some]), ([value, nil, value, nil], [some, left, some, left]),
      ]
      for (values, expected) in cases + cases {
        let data = try ArchiveEncoder().encode(values.map { Holder<Value>(value: $0) })
        #expect(try data == keyed(expected), "\(values)")
        #expect(try Archive(data).verdict() == .canonical)
      }
    }
    try check(Part(), WrittenRecord { $0.encode(1, forKey: "number") })
    try check(Word.no, "no")
    try check(Level.high, 9)
    try check([3, 1, 2] as Set<Int>, [1, 2, 3] as Set<Int>)
    try check(["a": 1, "b": 2], ["a": 1, "b": 2])
    try check(
      [Date(timeIntervalSinceReferenceDate: 1): [true]],
      [ArchiveDate(secondsSinceReferenceDate: 1): [true]])
  }

  /// A value that is a nil until an answer is given.
  private enum Answer: Encodable {
    case open
    case given(String)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .open: try container.encodeNil()
      case .given(let text): try container.encode(text)
      }
    }
  }

  /// Values, and after them one that is left out.
  private struct Left<Values: Encodable, Value: Encodable>: Encodable {
    var a: Values
    var b: Value?
  }

  @Test func `The tag is that of the first value that is not nil, even in collections`() throws {
    func check<Values: Encodable, Value: Encodable, Stored: ArchiveValue>(
      _ type: Value.Type, after values: Values, _ archived: DynamicValue, as stored: Stored.Type
    ) throws {
      let data = try ArchiveEncoder().encode(Left<Values, Value>(a: values, b: nil))
      let expected = WrittenRecord { coder in
        coder.encode(archived, forKey: "a")
        coder.encodeIfPresent(Stored?.none, forKey: "b")
      }
      #expect(try data == keyed(expected), "\(type) after \(archived)")
    }
    let one = DynamicValue.signed(1, bitWidth: 8)
    try check(
      Answer.self, after: [Answer.open, .given("x")], .array([.null, .string("x")]),
      as: String.self)
    try check(Answer.self, after: [Answer.open], .array([.null]), as: DynamicValue.self)
    try check(
      Int8?.self, after: [nil, 1, nil] as [Int8?], .array([.null, one, .null]), as: Int8.self)
    try check(Int8?.self, after: [nil] as [Int8?], .array([.null]), as: DynamicValue.self)
    try check(
      String?.self, after: [nil, "x"] as [String?], .array([.null, .string("x")]),
      as: String.self)
    try check(
      Int8.self, after: ["k": 1] as [String: Int8],
      .dictionary([DynamicEntry(key: .string("k"), value: one)]), as: Int8.self)
  }
}
