import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

let first = ArchiveObjectID(1)
let second = ArchiveObjectID(2)

/// The bytes of an archive with one object.
func archiveBytes(
  reserved: ReservedValues = ReservedValues(), limits: ArchiveLimits = .init(),
  _ body: (inout ObjectEncoder) throws -> Void
) throws -> [UInt8] {
  var writer = ArchiveWriter(reserved: reserved, limits: limits)
  try writer.writeObject(first, typeName: "Test", body)
  return try writer.finish(root: first)
}

/// An archive with one object, verified.
func archive(_ body: (inout ObjectEncoder) throws -> Void) throws -> Archive {
  let archive = try Archive(archiveBytes(body))
  try archive.requireCanonical()
  return archive
}

/// The archive error of a body; nil if it throws none.
func archiveError(_ body: () throws -> Void) -> ArchiveError? {
  do {
    try body()
  } catch let error as ArchiveError {
    return error
  } catch {
    Issue.record("threw \(error), which is no ArchiveError")
  }
  return nil
}

/// Reads a little-endian number.
func number(in bytes: [UInt8], at offset: Int, byteCount: Int) -> UInt64 {
  (0..<byteCount).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
}

/// The bytes with a little-endian number written over.
func patched(_ bytes: [UInt8], at offset: Int, byteCount: Int, _ value: UInt64) -> [UInt8] {
  var bytes = bytes
  for index in 0..<byteCount {
    bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * index))
  }
  return bytes
}
