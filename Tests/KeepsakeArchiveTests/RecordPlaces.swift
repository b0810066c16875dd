import KeepsakeArchive

/// An archive of objects after a filler, which makes them begin `phase` bytes after a multiple of eight.
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
  let begin = ArchiveMap(try bytes(filling: 0)).record(2).lowerBound
  return try bytes(filling: (phase - begin) & 7)
}
