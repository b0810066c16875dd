import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `Reserved values that are read` {
  private func bytes(_ reserved: ReservedValues) throws -> [UInt8] {
    try archiveBytes(reserved: reserved) { $0.encode(1, forKey: "v") }
  }

  @Test(arguments: [ArchiveTag.uint64, .double, .date])
  func `An idiom of another kind is refused`(tag: ArchiveTag) throws {
    let original = try bytes(ReservedValues(userInterfaceIdiom: 1))
    let error = openError(patched(original, at: 21, byteCount: 1, UInt64(tag.rawValue)))
    #expect(error?.code == .damaged)
    #expect(error?.offset == 26)
    #expect(error?.message.contains("<userInterfaceIdiom> is stored as \(tag)") == true)
  }

  /// An archive whose archive values are these bytes.
  private func bytes(values: [UInt8]) throws -> [UInt8] {
    let original = try bytes(ReservedValues())
    var changed = original
    changed.insert(contentsOf: values, at: 20)
    changed = patched(changed, at: 16, byteCount: 4, UInt64(values.count))
    let map = ArchiveMap(original)
    let (row, tail) = (map.segmentDirectory + values.count, map.tail + values.count)
    changed = patched(changed, at: row, byteCount: 8, UInt64(20 + values.count))
    return patched(changed, at: tail + 16, byteCount: 8, UInt64(map.footer + values.count))
  }

  @Test func `Impossible archive values are refused wherever they are read`() throws {
    let version: [UInt8] = [1, 0x2E, 1, 0, 0, 0, 0x31]
    let wrong: [[UInt8]] = [
      version + version, [4, 0x2E, 0, 0, 0, 0] + version, [1, 0x36, 1, 0, 0, 0, 0x31],
      [1, 0x2E, 2, 0, 0, 0, 0x31], [1, 0x2E, 1, 0, 0, 0, 0xFF], [1, 0x2E, 0, 0, 0],
      [3, 0x3C, 7, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1], [9, 0x6E, 0, 0, 0, 0],
      [9, 0x53, 4, 0, 0, 0, 0, 0, 0, 0],
      [9, 0x0F, 1, 0, 0, 0, 1], [9, 0x90, 0, 0, 0, 0], [9, 0x00, 0, 0, 0, 0],
      [9, 0x13, 3, 0, 0, 0, 1, 2, 3],
    ]
    for values in wrong {
      let bytes = try bytes(values: values)
      let errors = [
        openError(bytes), archiveError { _ = try Archive(source: NotedSource(bytes)) },
        archiveError { _ = try ArchiveStreamReader(PiecewiseSource(bytes)) },
        archiveError { _ = try ReservedValues(ofArchive: bytes) },
        archiveError { _ = try ReservedValues(ofArchiveIn: NotedSource(bytes)) },
      ]
      #expect(
        errors.allSatisfy { $0?.code == .damaged || $0?.code == .invalidUTF8 }, "\(values)")
      #expect(Set(errors.map { $0?.offset }).count == 1, "\(values)")
      #expect(throws: SpecificationReader.Breach.self) { try SpecificationReader.read(bytes) }
    }
  }

  @Test func `A document keeps unknown archive values`() throws {
    let values: [UInt8] =
      [0, 0x19, 1, 0, 0, 0, 7, 1, 0x2E, 1, 0, 0, 0, 0x31, 5, 0xA6, 2, 0, 0, 0, 8, 9]
      + [255, 0x2E, 1, 0, 0, 0, 0xFF]
    let bytes = try bytes(values: values)
    let archive = try Archive(bytes)
    #expect(archive.reserved == ReservedValues(bundleVersion: "1"))
    #expect(try archive.verdict() == .canonical)
    #expect(try ArchiveDocument(archive).encoded() == bytes)
    var document = try ArchiveDocument(archive)
    document.reserved.bundleVersion = nil
    document.reserved.systemVersion = "x"
    let edited = Array(try document.encoded()[20..<20 + values.count])
    #expect(
      edited
        == [0, 0x19, 1, 0, 0, 0, 7, 4, 0x2E, 1, 0, 0, 0, 0x78, 5, 0xA6, 2, 0, 0, 0, 8, 9]
        + [255, 0x2E, 1, 0, 0, 0, 0xFF])
  }

  @Test func `Archive values are read from the beginning of an archive alone`() throws {
    let reserved = ReservedValues(
      bundleVersion: "11.0", userInterfaceIdiom: -1,
      timestamp: ArchiveDate(secondsSinceReferenceDate: 0.5), systemVersion: "")
    let bytes = try bytes(reserved)
    let end = ArchiveMap(bytes).valuesEnd
    #expect(try ReservedValues(ofArchive: bytes) == reserved)
    #expect(try ReservedValues(ofArchive: Array(bytes[..<end])) == reserved)
    let source = NotedSource(bytes, blockByteCount: 64)
    #expect(try ReservedValues(ofArchiveIn: source) == reserved)
    #expect(source.takeReads().allSatisfy { $0.upperBound <= (end + 63) / 64 * 64 })
    for count in 0..<end {
      let cut = Array(bytes[..<count])
      #expect(archiveError { _ = try ReservedValues(ofArchive: cut) }?.code == .truncated)
      let error = archiveError { _ = try ReservedValues(ofArchiveIn: NotedSource(cut)) }
      #expect(error?.code == .truncated)
    }
  }
}

@Suite struct `Members and keys that are read` {
  /// A set of the number 1 with nil bits, all of them zero.
  private func setWithNilBits() throws -> [UInt8] {
    let map = ArchiveMap(try single(Set<UInt8>([1])).bytes)
    return map.replacingLastRecord(with: [0x91, 0x19, 1, 0, 1])
  }

  @Test func `Members that could be nil are refused, and so is a nil member`() throws {
    let without = try setWithNilBits()
    let with = patched(without, at: ArchiveMap(without).payload("v") + 3, byteCount: 1, 1)
    for bytes in [without, with] {
      #expect(readError(bytes, Set<UInt8?>.self)?.code == .damaged)
      #expect(readError(bytes, DynamicValue.self)?.code == .damaged)
      #expect(verifyError(bytes)?.code == .damaged)
    }
  }

  /// a reader skips the values of a reserved form, but not the keys.
  @Test func `Keys are checked whatever the form of the values is`() throws {
    let (bytes, _, payload) = try single(["k": 7, "l": 8] as [String: UInt8])
    let keysEnd = payload + 1 + Int(bytes[payload])
    #expect(bytes[keysEnd - 1] == UInt8(ascii: "l"))
    let unknown = patched(bytes, at: keysEnd, byteCount: 1, 0x94)
    #expect(readError(unknown, DynamicValue.self) == nil && verifyError(unknown) == nil)
    #expect(try ArchiveDocument(Archive(unknown)).encoded() == unknown)
    let illFormed = patched(unknown, at: keysEnd - 1, byteCount: 1, 0xFF)
    let twice = patched(unknown, at: keysEnd - 1, byteCount: 1, UInt64(UInt8(ascii: "k")))
    for (changed, code) in [(illFormed, ArchiveError.Code.invalidUTF8), (twice, .damaged)] {
      for error in [
        readError(changed, DynamicValue.self), verifyError(changed),
        archiveError { _ = try ArchiveDocument(Archive(changed)).encoded() },
        archiveError { try Archive(changed).forEachObject { _ = try $0.dynamicRecord() } },
      ] {
        #expect(error?.code == code)
        #expect(error?.keyPath.first == "v")
      }
    }
  }

  @Test func `The error of a repeated member names no scope`() throws {
    let error = archiveError { _ = try roundTrip([0.0: 1, -0.0.nextUp: 2]) }
    #expect(error == nil)
    let twice = archiveError {
      _ = try roundTrip(DynamicValue.set([.bool(true), .bool(true)]))
    }
    #expect(twice?.code == .duplicateMember)
    #expect(twice?.description.contains("scope") == false)
  }
}

@Suite struct `Errors of the archive` {
  @Test func `The raw value of a code is its stable name`() {
    #expect(ArchiveError.Code(rawValue: "absentKey") == .absentKey)
    #expect(ArchiveError.Code.nonCanonical.rawValue == "nonCanonical")
    #expect("\(ArchiveError.Code.damaged)" == "damaged")
    #expect(ArchiveError.Code(rawValue: "later").rawValue == "later")
  }

  @Test func `The error of a value of an unknown kind asks for a later version`() throws {
    let unknown = DynamicValue.unknown(ArchiveTag(rawValue: 20 << 3 | 3), bytes: [1, 2, 3, 4])
    let bytes = try archiveBytes { $0.encode(unknown, forKey: "v") }
    let error = readError(bytes, Int.self)
    #expect(error?.code == .unsupportedFeature)
    #expect(error?.description.contains("later version") == true)
  }

  @Test func `An error for an empty type name asks for a name`() throws {
    var writer = ArchiveWriter()
    let error = archiveError { try writer.writeObject(first, typeName: "") { _ in } }
    #expect(error?.code == .invalidTypeName)
    #expect(error?.description.contains("Give the type a stable name") == true)
  }

  @Test func `Bytes that cannot be read are damaged, and others are only not canonical`() throws {
    let (flags, _, place) = try single([true])
    let none = patched(flags, at: place + 1, byteCount: 1, 0)
    #expect(readError(none, [Bool].self)?.code == .damaged)
    #expect(verifyError(none)?.code == .damaged)
    #expect(archiveError { _ = try Archive(none).verdict() }?.code == .damaged)
    let (array, _, payload) = try single([1, nil, 3] as [Int8?])
    let unused = patched(array, at: payload + 3, byteCount: 1, 0b1010)
    #expect(readError(unused, [Int8?].self) == nil)
    #expect(verifyError(unused)?.code == .nonCanonical)
  }
}
