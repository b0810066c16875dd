import KeepsakeArchive

/// Archives with one object for each element of a list.
enum Records {
  static func archive<Record: ArchiveRecord>(
    _ records: [Record], typeName: String, bundleVersion: String? = nil
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: bundleVersion))
    var number: UInt32 = 1
    for record in records {
      try writer.writeObject(ArchiveObjectID(number), typeName: typeName) {
        record.encode(with: &$0)
      }
      number += 1
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }

  static func unarchive<Record: ArchiveRecord>(_ bytes: [UInt8]) throws -> [Record] {
    let archive = try Archive(bytes)
    var records: [Record] = []
    records.reserveCapacity(archive.objectCount)
    try archive.forEachObject { records.append(try Record(from: $0)) }
    return records
  }
}

/// Archives with one object.
enum SingleObject {
  static func archive(_ body: (inout ObjectEncoder) throws -> Void) throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: "Root", body)
    return try writer.finish(root: ArchiveObjectID(1))
  }
}
