import Keepsake

/// What a saved state holds, line by line.
enum ArchivePrinter {
  static func text(of archive: Archive) throws -> String {
    var lines = ["Written by version \(archive.reserved.bundleVersion ?? "unknown"):"]
    for number in 0..<archive.objectCount {
      let object = try archive.object(ArchiveObjectID(UInt32(clamping: number + 1)))
      lines.append("  \(object.typeName)")
      for field in try object.dynamicRecord().fields {
        let name = (field.scope + [field.key.description]).joined(separator: " / ")
        lines.append("    \(name): \(field.value)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
