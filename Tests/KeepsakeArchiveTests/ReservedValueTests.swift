import KeepsakeArchive
import Testing

@Suite struct `Reserved values that are read` {
  private func bytes(_ reserved: ReservedValues) throws -> [UInt8] {
    try archiveBytes(reserved: reserved) { $0.encode(1, forKey: "v") }
  }

  @Test(arguments: [ArchiveTag.uint64, .double, .date])
  func `An idiom of another kind is refused`(tag: ArchiveTag) throws {
    let map = ArchiveMap(try bytes(ReservedValues(userInterfaceIdiom: 1)))
    let slot = try #require(map.shape(of: 0).slots.first)
    let changed = map.patchingTables(at: slot.row + 4, byteCount: 1, UInt64(tag.rawValue))
    let error = openError(changed)
    #expect(error?.code == .damaged)
    #expect(error?.offset == map.body(0).lowerBound)
    #expect(error?.message.contains("<userInterfaceIdiom> is stored as \(tag)") == true)
  }

  @Test func `A version that is nil is refused, and one that is empty is not`() throws {
    let map = ArchiveMap(try bytes(ReservedValues(bundleVersion: "1")))
    let slot = try #require(map.shape(of: 0).slots.first)
    // The byte of the payload becomes one of nil bits, with an empty payload after it.
    let start = map.body(0).lowerBound
    let nullable = map.patchingTables(at: slot.row + 5, byteCount: 1, 1)
    #expect(openError(patched(nullable, at: start, byteCount: 1, 1))?.code == .damaged)
    let empty = patched(nullable, at: start, byteCount: 1, 0)
    #expect(try Archive(empty).reserved.bundleVersion == "")
  }
}

@Suite struct `Members and keys that are read` {
  /// A set of the number 1 with nil bits, of which none is set.
  private func setWithNilBits() throws -> [UInt8] {
    let map = ArchiveMap(try single(Set<UInt8>([1])).bytes)
    let number = map.bytes[map.record(1).lowerBound]
    return map.replacingLastRecord(with: [number, 0x91, 0x19, 1, 0, 1])
  }

  @Test func `Members that could be nil are refused, and so is one that is`() throws {
    let without = try setWithNilBits()
    let with = patched(without, at: ArchiveMap(without).payload("v") + 3, byteCount: 1, 1)
    for bytes in [without, with] {
      #expect(readError(bytes, Set<UInt8?>.self)?.code == .damaged)
      #expect(readError(bytes, ArchivedValue.self)?.code == .damaged)
      #expect(verifyError(bytes)?.code == .damaged)
    }
  }

  @Test func `Members that are equal in Swift are told apart from keys that are taken`() throws {
    let error = archiveError { _ = try roundTrip([0.0: 1, -0.0.nextUp: 2]) }
    #expect(error == nil)
    let twice = archiveError {
      _ = try roundTrip(ArchivedValue.set([.bool(true), .bool(true)]))
    }
    #expect(twice?.code == .duplicateMember)
    #expect(twice?.description.contains("scope") == false)
  }
}

@Suite struct `Errors of the archive` {
  @Test func `A code is its stable name`() {
    #expect(ArchiveError.Code(rawValue: "absentKey") == .absentKey)
    #expect(ArchiveError.Code.nonCanonical.rawValue == "nonCanonical")
    #expect("\(ArchiveError.Code.damaged)" == "damaged")
    #expect(ArchiveError.Code(rawValue: "later").rawValue == "later")
  }

  @Test func `A value of an unknown kind asks for a later version`() throws {
    let unknown = ArchivedValue.unknown(ArchiveTag(rawValue: 20 << 3 | 3), bytes: [1, 2, 3, 4])
    let bytes = try archiveBytes { $0.encode(unknown, forKey: "v") }
    let error = readError(bytes, Int.self)
    #expect(error?.code == .unsupportedFeature)
    #expect(error?.description.contains("later version") == true)
  }

  @Test func `An empty type name asks for one`() throws {
    var writer = ArchiveWriter()
    let error = archiveError { try writer.writeObject(first, typeName: "") { _ in } }
    #expect(error?.code == .invalidTypeName)
    #expect(error?.description.contains("Give the type a stable name") == true)
  }

  @Test func `What cannot be read is damaged, what can be read is at most not canonical`() throws {
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
