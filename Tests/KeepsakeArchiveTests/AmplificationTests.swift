import KeepsakeArchive
import Testing

/// Few bytes that stand for many values: 1,000 records of one shape with 65,536 slots that take no bit.
@Suite struct `Amplification` {
  private static let recordCount = 1_000
  private static let slotCount = 65_536

  /// The archive, of less than four megabytes: its records would make 65 million values.
  private static let bytes = Result { try make() }

  private static func make() throws -> [UInt8] {
    var writer = ArchiveWriter()
    let free = ArchivedValue.unknown(ArchiveTag(rawValue: 20 << 3), bytes: [])
    try writer.writeObject(first, typeName: "Free") { coder in
      for slot in 0..<slotCount { coder.encode(free, forKey: ArchiveKey("\(slot)")) }
    }
    for number in 2...UInt32(recordCount) {
      try writer.writeObject(ArchiveObjectID(number), typeName: "Free") { _ in }
    }
    var bytes = try writer.finish(root: first)
    // A record without slots is as long as one whose slots take nothing: its head can name that shape.
    let map = ArchiveMap(bytes)
    let head = number(in: bytes, at: map.record(1).lowerBound, byteCount: 4)
    for number in 2...recordCount {
      bytes = patched(bytes, at: map.record(number).lowerBound, byteCount: 4, head)
    }
    return bytes
  }

  @Test func `Whatever reads records whole refuses the first of them`() throws {
    let bytes = try Amplification.bytes.get()
    #expect(bytes.count < 4_000_000)
    let archive = try Archive(bytes)
    var visited = 0
    let errors = [
      archiveError { try archive.verify() },
      archiveError { _ = try archive.verdict() },
      archiveError {
        try archive.forEachObject { object in
          visited += 1
          _ = try object.dynamicRecord()
        }
      },
      archiveError { _ = try ArchiveDocument(archive).encoded() },
      archiveError { _ = try ArchiveDocument(archive).referenceCounts() },
      archiveError {
        var reader = try ArchiveStreamReader(ArchiveMemorySource(bytes))
        try reader.forEachObject { object in _ = try object.dynamicRecord() }
      },
    ]
    for error in errors { #expect(error?.code == .limitExceeded) }
    #expect(errors[0]?.objectID == first && errors[2]?.objectID == first)
    #expect(visited == 1)
  }

  @Test func `What a type asks for is all that reading makes`() throws {
    let archive = try Archive(Amplification.bytes.get())
    var found = 0
    try archive.forEachObject { object in if object.contains("65535") { found += 1 } }
    #expect(found == Amplification.recordCount)
  }
}
