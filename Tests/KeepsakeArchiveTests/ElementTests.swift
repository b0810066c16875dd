import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// How the elements of an array are stored depends on the elements alone.
@Suite struct `Elements of arrays` {
  private typealias Values = [DynamicValue]

  private func payload(_ values: [DynamicValue]) throws -> (bytes: [UInt8], tag: UInt8) {
    let bytes = try archiveBytes { $0.encode(DynamicValue.array(values), forKey: "v") }
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(try archive.object(first).decode(DynamicValue.self, forKey: "v") == .array(values))
    let map = ArchiveMap(bytes)
    return (bytes, bytes[map.payload("v")])
  }

  // Holds.
  @Test func `Elements that share a tag are packed, with and without nils`() throws {
    for values in [
      [.bool(true)], [.null, .bool(true)], [.bool(true), .null], [.null, .null, .bool(false)],
    ] as [Values] {
      let form = values.contains(.null) ? 0x90 : ArchiveTag.bool.rawValue
      #expect(try payload(values).tag == form)
    }
    #expect(try payload([.null, .float(1)]).tag == 0x91)
    #expect(try payload([.string("a"), .string("")]).tag == ArchiveTag.string.rawValue)
    #expect(try payload([.array([]), .array([.null])]).tag == ArchiveTag.array.rawValue)
    // A nil among payloads has a tag of its own.
    #expect(try payload([.string("a"), .null, .string("")]).tag == 0x90)
    #expect(try payload([.null, .array([]), .array([.null])]).tag == 0x90)
  }

  @Test func `Nils alone, and elements of several kinds, carry tags`() throws {
    for values in [
      [.null], [.null, .null, .null], [.bool(true), .signed(1, bitWidth: 8)],
      [.signed(1, bitWidth: 8), .signed(1, bitWidth: 16)], [.null, .bool(true), .double(1)],
      [.string("text"), .bytes([1, 2])], [.array([]), .set([])],
    ] as [Values] {
      #expect(try payload(values).tag == 0x90)
    }
  }

  @Test func `An array whose last elements have another kind is read back`() throws {
    let record = DynamicValue.record(.init(fields: [.init(key: "x", value: .string("inner"))]))
    let starts: [Values] = [
      Array(repeating: .bool(true), count: 20), Array(repeating: .uint128(5), count: 9),
      Array(repeating: .string("of some length"), count: 9), Array(repeating: record, count: 9),
      Array(repeating: .array([.string("odd"), .null]), count: 9),
      Array(repeating: .null, count: 9) + Array(repeating: .bytes([1, 2, 3]), count: 3),
    ]
    let ends: Values = [
      .signed(-1, bitWidth: 64), .string("end"), .array([.bool(true)]), .null,
      .unsigned(1, bitWidth: 8),
      .dictionary([.init(key: .string("k"), value: record)]), .enumeration("c", .init()),
    ]
    for start in starts {
      for end in ends {
        for values in [
          start + [end], start + [.null, end], [.null] + start + [end, .null],
          start + [end] + start,
        ] {
          _ = try payload(values)
        }
      }
    }
  }

  @Test func `Arrays in arrays are read back when a late element has another kind`() throws {
    let inner = DynamicValue.array([.bool(true), .string("late"), .array([.null, .double(2)])])
    _ = try payload([inner, inner, .null, .string("later"), inner])
    _ = try payload([.array([inner, .null]), .array([inner, .bool(true)]), .set([.bool(true)])])
  }

  @Test func `Arrays that are equal are stored alike, whatever type they were written as`() throws {
    let typed = try archiveBytes { $0.encode([1, nil, 3] as [Int16?], forKey: "v") }
    let dynamic = try payload([.signed(1, bitWidth: 16), .null, .signed(3, bitWidth: 16)]).bytes
    #expect(typed == dynamic)
    let numbers = try archiveBytes { $0.encode([1.5, 2], forKey: "v") }
    #expect(try payload([.double(1.5), .double(2)]).bytes == numbers)
    let none = try archiveBytes { $0.encode([nil, nil] as [String?], forKey: "v") }
    #expect(try payload([.null, .null]).bytes == none)
  }

  @Test func `Elements of several kinds are each read by their own kind`() throws {
    let value = DynamicValue.array([
      .signed(1, bitWidth: 8), .unsigned(70_000, bitWidth: 32), .int128(-1),
    ])
    #expect(try convert(value, to: [Int].self) == [1, 70_000, -1])
    let error = archiveError { _ = try convert(value, to: [Int8].self) }
    #expect(error?.code == .valueOutOfRange && error?.keyPath == ["value", "[1]"])
    let floats = DynamicValue.array([.float16(bitPattern: 0x3C00), .double(0.5)])
    #expect(try convert(floats, to: [Float].self) == [1, 0.5])
    #expect(try convert(DynamicValue.array([.null, .null]), to: [Int?].self) == [nil, nil])
    #expect(
      archiveError { _ = try convert(DynamicValue.array([.null]), to: [Int].self) }?.code
        == .nullValue)
  }

  @Test func `A nil among numbers is refused where none is expected`() {
    func refusal<Number: ArchiveValue>(_ numbers: [Number?]) -> ArchiveError? {
      archiveError { _ = try convert(numbers, to: [Number].self) }
    }
    for error in [
      refusal([1, nil, 3] as [Int32?]), refusal([1, nil] as [UInt64?]),
      refusal([0.5, nil] as [Float?]), refusal([0.5, nil, nil] as [Double?]),
    ] {
      #expect(error?.code == .nullValue)
      #expect(error?.keyPath == ["value", "[1]"])
    }
  }

  @Test func `Unknown kinds of every width may be elements and values, but not members`() throws {
    for width in 1...7 as ClosedRange<UInt8> {
      let tag = ArchiveTag(rawValue: 20 << 3 | width)
      let value = DynamicValue.unknown(
        tag, bytes: (0..<[0, 1, 2, 4, 8, 16, 5, 1][Int(width)]).map { UInt8($0 + 1) })
      _ = try payload([value])
      _ = try payload([value, value, .null])
      _ = try payload([.null, value, .bool(true), value])
      let entry = DynamicValue.dictionary([.init(key: .bool(true), value: value)])
      #expect(try roundTrip(entry) == entry)
      #expect(try roundTrip(value) == value)
      let key = DynamicValue.set([value])
      #expect(archiveError { _ = try roundTrip(key) }?.code == .invalidValue)
    }
  }

  @Test func `An array in another form than its elements need is not canonical`() throws {
    let (bytes, tag) = try payload([.signed(1, bitWidth: 8), .unsigned(2, bitWidth: 8), .null])
    #expect(tag == 0x90)
    let tags = ArchiveMap(bytes).payload("v") + 2
    // Both are of one kind now, and would be packed.
    let changed = patched(bytes, at: tags + 1, byteCount: 1, UInt64(ArchiveTag.int8.rawValue))
    #expect(readError(changed, [Int8?].self) == nil)
    #expect(verifyError(changed)?.code == .nonCanonical)
    #expect(try Archive(changed).object(first).decode([Int8?].self, forKey: "v") == [1, 2, nil])
  }

  /// A record that is always stored as a string.
  private struct Spelled: ArchiveRecord, Equatable {
    static var archiveTag: ArchiveTag { .string }
    var number: Int

    init(_ number: Int) { self.number = number }

    func encode(to coder: inout ObjectEncoder) { coder.encode(number, forKey: "number") }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      number = try coder.decode(forKey: "number")
    }

    func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
      String(number).encode(to: &coder, at: place)
    }

    init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
      number = Int(try String(from: coder)) ?? -1
    }
  }

  @Test func `A record that is stored as a string is stored so as an element too`() throws {
    let values = (0..<3).map(Spelled.init)
    #expect(try roundTrip(values) == values)
    #expect(try convert(values, to: [String].self) == ["0", "1", "2"])
  }
}
