import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// the zero bytes around numbers, and the extents of arrays.
@Suite struct `Hostile arrays` {
  /// Arrays with enough numbers, of each width, to be aligned.
  private func archives() throws -> [(bytes: [UInt8], alignment: Int)] {
    try [
      (single((0..<128).map { Int16($0) }).bytes, 2),
      (single((0..<64).map { UInt32($0) }).bytes, 4),
      (single((0..<32).map { Double($0) }).bytes, 8),
      (single((0..<16).map { UInt128($0) }).bytes, 8),
    ]
  }

  @Test func `Numbers that are not aligned are read, but are not canonical`()
    throws
  {
    for (bytes, alignment) in try archives() {
      let payload = ArchiveMap(bytes).payload("v")
      let before = bytes[payload + 2]
      #expect(bytes[payload] == 0x92)
      #expect((payload + 3 + Int(before)).isMultiple(of: alignment) && before < alignment)
      for wrong in 0..<256 as Range<UInt64> where wrong != before {
        let changed = patched(bytes, at: payload + 2, byteCount: 1, wrong)
        let isRead = wrong < alignment
        #expect(readError(changed, DynamicValue.self)?.code == (isRead ? nil : .damaged))
        #expect(verifyError(changed)?.code == (isRead ? .nonCanonical : .damaged))
      }
    }
    let numbers = (0..<32).map { Double($0) }
    let bytes = try single(numbers).bytes
    let payload = ArchiveMap(bytes).payload("v")
    // The numbers move one byte to the front or to the back, with the zero bytes around them.
    let before = bytes[payload + 2]
    let other: UInt8 = before == 0 ? 1 : before - 1
    var changed = bytes
    changed[payload + 2] = other
    let slots = Array(bytes[(payload + 3 + Int(before))...].prefix(256))
    let zeros = [UInt8](repeating: 0, count: 7)
    changed.replaceSubrange(
      payload + 3..<payload + 3 + 256 + 7,
      with: zeros.prefix(Int(other)) + slots + zeros.prefix(7 - Int(other)))
    let object = try Archive(changed).object(first)
    #expect(try object.decode([Double].self, forKey: "v") == numbers)
    #expect(try object.borrowedNumbers(of: Double.self, forKey: "v") == numbers)
    #expect(verifyError(changed)?.code == .nonCanonical)
  }

  /// Numbers of less than 256 bytes follow their tag.
  @Test func `Numbers wider than a byte are aligned if they take at least 256 bytes`() throws {
    for count in [1, 31, 32, 33] {
      let bytes = try single((0..<count).map { Double($0) }).bytes
      #expect(bytes[ArchiveMap(bytes).payload("v")] == (count < 32 ? 0x24 : 0x92))
      try Archive(bytes).requireCanonical()
    }
    let bytes = try single([UInt8](repeating: 7, count: 300)).bytes
    #expect(bytes[ArchiveMap(bytes).payload("v")] == 0x19)
    // A small array is stored here in the form of a large one.
    let small = ArchiveMap(try single([1.5, 2]).bytes)
    let aligned = small.replacingLastRecord(
      with: [0x92, 0x24, 0] + small.bytes[small.record(1)].dropFirst()
        + [UInt8](repeating: 0, count: 7))
    #expect(try Archive(aligned).object(first).decode([Double].self, forKey: "v") == [1.5, 2])
    #expect(verifyError(aligned)?.code == .nonCanonical)
    #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(aligned) }
  }

  @Test(arguments: 0..<8)
  func `An archive with nonzero bytes around its numbers is not canonical`(length: Int) throws {
    let bytes = try archiveBytes { coder in
      coder.encode(String(repeating: "x", count: length), forKey: "shifts what follows")
      coder.encode((0..<40).map { Int64($0) }, forKey: "v")
      coder.encode(Set((0..<40).map { UInt64($0) }), forKey: "set")
      coder.encode([(0..<20).map { UInt128($0) }], forKey: "inner")
      coder.encode("", forKey: "end")
    }
    let map = ArchiveMap(bytes)
    let arrays = [
      map.payload("v")..<map.payload("set"), map.payload("set")..<map.payload("inner"),
      // The inner array starts after the tag and the number of elements, which has two bytes.
      map.payload("inner") + 3..<map.payload("end"),
    ]
    for array in arrays {
      let before = map.arraySlots(array.lowerBound)
      let zeros =
        Array(array.lowerBound + 3..<before)
        + Array(array.upperBound - (7 - (before - array.lowerBound - 3))..<array.upperBound)
      #expect(zeros.count == 7)
      for offset in zeros {
        #expect(bytes[offset] == 0)
        let archive = try Archive(patched(bytes, at: offset, byteCount: 1, 1))
        #expect(
          archiveError { try archive.requireCanonical() }?.code == .nonCanonical, "byte \(offset)")
        #expect(try walk(archive) == walk(Archive(bytes)))
        #expect(throws: SpecificationReader.Breach.self) {
          try SpecificationReader.read(patched(bytes, at: offset, byteCount: 1, 1))
        }
      }
    }
  }

  /// An element may end where the array does, if only empty ones follow it.
  @Test func `An error names the first end that is after the end of the array`() throws {
    let (bytes, _, payload) = try single(["ab", "c", "d", "e"])
    // After the tag and the number of elements, and before five bytes of text.
    let ends = payload + 2..<payload + 5
    #expect(Array(bytes[ends]) == [2, 3, 4])
    var changed = bytes
    changed.replaceSubrange(ends, with: [5, 5, 5])
    #expect(readError(changed, [String].self) == nil)
    changed.replaceSubrange(ends, with: [5, 6, 6])
    for error in [
      readError(changed, [String].self), readError(changed, DynamicValue.self),
      verifyError(changed),
    ] {
      #expect(error?.code == .damaged)
      #expect(error?.offset == payload + 3)
    }
  }

  ///
  @Test func `An array that is longer or shorter than its elements is refused`() throws {
    // The array has 7 bytes, and ends where its record does.
    let single = try single([Int16(1), 2, 3])
    let map = ArchiveMap(single.bytes)
    let record = Array(single.bytes[map.record(1)])
    #expect(record.count == 7)
    for length in [1, 2, 3, 4, 5, 6] {
      let changed = map.replacingLastRecord(with: Array(record.prefix(length)))
      #expect(
        readError(changed, [Int16].self)?.code == (length % 2 == 1 && length > 1 ? nil : .damaged))
    }
    let longer = map.replacingLastRecord(with: record + [0])
    #expect(readError(longer, [Int16].self)?.code == .damaged)
    #expect(verifyError(longer)?.code == .damaged)
    // The bytes after the array are those of a text. The end of the array changes; that of the record does not.
    for value in [
      .array([.signed(1, bitWidth: 16), .signed(2, bitWidth: 16)]), .array([]),
      .array([.double(1)]),
      .array([.signed(1, bitWidth: 8)]), .array([.float(1), .null]), .array([.string("a"), .null]),
      .array([.bool(true), .null, .string("")]), .set([.double(1), .double(2)]),
    ] as [DynamicValue] {
      let bytes = try archiveBytes { coder in
        coder.encode("a text", forKey: "before")
        coder.encode(value, forKey: "v")
        coder.encode("a text", forKey: "behind")
      }
      let map = ArchiveMap(bytes)
      let end = Int(bytes[map.slot("v")])
      for difference in [-3, -2, -1, 1, 2, 3] where end + difference > 6 {
        let changed = map.patchingEnd(of: "v", end + difference)
        // A difference of whole elements makes another array, which can be read.
        let read = try? Archive(changed).object(first).dynamicRecord()
        #expect(try read != Archive(bytes).object(first).dynamicRecord())
        let before = try Archive(changed).object(first).decode(String.self, forKey: "before")
        #expect(before == "a text")
      }
    }
  }
}
