import KeepsakeArchive

/// Archives with one object for each element of a list.
enum Records {
  static func archive<Record: ArchiveRecord>(
    _ records: [Record], typeName: String, bundleVersion: String? = nil
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: bundleVersion))
    try writer.writeObjects(records, typeName: typeName)
    return try writer.finish(root: ArchiveObjectID(1))
  }

  static func unarchive<Record: ArchiveRecord>(_ bytes: [UInt8]) throws -> [Record] {
    try Archive(bytes).decodeObjects()
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
