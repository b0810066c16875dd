import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// The forms of arrays, in bytes that a writer makes and in bytes that it never makes (Spec/archive.md, 5.5).
@Suite struct `Forms of arrays` {
  /// An archive with a shape 0 of a string, a shape 1 of one byte, and a last record whose only payload is
  /// what a test puts there.
  private func archive(_ payload: [UInt8]) throws -> [UInt8] {
    let bytes = try archiveBytes { coder in
      coder.encode([WrittenRecord { $0.encode("a", forKey: "text") }], forKey: "texts")
      coder.encode([WrittenRecord { $0.encode(UInt8(1), forKey: "byte") }], forKey: "numbers")
      coder.encode([UInt8]([]), forKey: "v")
    }
    let map = ArchiveMap(bytes)
    let record = Array(bytes[map.record(1)])
    return map.replacingLastRecord(with: record + payload)
  }

  private func elements(_ payload: [UInt8]) throws -> [DynamicValue] {
    let value = try Archive(archive(payload)).object(first).decode(DynamicValue.self, forKey: "v")
    guard case .array(let elements) = value else { return [] }
    return Array(elements)
  }

  private func byte(_ number: UInt64) -> DynamicValue {
    .record(.init(fields: [.init(key: "byte", value: .unsigned(number, bitWidth: 8))]))
  }

  @Test func `Arrays of every form are read`() throws {
    #expect(try elements([0x60, 1, 7, 8]) == [byte(7), byte(8)])
    #expect(try elements([0x66, 1, 2, 1, 7, 8]) == [byte(7), byte(8)])
    #expect(try elements([0x90, 2, 0x66, 0x66, 2, 1, 7, 1, 8]) == [byte(7), byte(8)])
    #expect(try elements([0x0F, 0b101]) == [.bool(true), .bool(false)])
    #expect(
      try elements([0x93, 0x19, 1, 7, 8])
        == [.array([.unsigned(7, bitWidth: 8)]), .array([.unsigned(8, bitWidth: 8)])])
    #expect(try elements([0x52, 1, 0]) == [.reference(first)])
  }

  /// Each array can be read, but a writer would choose another form.
  @Test(
    arguments: [
      [0x66, 1, 2, 1, 7, 8], [0x60, 254, 1, 0, 7], [0x90, 2, 0x66, 0x66, 2, 1, 7, 1, 8],
      [0x93, 0x19, 1, 7], [0x6E, 2, 2, 0x19, 7, 0x19, 8], [0x52, 1, 0], [0x53, 1, 0, 0, 0],
      [0x91, 0x52, 2, 1, 0, 0, 1, 0], [0x91, 0x19, 2, 0, 1, 1], [0x91, 0x19, 2, 3, 0, 0],
      [0x91, 0x19, 2, 5, 0, 1], [0x90, 1, 0x0F, 1],
    ] as [[UInt8]])
  func `An array in another form than a writer chooses is not canonical`(_ payload: [UInt8]) throws
  {
    let bytes = try archive(payload)
    #expect(verifyError(bytes)?.code == .nonCanonical)
    #expect(readError(bytes, DynamicValue.self) == nil)
    #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(bytes) }
    let document = try ArchiveDocument(Archive(bytes)).encoded()
    #expect(try Archive(document).verdict() == .canonical)
  }

  /// Each array has an impossible extent, tag or number.
  @Test(
    arguments: [
      // Cells: no number of a shape, an unknown one, a shape without a fixed width, a record as a case, no bodies.
      [0x60], [0x60, 99, 1], [0x60, 0, 1, 1], [0x80, 1, 7], [0x60, 1], [0x60, 254, 2],
      // Bodies: an impossible shape, count or end.
      [0x66, 99, 1], [0x86, 0, 1, 97], [0x66, 0], [0x66, 0, 0], [0x66, 0, 2, 3, 97],
      [0x66, 0, 3, 2, 1, 97, 97], [0x66, 1, 2, 2, 7, 8],
      // Bits: no bits at all, and no bit that marks the end.
      [0x0F], [0x0F, 0], [0x0F, 1], [0x0F, 5, 0],
      // Rows: no length, one that does not divide the bytes, tags that have no rows.
      [0x93], [0x93, 0x19], [0x93, 0x19, 1], [0x93, 0x19, 0, 7], [0x93, 0x1A, 1, 7, 8, 9],
      [0x93, 0x53, 1, 1, 0, 0, 0], [0x93, 0x51, 1, 1], [0x93, 0x0F, 1, 3], [0x93, 0x2E, 1, 97],
      [0x93, 0x00, 1, 7],
      // Nil bits of elements that have none.
      [0x91, 0x0F, 1, 1, 0], [0x91, 0x2E, 1, 1], [0x91, 0x60, 1, 1, 7],
      // References of an impossible width, and to no object.
      [0x54, 1, 0, 0, 0, 0, 0, 0, 0], [0x51, 2], [0x52, 0, 1], [0x52, 1],
      // Among several tags: cells, narrow references, a truth value of 2.
      [0x90, 1, 0x60, 1, 7], [0x90, 1, 0x51, 1], [0x90, 1, 0x0F, 2], [0x90, 2, 0, 0x66, 0, 99],
    ] as [[UInt8]])
  func `An array that breaks the rules of its form is refused`(_ payload: [UInt8]) throws {
    let bytes = try archive(payload)
    #expect(verifyError(bytes)?.code == .damaged)
    #expect(readError(bytes, DynamicValue.self)?.code == .damaged)
    #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(bytes) }
    readEverything(bytes)
  }

  /// A nested record may not have the shape of an object with a template.
  @Test func `An array of records with reserved keys is refused`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T", template: "x") {
      $0.encode([UInt8](), forKey: "v")
    }
    let map = ArchiveMap(try writer.finish(root: first))
    let own = UInt8(map.shapes.count - 1)
    // The end of the template, the template, and an array of one record like the object.
    let bytes = map.replacingLastRecord(with: [1, 0x78, 0x66, own, 1, 1, 0x78])
    #expect(verifyError(bytes)?.code == .damaged)
    #expect(readError(bytes, DynamicValue.self)?.code == .damaged)
  }

  @Test func `Arrays are stored as rows only below 256 bytes`() throws {
    for (count, form) in [(254, 0x93), (255, 0x93), (256, 0x6E)] as [(Int, UInt8)] {
      let row = [UInt8](repeating: 1, count: count)
      let (bytes, _, payload) = try single([row, row])
      #expect(bytes[payload] == form)
      #expect(try Archive(bytes).object(first).decode([[UInt8]].self, forKey: "v") == [row, row])
      #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
    }
    let row = [UInt8](repeating: 1, count: 128)
    let (bytes, _, payload) = try single([row, row, row, row])
    #expect(verifyError(patched(bytes, at: payload + 2, byteCount: 2, 256))?.code == .damaged)
    #expect(verifyError(patched(bytes, at: payload + 2, byteCount: 2, 64)) == nil)
  }

  /// A few rows are read one by one, many at once, and rows of another width with conversions.
  @Test func `Rows are read as the arrays that were written`() throws {
    func check<Number: ArchiveValue & Numeric & Equatable>(_ type: Number.Type) throws {
      for length in [1, 2, 3, 4, 20] {
        for count in [2, 8, 9, 100] {
          let numbers: [[Number]] = (0..<count).map { row in
            (0..<length).compactMap { Number(exactly: (row * length + $0) % 120) }
          }
          let (bytes, _, payload) = try single(numbers)
          #expect(bytes[payload] == 0x93)
          let object = try Archive(bytes).object(first)
          #expect(try object.decode([[Number]].self, forKey: "v") == numbers)
          let wide = numbers.map { $0.map { "\($0)" } }
          if Number.self is any BinaryInteger.Type {
            let integers = try object.decode([[Int128]].self, forKey: "v")
            #expect(integers.map { $0.map { "\($0)" } } == wide)
          }
        }
      }
    }
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(Float.self)
    try check(Double.self)
    try check(Int.self)
  }

  /// The object, the array and its rows are three levels.
  @Test(arguments: [2, 100]) func `Rows count as a level of nesting`(count: Int) throws {
    let numbers = [[Double]](repeating: [1, 2], count: count)
    let bytes = try single(numbers).bytes
    var limits = ArchiveLimits()
    limits.nestingDepth = 3
    let deep = try Archive(bytes, limits: limits).object(first)
    #expect(try deep.decode([[Double]].self, forKey: "v") == numbers)
    limits.nestingDepth = 2
    let flat = try Archive(bytes, limits: limits).object(first)
    let error = archiveError { _ = try flat.decode([[Double]].self, forKey: "v") }
    #expect(error?.code == .limitExceeded)
    #expect(error?.keyPath == ["v", "[0]"])
  }

  /// A record of 65,535 bytes is a cell, and one of 65,536 bytes is not.
  @Test func `Cells are up to 65,535 bytes wide`() throws {
    for (count, form) in [(4_095, 0x60), (4_096, 0x66)] as [(Int, UInt8)] {
      let record = WrittenRecord { coder in
        for key in 0..<count { coder.encode(Int128(key), forKey: ArchiveKey("\(key)")) }
        for key in 0..<15 where count == 4_095 {
          coder.encode(UInt8(key), forKey: ArchiveKey("b\(key)"))
        }
      }
      let (bytes, _, payload) = try single([record, record])
      #expect(bytes[payload] == form)
      #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
      #expect(try Archive(bytes).verdict() == .canonical)
    }
  }

  // Holds.
  @Test func `References in an array are as narrow as the largest of them allows`() throws {
    for (number, width) in [(255, 1), (256, 2), (65_535, 2), (65_536, 4)] as [(UInt32, UInt8)] {
      var writer = ArchiveWriter()
      for id in 1...65_536 as ClosedRange<UInt32> {
        try writer.writeObject(ArchiveObjectID(id), typeName: "T") { coder in
          if id > 1 { return }
          coder.encode([ArchiveReference(nil), ArchiveReference(.init(number))], forKey: "v")
          coder.encode([nil, ArchiveReference(.init(number))], forKey: "w")
        }
      }
      let bytes = try writer.finish(root: first)
      let map = ArchiveMap(bytes)
      let tag = 0x50 + [1: 1, 2: 2, 4: 3][width, default: 0] as UInt8
      #expect(bytes[map.payload("v")] == tag && bytes[map.payload("w") + 1] == tag)
      let object = try Archive(bytes).object(first)
      let references = try object.decode([ArchiveReference?].self, forKey: "w")
      #expect(references == [nil, ArchiveReference(.init(number))])
      #expect(verifyError(bytes) == nil)
    }
  }

  @Test(arguments: [1, 2, 7, 8, 9, 15, 16, 17])
  func `An array of bits takes one bit for each element and one for the end`(_ count: Int) throws {
    let flags = (0..<count).map { $0 % 3 == 0 }
    let (bytes, _, payload) = try single(flags)
    #expect(ArchiveMap(bytes).record(1).upperBound - payload == 2 + count / 8)
    #expect(try Archive(bytes).object(first).decode([Bool].self, forKey: "v") == flags)
  }

  @Test func `A reserved form is skipped and written again as it was`() throws {
    let bytes = try archive([0x95, 1, 2, 3])
    let archive = try Archive(bytes)
    #expect(try archive.verdict() == .canonicalWithUnknownKinds)
    let value = try archive.object(first).decode(DynamicValue.self, forKey: "v")
    #expect(value == .unknown(.array, bytes: [0x95, 1, 2, 3]))
    #expect(readError(bytes, [Int].self)?.code == .unsupportedFeature)
    #expect(try ArchiveDocument(archive).encoded() == bytes)
  }

  @Test func `An array of records changes its form when a late element has another shape`() throws {
    let cell = byte(7)
    let wide = DynamicValue.record(.init(fields: [.init(key: "n", value: .string("text"))]))
    let other = DynamicValue.record(.init(fields: [.init(key: "m", value: .double(1))]))
    let numbers = DynamicValue.record(
      .init(fields: [.init(key: "n", value: .array(Array(repeating: .double(1), count: 40)))]))
    for elements in [
      [cell, cell, wide], [wide, wide, cell], [cell, other], [wide, .null, wide], [cell, .null],
      [.null, cell], [cell, .bool(true)], [.bool(true), cell], [numbers, numbers, cell],
      [numbers, numbers], [cell, numbers, other, wide],
    ] {
      let bytes = try archiveBytes { $0.encode(DynamicValue.array(elements), forKey: "v") }
      let archive = try Archive(bytes)
      #expect(try archive.verdict() == .canonical)
      #expect(try archive.object(first).decode(DynamicValue.self, forKey: "v") == .array(elements))
      #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
    }
  }
}
