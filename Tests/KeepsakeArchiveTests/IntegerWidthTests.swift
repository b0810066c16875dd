import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// `Int` and `UInt` have 32 or 64 bits in a record, and the narrowest width in an array (Spec/archive.md, 5.1).
@Suite struct `Integers without a width of their own` {
  private func tags(_ body: (inout ObjectEncoder) -> Void) throws -> [ArchiveTag] {
    let bytes = try archiveBytes(body)
    let archive = try Archive(bytes)
    #expect(try archive.verdict() == .canonical)
    #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
    #expect(try ArchiveDocument(archive).encoded() == bytes)
    return ArchiveMap(bytes).shape(of: 1).slots.map(\.tag)
  }

  // Holds.
  @Test func `Integers have 32 bits in a record if all of them fit`() throws {
    #expect(
      try tags { coder in
        coder.encode(Int(Int32.max), forKey: "a")
        coder.encode(Int(Int32.min), forKey: "b")
        coder.encode(UInt(UInt32.max), forKey: "c")
        coder.encode(nil as Int?, forKey: "d")
        coder.encode(Int64(1), forKey: "e")
      } == [.int32, .int32, .uint32, .int32, .int64])
  }

  @Test(
    arguments: [
      (2_147_483_648, 0), (-2_147_483_649, 0), (0, 4_294_967_296),
    ] as [(Int, UInt)])
  func `Integers have 64 bits in a record if one does not fit 32`(_ wide: Int, _ unsigned: UInt)
    throws
  {
    for isLast in [false, true] {
      let written = try tags { coder in
        coder.encode("text", forKey: "t")
        coder.encode(isLast ? -7 : wide, forKey: "a")
        coder.encode(nil as UInt?, forKey: "b")
        coder.encode([1.5], forKey: "n")
        coder.encode(unsigned, forKey: "c")
        coder.encode(Int32(1), forKey: "d")
        coder.encode(Point(x: 1, y: 2), forKey: "p")
        coder.encode(true, forKey: "f")
        coder.encode(isLast ? wide : -7, forKey: "e")
      }
      let cell = ArchiveTag(rawValue: 0x60)
      let expected: [ArchiveTag] = [
        .string, .int64, .uint64, .array, .uint64, .int32, cell, .bool, .int64,
      ]
      #expect(written == expected)
    }
  }

  @Test func `Integers are read back after records of the other width`() throws {
    var writer = ArchiveWriter()
    let values = [1, 1 << 40, 2, -(1 << 40), 1 << 50, 3, 4]
    for value in values {
      try writer.writeObject(writer.nextObjectID, typeName: "T") { coder in
        coder.encode(5, forKey: "five")
        coder.encode("text \(value)", forKey: "text")
        coder.encode(value, forKey: "value")
        coder.encode(value > 1 << 45 ? "last" : "", forKey: "end")
      }
    }
    let bytes = try writer.finish(root: first)
    let archive = try Archive(bytes)
    #expect(try archive.verdict() == .canonical)
    for (index, value) in values.enumerated() {
      let object = try archive.object(ArchiveObjectID(UInt32(index + 1)))
      #expect(try object.decode(Int.self, forKey: "value") == value)
      #expect(try object.decode(Int.self, forKey: "five") == 5)
      #expect(try object.decode(String.self, forKey: "text") == "text \(value)")
      let isWide = Int(Int32(truncatingIfNeeded: value)) != value
      #expect(
        ArchiveMap(bytes).shape(of: index + 1).slots[0].tag == (isWide ? .int64 : .int32))
    }
    #expect(ArchiveMap(bytes).shapes.count == 2)
  }

  /// The widths of the elements of an array in the dynamic view; 0 for a nil.
  private func widths(_ value: some ArchiveValue) throws -> [Int] {
    let bytes = try single(value).bytes
    #expect(try Archive(bytes).verdict() == .canonical)
    #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
    guard
      case .array(let elements) = try Archive(bytes).object(first).decode(
        DynamicValue.self, forKey: "v")
    else { return [] }
    return elements.map { element in
      switch element {
      case .signed(_, let width), .unsigned(_, let width): width
      default: 0
      }
    }
  }

  // Holds.
  @Test(
    arguments: [
      (127, 8), (-128, 8), (128, 16), (-129, 16), (32_767, 16), (32_768, 32), (-32_769, 32),
      (1 << 31 - 1, 32), (1 << 31, 64), (-(1 << 31) - 1, 64), (.max, 64), (.min, 64),
    ] as [(Int, Int)])
  func `Signed integers have the narrowest width in an array`(_ number: Int, _ width: Int) throws {
    #expect(try widths([1, number]) == [width, width])
    #expect(try widths([nil, number, 1] as [Int?]) == [0, width, width])
    for count in [40, 300] {
      let numbers = Array(repeating: 1, count: count) + [number]
      let (bytes, _, _) = try single(numbers)
      #expect(try Archive(bytes).object(first).decode([Int].self, forKey: "v") == numbers)
      let optional = try single(numbers.map { ArchivedNumber(number: $0) }).bytes
      #expect(optional == bytes)
    }
  }

  @Test(
    arguments: [
      (255, 8), (256, 16), (65_535, 16), (65_536, 32), (4_294_967_295, 32), (4_294_967_296, 64),
      (.max, 64),
    ] as [(UInt, Int)])
  func `Unsigned integers have the narrowest width in an array`(_ number: UInt, _ width: Int) throws
  {
    #expect(try widths([1, number]) == [width, width])
    let (bytes, _, _) = try single([1, number])
    #expect(try Archive(bytes).object(first).decode([UInt].self, forKey: "v") == [1, number])
  }

  /// The array of these values in the dynamic view.
  private func stored(_ parts: [Part]) throws -> DynamicValue {
    let bytes = try single(parts).bytes
    let archive = try Archive(bytes)
    #expect(try archive.verdict() == .canonical)
    #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
    #expect(try ArchiveDocument(archive).encoded() == bytes)
    return try archive.object(first).decode(DynamicValue.self, forKey: "v")
  }

  @Test func `Integers have the narrowest width among elements of other kinds too`() throws {
    let signed: [(Int, Int)] = [
      (127, 8), (-128, 8), (128, 16), (-129, 16), (32_768, 32), (1 << 31, 64), (.min, 64),
    ]
    for (number, width) in signed {
      let elements: [DynamicValue] = [
        .signed(Int64(number), bitWidth: width), .string("x"), .unsigned(7, bitWidth: 8),
        .signed(-1, bitWidth: width),
      ]
      #expect(
        try stored([.int(number), .text("x"), .uint(7), .int(-1)]) == .array(elements))
    }
    let unsigned: [(UInt, Int)] = [
      (255, 8), (256, 16), (65_536, 32), (4_294_967_296, 64), (.max, 64),
    ]
    for (number, width) in unsigned {
      let elements: [DynamicValue] = [
        .string("x"), .unsigned(UInt64(number), bitWidth: width), .signed(-1, bitWidth: 8),
        .unsigned(0, bitWidth: width),
      ]
      #expect(
        try stored([.text("x"), .uint(number), .int(-1), .uint(0)]) == .array(elements))
    }
  }

  /// Elements that then share one tag are packed.
  @Test func `Integers share a tag with fixed-width elements of the same width`() throws {
    let five = DynamicValue.signed(5, bitWidth: 8)
    let three = DynamicValue.signed(3, bitWidth: 8)
    #expect(try stored([.int(5), .int8(3)]) == .array([five, three]))
    #expect(try stored([.int8(3), .int(5)]) == .array([three, five]))
    #expect(try stored([.int(5), .null, .int8(3)]) == .array([five, .null, three]))
    #expect(try stored([.null, .int8(3), .int(5)]) == .array([.null, three, five]))
    let (bytes, _, payload) = try single([Part.int(5), .int8(3)])
    #expect(Array(bytes[payload..<ArchiveMap(bytes).body().upperBound]) == [0x11, 5, 3])
    #expect(
      try stored([.int(500), .int8(3)]) == .array([.signed(500, bitWidth: 16), three]))
    #expect(try stored([.int(5), .uint(5)]) == .array([five, .unsigned(5, bitWidth: 8)]))
  }

  // Holds.
  @Test func `Integers keep 64 bits as keys and members`() throws {
    let set = try single([1, 2] as Set<Int>).bytes
    #expect(
      try Archive(set).object(first).decode(DynamicValue.self, forKey: "v")
        == .set([.signed(1, bitWidth: 64), .signed(2, bitWidth: 64)]))
    let map = try single([1: 2] as [UInt: Int]).bytes
    #expect(
      try Archive(map).object(first).decode(DynamicValue.self, forKey: "v")
        == .dictionary([
          DynamicEntry(key: .unsigned(1, bitWidth: 64), value: .signed(2, bitWidth: 8))
        ]))
    #expect(try Archive(map).object(first).decode([UInt: Int].self, forKey: "v") == [1: 2])
  }

  @Test func `Integers are read as other types where they fit`() throws {
    let bytes = try single([300, -1]).bytes
    let object = try Archive(bytes).object(first)
    #expect(try object.decode([Int16].self, forKey: "v") == [300, -1])
    #expect(readError(bytes, [UInt].self)?.code == .valueOutOfRange)
    #expect(readError(bytes, [Int8].self)?.code == .valueOutOfRange)
    #expect(try object.decode([Double].self, forKey: "v") == [300, -1])
    #expect(readError(bytes, [String].self)?.code == .typeMismatch)
  }
}

/// A value that encodes itself as an `Int`.
private struct ArchivedNumber: ArchiveValue {
  var number: Int

  init(number: Int) {
    self.number = number
  }

  static var archiveTag: ArchiveTag { Int.archiveTag }

  func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    number.encode(to: &coder, at: place)
  }

  init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    number = try Int(from: coder)
  }
}

/// A value that encodes itself as one of several types.
private enum Part: ArchiveValue {
  case int(Int)
  case uint(UInt)
  case int8(Int8)
  case text(String)
  case null

  static var archiveTag: ArchiveTag { DynamicValue.archiveTag }

  func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .int(let value): value.encode(to: &coder, at: place)
    case .uint(let value): value.encode(to: &coder, at: place)
    case .int8(let value): value.encode(to: &coder, at: place)
    case .text(let value): value.encode(to: &coder, at: place)
    case .null: Int?.none.encode(to: &coder, at: place)
    }
  }

  init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    throw ArchiveError(.invalidValue, "a value that is only written")
  }
}
