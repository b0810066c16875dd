import Keepsake

extension FaultOperation {
  /// The migration of a sealed archive with the subject's plan; the archive is large enough for several
  /// writes.
  static func migration() throws -> FaultOperation {
    FaultOperation(
      "migrate", ["migrate", "%/state"],
      from: ["state": .sealed(generation: 1, try contacts(version: "1", key: "nm"))],
      to: ["state": .sealed(generation: 2, try contacts(version: "2", key: "name"))])
  }

  static func contacts(
    version: String, key: ArchiveKey, count: UInt32 = 500
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: version))
    for number in 1...count {
      try writer.writeObject(ArchiveObjectID(number), typeName: "Contact") { coder in
        coder.encode("Contact number \(number)", forKey: key)
        coder.encode(ArchiveReference(ArchiveObjectID(number % count + 1)), forKey: "knows")
      }
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }
}
