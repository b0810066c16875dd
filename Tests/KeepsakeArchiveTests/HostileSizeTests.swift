import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// archives that would take work or memory out of proportion to their bytes.
@Suite struct `Hostile sizes` {
  ///
  @Test func `Counts are checked against the bytes before anything is allocated`() throws {
    let bytes = try SmallArchives.values()
    let map = ArchiveMap(bytes)
    for field in [4, 8].map({ map.tail + $0 }) + (0..<5).map({ map.footer + 4 * $0 }) {
      for value in [UInt64(UInt32.max), 1 << 31, 1 << 19, 0] where map.word(field) != Int(value) {
        let error = openError(patched(bytes, at: field, byteCount: 4, value))
        #expect(error?.code == .damaged, "\(value) at \(field)")
      }
    }
    // The lengths of names and the numbers of words in the tables.
    for (offset, byteCount) in [
      (map.keyTable + 1, 1), (map.typeTable + 1, 1), (map.shapeTable + 2, 2),
    ] {
      let value = UInt64(1 << (8 * byteCount) - 1)
      #expect(openError(patched(bytes, at: offset, byteCount: byteCount, value))?.code == .damaged)
    }
    #expect(openError(patched(bytes, at: map.tail + 12, byteCount: 4, 0))?.code == .damaged)
    #expect(openError(patched(bytes, at: map.tail + 12, byteCount: 4, 2))?.code == .damaged)
  }

  @Test(arguments: [0, 4, 100, 255] as [UInt64])
  func `Impossible counts of arrays are refused`(count: UInt64) throws {
    for (bytes, place) in [
      (try single([1, nil, 3]), 2), (try single(["a", "b", "c"]), 1),
      (try single(DynamicValue.array([.null, .bool(true), .double(2)])), 1),
      (try single(Set(["a", "b", "c"])), 1),
    ].map({ ($0.0.bytes, $0.0.payload + $0.1) }) {
      #expect(bytes[place] == 3)
      let changed = patched(bytes, at: place, byteCount: 1, count)
      #expect(readError(changed, DynamicValue.self) != nil)
      #expect(readError(changed, [Int].self) != nil)
      #expect(verifyError(changed) != nil)
    }
    // A count of four bytes, in an array that is long enough for it.
    let long = try single([String](repeating: String(repeating: "x", count: 700), count: 100))
    for count in [UInt64(UInt32.max), 1 << 31, 1 << 20, 101, 99, 0] {
      let changed = patched(long.bytes, at: long.payload + 1, byteCount: 4, count)
      #expect(readError(changed, DynamicValue.self) != nil, "\(count)")
      #expect(verifyError(changed) != nil, "\(count)")
    }
  }

  ///
  @Test func `Impossible lengths of a dictionary are refused`() throws {
    let (bytes, _, payload) = try single(["a": 1, "b": 2])
    #expect(bytes[payload] == 5)
    for value in [0, 1, 4, 6, 22, 23, 100, 255] as [UInt64] {
      let changed = patched(bytes, at: payload, byteCount: 1, value)
      #expect(readError(changed, [String: Int].self) != nil, "\(value)")
      #expect(verifyError(changed) != nil, "\(value)")
    }
  }

  @Test func `A dictionary with fewer keys than values is refused at its start`() throws {
    let (bytes, _, payload) = try single(["a": 1, "b": 2])
    // One key of three bytes in place of two with an end: an array of strings states its count, one of integers does
    // not.
    let changed = patched(bytes, at: payload + 2, byteCount: 1, 1)
    for error in [readError(changed, [String: Int].self), verifyError(changed)] {
      #expect(error?.message == "a dictionary has not as many keys as values")
      #expect(error?.offset == payload)
    }
  }

  @Test func `Nested arrays that each claim all remaining bytes are refused`() throws {
    var value = DynamicValue.array([.bool(true)])
    for _ in 0..<40 { value = .array([value]) }
    let (bytes, _, payload) = try single(value)
    let end = ArchiveMap(bytes).record(1).upperBound
    var changed = bytes
    var count = 0
    for offset in stride(from: payload, to: end - 2, by: 2)
    where changed[offset] == ArchiveTag.array.rawValue {
      changed = patched(changed, at: offset + 1, byteCount: 1, UInt64(end - offset - 2))
      count += 1
    }
    #expect(count == 40)
    #expect(readError(changed, DynamicValue.self)?.code == .damaged)
    #expect(verifyError(changed)?.code == .damaged)
  }

  @Test func `Elements without a width are refused, and each nil takes a byte`() throws {
    let (bytes, _, payload) = try single([1, 2, 3])
    for tag in [0, 7, 0b11111_000, 0b00001_010] as [UInt64] {
      let changed = patched(bytes, at: payload, byteCount: 1, tag)
      #expect(readError(changed, DynamicValue.self)?.code == .damaged)
    }
    let small = try archiveBytes { $0.encode([Int?](repeating: nil, count: 10), forKey: "v") }
    let large = try archiveBytes { $0.encode([Int?](repeating: nil, count: 10_010), forKey: "v") }
    #expect(large.count - small.count >= 10_000)
  }

  @Test func `Each record without keys takes bytes for its end`() throws {
    let empty = DynamicValue.record(.init())
    let bytes = try archiveBytes { coder in
      coder.encode([DynamicValue](repeating: empty, count: 10_000), forKey: "v")
    }
    #expect(bytes.count >= 20_000)
  }

  @Test func `Records that overlap are refused`() throws {
    var writer = ArchiveWriter()
    func write(
      _ id: UInt32, to writer: inout ArchiveWriter, label: String, others: [ArchiveReference]
    ) throws {
      try writer.writeObject(.init(id), typeName: "Node") { coder in
        coder.withScope("Node") { coder in
          coder.encode(1, forKey: "number")
          coder.encode(label, forKey: "label")
          coder.encode(ArchiveReference(nil), forKey: "next")
          coder.encode(others, forKey: "others")
        }
      }
    }
    let odd = stride(from: 3 as UInt32, to: 99, by: 2)
    try write(1, to: &writer, label: "", others: odd.map { ArchiveReference(.init($0)) })
    for id in 2...100 as ClosedRange<UInt32> {
      try write(
        id, to: &writer, label: String(repeating: "x", count: id == 2 ? 20_000 : 8), others: [])
    }
    var bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    let (start, end) = (map.record(2).lowerBound, map.record(2).upperBound)
    // The even objects now end where object 2 begins, and the odd ones where it ends.
    for id in stride(from: 3, to: 99, by: 2) {
      for (number, place) in [(id - 1, start), (id, end)] {
        bytes = patched(
          bytes, at: map.directoryEntry(number), byteCount: 2,
          UInt64(place - map.segments[0].bodies))
      }
    }
    var registry = TypeRegistry()
    try registry.register(Node.self)
    let error = archiveError { _ = try Archive(bytes).decodeRoot(Node.self, registry: registry) }
    #expect(error?.code == .damaged)
    #expect(error?.message == "records overlap")
  }

  /// Each object has two references to the next one, sixty levels deep.
  @Test func `An object that many paths lead to is decoded once`() throws {
    let nodes = (0..<60).map { Node($0) }
    for (node, next) in zip(nodes, nodes.dropFirst()) { node.others = [next, next] }
    var registry = TypeRegistry()
    try registry.register(Node.self)
    let archive = try Archive(Archive.encode(nodes[0]))
    #expect(archive.objectCount == 60)
    try archive.requireCanonical()
    let root = try archive.decodeRoot(Node.self, registry: registry)
    #expect(root.others[0] === root.others[1])
    for node in nodes { node.others = [] }
    Node.release(root)
  }

  @Test func `Limits are checked when an archive is opened`() throws {
    let bytes = try SmallArchives.graph()
    for path in [
      \ArchiveLimits.byteCount, \.nestingDepth, \.nameByteCount, \.keyCount, \.typeCount,
      \.shapeCount, \.slotCount,
    ] {
      var limits = ArchiveLimits()
      limits[keyPath: path] = 0
      #expect(openError(bytes, limits: limits)?.code == .limitExceeded)
    }
  }

  @Test func `A record that is longer than the limit is refused by every reader`() throws {
    let bytes = try archiveBytes { $0.encode(String(repeating: "x", count: 500), forKey: "v") }
    let length = ArchiveMap(bytes).record(1).count
    for (limit, isAllowed) in [(length - 1, false), (length, true), (length + 1, true)] {
      var limits = ArchiveLimits()
      limits.recordByteCount = limit
      let expected: ArchiveError.Code? = isAllowed ? nil : .limitExceeded
      let archive = try Archive(bytes, limits: limits)
      let one = archiveError { _ = try archive.object(first) }
      #expect(one?.code == expected)
      #expect(one?.offset == (isAllowed ? nil : ArchiveMap(bytes).record(1).lowerBound))
      let all = archiveError { try archive.forEachObject { _ in } }
      #expect(all?.code == expected)
      #expect(all?.objectID == (isAllowed ? nil : first))
      #expect(archiveError { try archive.requireCanonical() }?.code == expected)
      let random = try Archive(source: NotedSource(bytes), limits: limits)
      #expect(archiveError { _ = try random.object(first) }?.code == expected)
      let forward = archiveError {
        _ = try Reading(forward: PiecewiseSource(bytes), limits: limits)
      }
      #expect(forward?.code == expected)
    }
  }

  @Test func `Keys that no record uses are not canonical`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { $0.encode(1, forKey: "used") }
    try writer.writeObject(second, typeName: "U") { $0.encode(2, forKey: "lost") }
    let bytes = try writer.finish(root: first)
    let map = ArchiveMap(bytes)
    let slot = try #require(map.shape(of: 2).slots.first)
    let word = UInt64(map.word(slot.row) & 0xFFF)
    let changed = patched(bytes, at: slot.row, byteCount: 4, word)
    #expect(verifyError(changed)?.code == .nonCanonical)
    #expect(try Archive(changed).object(second).decode(Int.self, forKey: "used") == 2)
  }

  @Test func `A record of 10,000 keys is written and read`() throws {
    let count = 10_000
    let archive = try archive { coder in
      for index in 0..<count { coder.encode(UInt8(index & 255), forKey: ArchiveKey("\(index)")) }
    }
    let object = try archive.object(first)
    for index in stride(from: 0, to: count, by: 97) {
      #expect(try object.decode(Int.self, forKey: ArchiveKey("\(index)")) == index & 255)
    }
    #expect(object.contains("none") == false)
  }

  @Test func `A value can be read again and again`() throws {
    let object = try archive { $0.encode(["a", "b"], forKey: "v") }.object(first)
    for _ in 0..<10_000 {
      #expect(try object.decode([String].self, forKey: "v").count == 2)
    }
  }
}
