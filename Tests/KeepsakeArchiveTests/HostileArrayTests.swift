import KeepsakeArchive
import Testing

/// Hostile inputs 36 to 38: the zero bytes around numbers, and the extents of arrays.
@Suite struct `Hostile arrays` {
  /// Arrays of numbers of different widths at a place that is not aligned.
  private func archives() throws -> [(bytes: [UInt8], alignment: Int)] {
    try [
      (single([Int8(1), 2]).bytes, 1), (single([Int16(1), 2, 3]).bytes, 2),
      (single([UInt32(1), 2, 3]).bytes, 4), (single([1.5]).bytes, 8),
      (single([UInt128(1)]).bytes, 8), (single([Int16(1), nil]).bytes, 2),
      (single([1.5, nil]).bytes, 8),
    ]
  }

  /// Hostile input 37.
  @Test func `Numbers that do not lie at a multiple of their width are refused`() throws {
    for (bytes, alignment) in try archives() {
      let payload = ArchiveMap(bytes).payload("v")
      let before = bytes[payload + 2]
      #expect((payload + 8 + Int(before)).isMultiple(of: alignment) && before < alignment)
      for wrong in 0..<256 as Range<UInt64> where wrong != before {
        let changed = patched(bytes, at: payload + 2, byteCount: 1, wrong)
        #expect(readError(changed, ArchivedValue.self)?.code == .damaged)
        #expect(readError(changed, ArchivedValue.self)?.keyPath == ["v"])
        #expect(verifyError(changed)?.code == .damaged)
      }
      let reserved = patched(bytes, at: payload + 3, byteCount: 1, 1)
      #expect(readError(reserved, ArchivedValue.self)?.code == .damaged)
    }
    let bytes = try single([1.5, 2.5]).bytes
    let changed = patched(bytes, at: ArchiveMap(bytes).payload("v") + 2, byteCount: 1, 0)
    #expect(readError(changed, [Double].self)?.code == .damaged)
    let object = try Archive(changed).object(first)
    #expect(
      archiveError { _ = try object.span(of: Double.self, forKey: "v").count }?.code == .damaged)
  }

  /// Hostile input 37.
  @Test func `What is not a number is not aligned`() throws {
    for value in [
      .array([.bool(true), .bool(false)]), .array([.string("a")]), .array([ValueVector.uuid]),
      .array([.reference(first)]), .array([.array([])]), .array([.null]), .set([.string("a")]),
    ] as [ArchivedValue] {
      let (bytes, _, payload) = try single(value)
      #expect(bytes[payload + 2] == 0)
      for offset in [2, 3] {
        let changed = patched(bytes, at: payload + offset, byteCount: 1, 1)
        #expect(readError(changed, ArchivedValue.self)?.code == .damaged)
        #expect(verifyError(changed)?.code == .damaged)
      }
    }
  }

  /// Hostile input 36.
  @Test(arguments: 0..<8)
  func `Bytes around numbers that are not zero are not canonical`(length: Int) throws {
    let bytes = try archiveBytes { coder in
      coder.encode(String(repeating: "x", count: length), forKey: "shifts what follows")
      coder.encode([1, 2], forKey: "v")
      coder.encode([1, nil], forKey: "with nil bits")
      coder.encode(Set([1, 2]), forKey: "set")
      coder.encode([1: 2.5], forKey: "dictionary")
      coder.encode([[UInt128(1)]], forKey: "inner")
      coder.encode("", forKey: "end")
    }
    let map = ArchiveMap(bytes)
    let keys = map.payload("dictionary") + 4
    let values = keys + map.word(keys - 4)
    let arrays = [
      map.payload("v")..<map.payload("with nil bits"),
      map.payload("with nil bits")..<map.payload("set"),
      map.payload("set")..<keys - 4, keys..<values, values..<map.payload("inner"),
      map.payload("inner") + 12..<map.payload("end"),
    ]
    for array in arrays {
      let before = map.arraySlots(array.lowerBound)
      let zeros =
        Array(array.lowerBound + 8..<before)
        + Array(array.upperBound - (7 - (before - array.lowerBound - 8))..<array.upperBound)
      #expect(zeros.count == 7)
      for offset in zeros {
        #expect(bytes[offset] == 0)
        let archive = try Archive(patched(bytes, at: offset, byteCount: 1, 1))
        #expect(archiveError { try archive.verify() }?.code == .nonCanonical, "byte \(offset)")
        #expect(try walk(archive) == walk(Archive(bytes)))
        #expect(throws: SpecificationReader.Breach.self) {
          try SpecificationReader.read(patched(bytes, at: offset, byteCount: 1, 1))
        }
      }
    }
  }

  /// Hostile inputs 37 and 38: arrays begin where numbers may be used in place, and end with them.
  @Test func `An array that is longer or shorter than its elements is refused`() throws {
    // The array has 15 bytes, and ends where its record does.
    let single = try single([Int16(1), 2, 3])
    let map = ArchiveMap(single.bytes)
    let record = Array(single.bytes[map.record(1)])
    #expect(record.count == 1 + 15)
    for length in [2, 8, 9, 14, 15] {
      let changed = map.replacingLastRecord(with: Array(record.prefix(length)))
      #expect(readError(changed, [Int16].self)?.code == .damaged)
      #expect(verifyError(changed)?.code == .damaged)
    }
    let longer = map.replacingLastRecord(with: record + [0])
    #expect(readError(longer, [Int16].self)?.code == .damaged)
    #expect(verifyError(longer)?.code == .damaged)
    // The bytes behind the array are those of a text: the array ends elsewhere, its record does not.
    for value in [
      .array([.signed(1, bitWidth: 16), .signed(2, bitWidth: 16)]), .array([]),
      .array([.double(1)]),
      .array([.signed(1, bitWidth: 8)]), .array([.float(1), .null]), .array([.string("a"), .null]),
      .array([.bool(true), .null, .string("")]), .set([.double(1), .double(2)]),
    ] as [ArchivedValue] {
      let bytes = try archiveBytes { coder in
        coder.encode("a text", forKey: "before")
        coder.encode(value, forKey: "v")
        coder.encode("a text", forKey: "behind")
      }
      let map = ArchiveMap(bytes)
      let end = Int(bytes[map.slot("v")])
      for difference in [-3, -2, -1, 1, 2, 3] where end + difference > 6 {
        let changed = map.patchingEnd(of: "v", end + difference)
        #expect(readError(changed, ArchivedValue.self)?.code == .damaged)
        #expect(verifyError(changed)?.code == .damaged)
        let before = try Archive(changed).object(first).decode(String.self, forKey: "before")
        #expect(before == "a text")
      }
    }
  }
}
