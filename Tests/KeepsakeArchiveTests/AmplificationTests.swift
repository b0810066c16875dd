import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Few bytes describe many values: 1,000 records have one shape with 65,535 slots that take no bit.
///
/// Such an archive has less than a megabyte, and reading its records would make 65 million values.
@Suite struct `Archives of few bytes and many values` {
  private static let recordCount = 1_000
  private static let slotCount = 65_535

  /// An archive whose slots all have an unknown kind, of width 0 by its tag; and the offset of the first of these
  /// tags in the tables of the footer.
  private func archive() throws -> (bytes: [UInt8], firstTag: Int) {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "Free") { coder in
      for slot in 0..<Self.slotCount { coder.encode(UInt8(0), forKey: ArchiveKey("\(slot)")) }
    }
    for number in 2...UInt32(Self.recordCount) {
      try writer.writeObject(ArchiveObjectID(number), typeName: "Free") { _ in }
    }
    let map = ArchiveMap(try writer.finish(root: first))
    let shape = map.shape(of: 1)
    var bytes = map.bytes
    // The other bodies are empty, as if their slots took nothing.
    for record in 2...Self.recordCount {
      bytes[map.shapePlace(of: record)] = bytes[map.shapePlace(of: 1)]
    }
    for slot in shape.slots { bytes[slot.row] = 20 << 3 }
    return (bytes, shape.slots[0].row)
  }

  @Test func `Slots that take no bit are refused before any record is read`() throws {
    let (bytes, firstTag) = try archive()
    #expect(bytes.count < 1_000_000)
    for error in [
      openError(bytes), archiveError { _ = try Archive(source: NotedSource(bytes)) },
    ] {
      #expect(error?.code == .damaged)
      #expect(error?.offset.map { firstTag..<firstTag + 16 ~= $0 } == true)
    }
    let stream = archiveError {
      var reader = try ArchiveStreamReader(PiecewiseSource(bytes))
      try reader.forEachObject { _ in }
    }
    #expect(stream?.code == .damaged)
  }

  @Test func `A value that takes no bit is not written`() throws {
    for tag in [20 << 3, 31 << 3] as [UInt8] {
      let free = DynamicValue.unknown(ArchiveTag(rawValue: tag), bytes: [])
      for value in [free, .array([free, .null])] {
        #expect(archiveError { _ = try archiveBytes { $0.encode(value, forKey: "v") } } != nil)
      }
    }
  }
}
