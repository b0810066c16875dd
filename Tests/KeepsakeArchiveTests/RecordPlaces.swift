import KeepsakeArchive

/// Where the records of an archive lie, record 0 first, as its segments say (Spec/archive.md, 4.1).
func recordRanges(_ bytes: [UInt8]) -> [Range<Int>] {
  var ranges: [Range<Int>] = []
  var start = 64
  while number(in: bytes, at: start, byteCount: 4) == 0x6745_534B {
    let count = Int(number(in: bytes, at: start + 12, byteCount: 4))
    let length = Int(number(in: bytes, at: start + 40, byteCount: 8))
    let directory = start + 64 + (length + 7) / 8 * 8
    let ends = (0...count).map {
      start + 64 + Int(number(in: bytes, at: directory + 4 * $0, byteCount: 4))
    }
    ranges += zip(ends, ends.dropFirst()).map { $0..<$1 }
    start += Int(number(in: bytes, at: start + 48, byteCount: 8))
  }
  return ranges
}

/// An archive of objects behind one that makes them begin at a multiple of eight and so many bytes.
func archiveBytes(
  phase: Int, _ bodies: [(inout ObjectEncoder) -> Void]
) throws -> [UInt8] {
  func bytes(filling count: Int) throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "Filler") {
      $0.encode(ArchiveBytes(Array(repeating: 7, count: count)), forKey: "filler")
    }
    for body in bodies {
      try writer.writeObject(writer.nextObjectID, typeName: "Test") { body(&$0) }
    }
    return try writer.finish(root: first)
  }
  let begin = recordRanges(try bytes(filling: 0))[2].lowerBound
  return try bytes(filling: (phase - begin) & 7)
}

/// A nested record that a closure writes, and nothing reads.
struct WrittenRecord: ArchiveRecord {
  var body: (inout ObjectEncoder) -> Void

  init(_ body: @escaping (inout ObjectEncoder) -> Void) {
    self.body = body
  }

  func encode(with coder: inout ObjectEncoder) { body(&coder) }

  init(from decoder: borrowing ObjectDecoder) throws(ArchiveError) {
    throw ArchiveError(.invalidValue, "a record that is only written")
  }
}
