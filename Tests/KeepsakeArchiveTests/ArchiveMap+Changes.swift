// Rebuilds archives after a change, by Spec/archive.md and without the library.

extension ArchiveMap {
  /// The archive with other bytes in place of its last body, for archives of one segment that has ends or only one
  /// body.
  func replacingLastRecord(with body: [UInt8]) -> [UInt8] {
    let segment = segments[0]
    let old = record(segment.objectCount)
    let length = segment.bodiesByteCount + body.count - old.count
    var ends: [UInt8] = []
    for object in 1..<segment.objectCount where !segment.hasFixedWidth {
      ends += Self.bytes(record(object).upperBound - segment.bodies, Self.width(length))
    }
    var changed = Array(bytes[..<old.lowerBound]) + body
    changed += bytes[segment.directory..<segment.ends]
    changed += ends + bytes[segment.tables...]
    let distance = changed.count - bytes.count
    changed = patched(changed, at: segment.offset + 4, byteCount: 4, UInt64(length))
    changed = patched(changed, at: segment.row + distance + 12, byteCount: 4, UInt64(length))
    return patched(changed, at: tail + distance + 16, byteCount: 8, UInt64(footer + distance))
  }

  /// A number as bytes.
  static func bytes(_ number: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// Tables of a segment that declares nothing.
  var emptyTables: [UInt8] { [UInt8](repeating: 0, count: 20) }

  /// The archive with other entries in place of a part of the footer's tables.
  func replacingEntries(_ range: Range<Int>, with entries: [UInt8]) -> [UInt8] {
    var changed = bytes
    changed.replaceSubrange(range, with: entries)
    let length = word(footer + 16) + changed.count - bytes.count
    return patched(changed, at: footer + 16, byteCount: 4, UInt64(length))
  }
}
