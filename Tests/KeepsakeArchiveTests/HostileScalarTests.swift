import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// Bytes that no value has.
///
/// Conversions and reserved bits are among the tests of values.
@Suite struct `Hostile scalars` {
  @Test func `Scalars that no writer makes are refused`() throws {
    let (link, linkSlot, _) = try single(ArchiveReference(nil))
    let wild = patched(link, at: linkSlot, byteCount: 4, 2)
    #expect(readError(wild, ArchiveReference.self)?.code == .damaged)
    let (flags, _, payload) = try single([true, nil])
    let three = patched(flags, at: payload + 5, byteCount: 1, 3)
    #expect(readError(three, [Bool?].self)?.keyPath == ["v"])
    #expect(readError(three, DynamicValue.self)?.code == .damaged)
    #expect(verifyError(three)?.code == .damaged)
  }

  @Test func `Bits that belong to no value are found by a full check`() throws {
    let (flag, slot, _) = try single(true)
    for (byte, value) in [(0b11, true), (0b10, false), (0x81, true)] as [(UInt64, Bool)] {
      let changed = patched(flag, at: slot, byteCount: 1, byte)
      #expect(try Archive(changed).object(first).decode(Bool.self, forKey: "v") == value)
      #expect(verifyError(changed)?.code == .nonCanonical && verifyError(changed)?.offset == slot)
    }
    // The byte has the nil bit and the bit of the truth value.
    let (none, place, _) = try single(nil as Bool?)
    let changed = patched(none, at: place, byteCount: 1, 0b11)
    #expect(try Archive(changed).object(first).decode(Bool?.self, forKey: "v") == nil)
    #expect(verifyError(changed)?.code == .nonCanonical)
  }

  /// A reader ignores the slot of a nil value, and a writer leaves it zero.
  @Test func `A nil with a stored value is read as nil, and a full check finds it`() throws {
    let (none, noneSlot, _) = try single(nil as Int64?)
    let number = patched(none, at: noneSlot, byteCount: 8, 1)
    #expect(try Archive(number).object(first).decode(Int?.self, forKey: "v") == nil)
    #expect(verifyError(number)?.code == .nonCanonical)

    for (bytes, byte) in try [
      nilBitOffset(5 as Int8?), nilBitOffset("text" as String?), nilBitOffset([1] as [Int]?),
      nilBitOffset(Route.home as Route?),
    ] {
      let changed = patched(bytes, at: byte, byteCount: 1, 1)
      #expect(try Archive(changed).object(first).decode(Int8?.self, forKey: "v") == nil)
      #expect(try Archive(changed).object(first).decode(DynamicValue.self, forKey: "v") == .null)
      #expect(verifyError(changed)?.code == .nonCanonical)
    }
    let (bytes, _, payload) = try single([1, nil, 3] as [Int8?])
    let bits = payload + 3
    #expect(bytes[bits] == 0b010)
    let changed = patched(bytes, at: bits, byteCount: 1, 0b011)
    #expect(try Archive(changed).object(first).decode([Int8?].self, forKey: "v") == [nil, nil, 3])
    #expect(verifyError(changed)?.code == .nonCanonical)
  }

  private func nilBitOffset(_ value: some ArchiveValue) throws -> ([UInt8], Int) {
    let bytes = try single(value).bytes
    return (bytes, ArchiveMap(bytes).nilByte("v"))
  }

  @Test func `Nil bits that belong to no slot or element are found by a full check`() throws {
    let (bytes, byte) = try nilBitOffset(5 as Int8?)
    #expect(verifyError(patched(bytes, at: byte, byteCount: 1, 0x80))?.code == .nonCanonical)
    let (array, _, payload) = try single([1, nil, 3] as [Int8?])
    let changed = patched(array, at: payload + 3, byteCount: 1, 0b1010)
    #expect(verifyError(changed)?.code == .nonCanonical)
    // Nil bits where nothing is nil.
    let none = patched(array, at: payload + 3, byteCount: 1, 0)
    #expect(verifyError(none)?.code == .nonCanonical)
  }

  @Test func `A case that the type does not have is a typed error`() throws {
    let value = DynamicValue.enumeration("elsewhere", .init())
    let error = archiveError { _ = try convert(value, to: Route.self) }
    #expect(error?.code == .invalidValue && error?.keyPath == ["value"])
    #expect(archiveError { _ = try convert(Route.home, to: Point.self) }?.code == .typeMismatch)
    #expect(
      archiveError { _ = try convert(Point(x: 1, y: 2), to: Route.self) }?.code == .typeMismatch)
  }

  @Test func `Dates that no calendar has are kept as they are`() throws {
    for seconds in [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.0] {
      let date = try roundTrip(ArchiveDate(secondsSinceReferenceDate: seconds))
      #expect(date.secondsSinceReferenceDate.bitPattern == seconds.bitPattern)
    }
  }

  @Test(arguments: [0xFF, 0xC0AF, 0xED_A080, 0x8080_90F4, 0xF5, 0x80, 0x20C3] as [UInt64])
  func `Strings that are not UTF-8 are refused and never repaired`(wrong: UInt64) throws {
    for (bytes, _, payload) in [
      try single("a string of some length"), try single(ArchiveURL("https://a.example/path")),
    ] {
      let changed = patched(bytes, at: payload, byteCount: 4, wrong)
      #expect(readError(changed, DynamicValue.self)?.code == .invalidUTF8)
      #expect(verifyError(changed)?.code == .invalidUTF8)
    }
    let (bytes, _, payload) = try single("a string of some length")
    #expect(
      readError(patched(bytes, at: payload, byteCount: 4, wrong), String.self)?.code == .invalidUTF8
    )
    // The last character is cut off.
    let cut = patched(bytes, at: payload + 22, byteCount: 1, 0xE3)
    #expect(readError(cut, String.self)?.code == .invalidUTF8)
    let names = try archiveBytes { $0.encode(1, forKey: "a key of some length") }
    let map = ArchiveMap(names)
    let name = map.keys[0].nameOffset
    #expect(openError(patched(names, at: name, byteCount: 4, wrong))?.code == .invalidUTF8)
    let type = map.types[0].nameOffset
    #expect(openError(patched(names, at: type, byteCount: 4, wrong))?.code == .invalidUTF8)
  }
}
