import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// An assembler takes values in any order and writes them in the order of their keys (Spec/archive.md, 9).
///
/// The bytes equal those of the same values written in that order.
@Suite struct `Values that are assembled` {
  private enum Keys {}

  /// A value under a key of a record.
  private enum Part {
    case word(UInt64, ArchiveTag)
    case wide(UInt64, UInt64, ArchiveTag)
    case text(String)
    /// A nil that is stored.
    case null
    /// A value that would be left out if it were nil.
    case maybe(UInt64, ArchiveTag)
    /// A value that is left out.
    case absent(ArchiveTag)

    /// The dynamic value for bytes, integers of 64 bits, texts and nils.
    var stored: DynamicValue {
      switch self {
      case .word(let bits, .uint8): .unsigned(bits, bitWidth: 8)
      case .word(let bits, _): .signed(Int64(bitPattern: bits), bitWidth: 64)
      case .text(let text): .string(text)
      default: .null
      }
    }
  }

  /// The bytes of an object with one value, which a body begins and fills.
  private func assembled(_ body: (SharedAssembler) throws -> Void) throws -> [UInt8] {
    let assembler = SharedAssembler()
    let writer = try assembler.writeObject(
      by: ArchiveWriter(), typeName: "Test", forKey: "value"
    ) {
      try body(assembler)
    }
    let bytes = try writer.finish(root: first)
    #expect(try Archive(bytes).verdict() == .canonical)
    #expect(throws: Never.self) { try SpecificationReader.read(bytes) }
    return bytes
  }

  /// The bytes of the same object, written by the dynamic view.
  private func written(_ value: DynamicValue) throws -> [UInt8] {
    try archiveBytes { $0.encode(value, forKey: "value") }
  }

  /// Begins a record.
  private func beginRecord(_ assembler: SharedAssembler) -> Int {
    let serial = assembler.value.begin()
    let isOpen = assembler.value.openKeyed(
      assembler.value.root(ofKeys: ObjectIdentifier(Keys.self)))
    #expect(isOpen)
    return serial
  }

  /// Begins a record, and puts values into it in the given order.
  private func fill(_ parts: [(String, Part)], by assembler: SharedAssembler) {
    let serial = beginRecord(assembler)
    for (key, part) in parts {
      let isPut =
        switch part {
        case .word(let bits, let tag): assembler.value.put(bits, tag, forKey: key, of: serial)
        case .wide(let low, let high, let tag):
          assembler.value.put(low, high: high, tag, forKey: key, of: serial)
        case .text(let text): assembler.value.put(text, .string, forKey: key, of: serial)
        case .null: assembler.value.put(0, .null, forKey: key, of: serial)
        case .maybe(let bits, let tag):
          assembler.value.put(bits, tag, forKey: key, of: serial, omitsNil: true)
        case .absent(let tag): assembler.value.putAbsent(tag, forKey: key, of: serial)
        }
      #expect(isPut, "\(key)")
    }
  }

  /// The record of these values, in the order of their keys.
  private func record(_ parts: [(String, Part)]) -> DynamicValue {
    let sorted = parts.sorted { $0.0 < $1.0 }
    return .record(
      DynamicRecord(fields: sorted.map { .init(key: ArchiveKey($0.0), value: $0.1.stored) }))
  }

  @Test func `Values after a nil are stored in the order of the keys`() throws {
    let bytes = try assembled {
      fill([("c", .text("cc")), ("b", .null), ("a", .word(7, .uint8)), ("d", .text("d"))], by: $0)
    }
    // The shape; a, the bit of b, the end of c; c and d.
    #expect(TinyArchive(bytes).record == hexBytes("00 | 07 01 02 | 6363 64"))
  }

  @Test func `The bytes are the same whatever the order in which values are put`() throws {
    let parts: [(String, Part)] = [
      ("a", .absent(.string)), ("b", .text("x")), ("c", .absent(.bytes)), ("d", .text("yz")),
      ("e", .absent(.uint64)), ("f", .maybe(7, .uint16)), ("g", .word(1, .bool)),
      ("h", .wide(1, 2, .int128)), ("i", .null),
    ]
    // The bits of a, c, e, f, g and i; e, f and h; the ends of a, b and c; b and d.
    let expected = hexBytes(
      "00 | 37 | 0000000000000000 0700 0100000000000000 0200000000000000 | 00 01 01 | 78 797a")
    for start in parts.indices {
      let turned = Array(parts[start...] + parts[..<start])
      #expect(try TinyArchive(assembled { fill(turned, by: $0) }).record == expected)
      let back = Array(turned.reversed())
      #expect(try TinyArchive(assembled { fill(back, by: $0) }).record == expected)
    }
  }

  @Test func `The shape says which values may be nil and which may be left out`() throws {
    let bytes = try assembled {
      fill([("c", .null), ("b", .maybe(7, .uint16)), ("a", .absent(.uint16))], by: $0)
    }
    let archive = TinyArchive(bytes)
    // The bits of a, b and c; a and b.
    #expect(archive.record == hexBytes("05 | 0000 0700"))
    // Type 0 with a, b and c; type 1 with the value, a record in its slot.
    #expect(
      archive.shapeTable
        == hexBytes("0000 0300 1a030000 1a130000 00210000 | 0100 0200 60300000 00000000"))
  }

  @Test func `A nested record is inline unless it may be left out`() throws {
    func body(omitsNil: Bool) throws -> String {
      let bytes = try assembled { assembler in
        let serial = beginRecord(assembler)
        fill([("x", .word(7, .uint8))], by: assembler)
        assembler.value.end(forKey: "in", omitsNil: omitsNil)
        let isPut = assembler.value.put(8, .uint8, forKey: "out", of: serial)
        #expect(isPut)
      }
      return TinyArchive(bytes).record
    }
    #expect(try body(omitsNil: false) == hexBytes("07 08"))
    // Shape 1: the bit of `in`, `out`; shape 0 and x.
    #expect(try body(omitsNil: true) == hexBytes("01 | 00 08 | 00 07"))
  }

  @Test func `A record has room for its slots, however many the record before it had`() throws {
    let rows: [[(String, Part)]] = [
      [("t", .text("a")), ("n", .word(1, .uint8))],
      [
        ("t", .text("bb")), ("m", .word(6, .int64)), ("l", .word(5, .int64)),
        ("n", .word(2, .uint8)),
      ],
      [("t", .text(""))], [("n", .word(3, .uint8)), ("t", .text("dddd"))],
      [("n", .word(4, .uint8)), ("t", .text("e"))],
      [("m", .null), ("t", .text("f")), ("l", .null), ("a", .text("g"))],
      [("z", .word(9, .int64)), ("y", .null), ("x", .text("h")), ("w", .text("i"))],
    ]
    // Each alone is the first record of its type, for which no room is reserved.
    for row in rows {
      #expect(try assembled { fill(row, by: $0) } == written(record(row)))
    }
    let bytes = try assembled { assembler in
      let serial = assembler.value.begin()
      let isOpen = assembler.value.openUnkeyed()
      #expect(isOpen)
      for (index, row) in rows.enumerated() {
        #expect(assembler.value.elementCount(of: serial) == index)
        fill(row, by: assembler)
        assembler.value.endElement()
      }
    }
    #expect(try bytes == written(.array(rows.map { record($0) })))
  }

  @Test(arguments: [1, 63, 64, 65, 200])
  func `A record may have any number of keys`(count: Int) throws {
    let parts: [(String, Part)] = (0..<count).map { number in
      let part = number % 5 == 0 ? Part.null : Part.word(UInt64(number), .int64)
      return ("key \(number * 37 % count)", number % 7 == 0 ? .text("text \(number)") : part)
    }
    #expect(try assembled { fill(parts, by: $0) } == written(record(parts)))
    let back = Array(parts.reversed())
    #expect(try assembled { fill(back, by: $0) } == written(record(parts)))
  }

  /// Integers without a width of their own share one in a record (Spec/archive.md, 5.1).
  @Test(arguments: [1 << 31 - 1, 1 << 31, -1 << 31, -1 << 31 - 1])
  func `Integers of a record have the width that all of them need`(number: Int) throws {
    let bits = UInt64(bitPattern: Int64(number))
    let parts: [(String, Part)] = [
      ("a", .word(UInt64(bitPattern: -1), Int.archiveTag)), ("b", .word(bits, Int.archiveTag)),
      ("c", .absent(UInt.archiveTag)), ("d", .word(5, UInt.archiveTag)), ("e", .text("end")),
    ]
    let record = WrittenRecord { coder in
      coder.encode(-1, forKey: "a")
      coder.encode(number, forKey: "b")
      coder.encodeIfPresent(nil as UInt?, forKey: "c")
      coder.encode(5 as UInt, forKey: "d")
      coder.encode("end", forKey: "e")
    }
    let expected = try archiveBytes { $0.encode(record, forKey: "value") }
    #expect(try assembled { fill(parts, by: $0) } == expected)
    let back = Array(parts.reversed())
    #expect(try assembled { fill(back, by: $0) } == expected)
  }

  @Test func `Sets and dictionaries may have members of every width`() throws {
    let identifier = try #require(ArchiveUUID(bytes: Array(1...16)))
    let half: [UInt8] = [0, 0, 0, 0, 0, 0, 0xF8, 0x3F]
    // In the order of their tags.
    let members: [(tag: ArchiveTag, bytes: [UInt8], value: DynamicValue)] = [
      (.bool, [1], .bool(true)), (.int8, [0xFF], .signed(-1, bitWidth: 8)),
      (.int16, [1, 2], .signed(0x0201, bitWidth: 16)),
      (.int32, [1, 2, 3, 4], .signed(0x0403_0201, bitWidth: 32)),
      (.int64, Array(1...8), .signed(0x0807_0605_0403_0201, bitWidth: 64)),
      (.int128, Array(1...16), .int128(0x100F_0E0D_0C0B_0A09_0807_0605_0403_0201)),
      (.uint8, [7], .unsigned(7, bitWidth: 8)), (.double, half, .double(1.5)),
      (.string, [0x78], .string("x")),
      (.date, half, .date(ArchiveDate(secondsSinceReferenceDate: 1.5))),
      (.uuid, Array(1...16), .uuid(identifier)),
    ]
    for chosen in members.map({ [$0] }) + [members] {
      let list = chosen.map { EncodedMember(tag: $0.tag, bytes: $0.bytes) }
      let set = try assembled { assembler in
        let isSet = assembler.value.set(members: .members(list), of: assembler.value.begin())
        #expect(isSet)
      }
      #expect(try set == written(.set(chosen.map { $0.value })))
      let dictionary = try assembled { assembler in
        let serial = assembler.value.begin()
        var results = [assembler.value.openDictionary(.members(list))]
        for number in list.indices {
          results.append(assembler.value.append(UInt64(number), .uint8, to: serial))
        }
        #expect(!results.contains(false))
      }
      let entries = chosen.enumerated().map { number, member in
        DynamicEntry(key: member.value, value: .unsigned(UInt64(number), bitWidth: 8))
      }
      #expect(try dictionary == written(.dictionary(entries)))
    }
  }

  @Test func `A nested value is begun under an unused key and refused under a used one`() throws {
    let long = "a key that is longer than sixteen bytes"
    _ = try assembled { assembler in
      let serial = beginRecord(assembler)
      func put(_ key: String) {
        let nested = assembler.value.beginNested(forKey: key, of: serial)
        #expect(nested != nil, "\(key)")
        let isSet = assembler.value.set(2, 0, .uint8, of: nested ?? 0)
        #expect(isSet, "\(key)")
      }
      for key in ["", long] { put(key) }
      // A copy of a long key has other storage.
      for key in ["", long, String(decoding: Array(long.utf8), as: UTF8.self)] {
        let nested = assembler.value.beginNested(forKey: key, of: serial)
        #expect(nested == nil, "\(key)")
      }
      put("other")
      // This ends the nested value.
      let isCurrent = assembler.value.isCurrent(serial)
      #expect(isCurrent)
    }
  }

  // Arrays in a record move with it when it is put in order, and again when the record around it ends.
  @Test(arguments: 0..<8)
  func `Numbers are aligned in a record whose values are put in order`(count: Int) throws {
    let bytes = [UInt8](repeating: 1, count: 300 + count)
    func put(_ assembler: SharedAssembler, _ key: String, _ body: (Int) -> Bool) {
      let serial = assembler.value.begin()
      let isSet = body(serial)
      #expect(isSet)
      assembler.value.end(forKey: key)
    }
    let encoded = try assembled { assembler in
      let outer = beginRecord(assembler)
      let inner = assembler.value.begin()
      let isOpen = assembler.value.openKeyed(
        assembler.value.root(ofKeys: ObjectIdentifier(Keys.self)))
      #expect(isOpen && inner != outer)
      put(assembler, "b") { assembler.value.set(bytes, of: $0) }
      put(assembler, "a") { assembler.value.set([1.5, 2.5], .double, of: $0) }
      assembler.value.end(forKey: "y")
      put(assembler, "x") { assembler.value.set(bytes, of: $0) }
    }
    let inner = DynamicRecord(fields: [
      .init(key: "a", value: .array([.double(1.5), .double(2.5)])),
      .init(key: "b", value: .bytes(bytes)),
    ])
    let expected = try written(
      .record(
        .init(fields: [
          .init(key: "x", value: .bytes(bytes)), .init(key: "y", value: .record(inner)),
        ])))
    let isSame = encoded == expected
    #expect(isSame)
  }

  @Test
  func `The assembler refuses to write into a value that is not open or is complete`() throws {
    let bytes = try assembled { assembler in
      let outer = beginRecord(assembler)
      let inner = assembler.value.begin()
      let isCurrent = [assembler.value.isCurrent(outer), assembler.value.isCurrent(inner)]
      #expect(isCurrent == [false, true] && assembler.value.serial == inner)
      var taken: [Bool] = []
      taken.append(assembler.value.put(1, .uint8, forKey: "a", of: outer))
      taken.append(assembler.value.put(1, high: 2, .int128, forKey: "a", of: outer))
      taken.append(assembler.value.put("x", .string, forKey: "a", of: outer))
      taken.append(assembler.value.putAbsent(.uint8, forKey: "a", of: outer))
      taken.append(assembler.value.append(1, .uint8, to: outer))
      taken.append(assembler.value.append("x", .string, to: outer))
      let isSet = assembler.value.set(7, 0, .uint8, of: inner)
      #expect(isSet)
      // The outer value is already open as a record, and the inner one already has its value.
      for serial in [outer, inner] {
        taken.append(assembler.value.set(1, 0, .uint8, of: serial))
        taken.append(assembler.value.set(1, 2, .int128, of: serial))
        taken.append(assembler.value.set("x", .string, of: serial))
        taken.append(assembler.value.set([1, 2] as [UInt8], of: serial))
        taken.append(assembler.value.set([1.5], .double, of: serial))
        taken.append(assembler.value.set(integers: [1], isSigned: true, of: serial))
        taken.append(assembler.value.set(["x"], of: serial))
        taken.append(assembler.value.set(members: .texts(["x"]), of: serial))
      }
      taken.append(
        assembler.value.openKeyed(assembler.value.root(ofKeys: ObjectIdentifier(Keys.self))))
      taken.append(assembler.value.openUnkeyed())
      taken.append(assembler.value.openDictionary(.texts([])))
      #expect(!taken.contains(true))
      assembler.value.end(forKey: "x")
      let isOpenAgain = assembler.value.put(8, .uint8, forKey: "y", of: outer)
      #expect(isOpenAgain)
    }
    #expect(TinyArchive(bytes).record == hexBytes("07 08"))
  }
}
