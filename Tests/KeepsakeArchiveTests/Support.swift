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

/// A value after it was written under a key and read back.
func roundTrip<Stored: ArchiveValue>(_ value: Stored) throws -> Stored {
  try archive { $0.encode(value, forKey: "value") }.object(first).decode(forKey: "value")
}

/// A value written as one type and read as another.
func convert<Stored: ArchiveValue, Read: ArchiveValue>(
  _ value: Stored, to type: Read.Type
) throws -> Read {
  try archive { $0.encode(value, forKey: "value") }.object(first).decode(type, forKey: "value")
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

/// Reads everything that an archive holds, without its types.
@discardableResult
func walk(_ archive: Archive) throws -> [DynamicRecord] {
  var records: [DynamicRecord] = []
  for number in 1...archive.objectCount {
    try records.append(archive.object(ArchiveObjectID(UInt32(number))).dynamicRecord())
  }
  return records
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

extension DynamicRecord {
  /// True when a value, or a part of one, is of an unknown kind.
  var hasUnknown: Bool { fields.contains { $0.value.isUnknown } }
}

extension DynamicValue {
  var isUnknown: Bool {
    switch self {
    case .unknown: true
    case .array(let values), .set(let values): values.contains { $0.isUnknown }
    case .dictionary(let entries): entries.contains { $0.value.isUnknown }
    case .record(let record), .enumeration(_, let record): record.hasUnknown
    default: false
    }
  }
}
