import Keepsake

/// The sizes of an archive as text: its types, the largest first, each with its keys.
struct SizeTable {
  private let sizes: ArchiveSizes

  init(_ archive: Archive) throws(ArchiveError) {
    sizes = try archive.sizes()
  }

  /// The lines of the text.
  var lines: [String] {
    let values = sizes.types.reduce(0) { $0 + $1.byteCount }
    let names = sizes.byteCount - values
    var lines = [
      "Sizes: \(sizes.byteCount) bytes, of which \(values) in objects and \(names) in names and "
        + "directories"
    ]
    for type in sizes.types {
      let objects = type.objectCount == 1 ? "1 object" : "\(type.objectCount) objects"
      lines.append("  \(type.typeName.displayed): \(type.byteCount) bytes in \(objects)")
      let largestFirst = type.keys.sorted { $0.byteCount > $1.byteCount }
      for key in largestFirst {
        lines.append("    \(key.name): \(key.byteCount) bytes, \(key.valueCount)x")
      }
    }
    return lines
  }
}
