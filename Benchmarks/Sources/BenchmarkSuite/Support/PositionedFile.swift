import Foundation
import KeepsakeArchive

/// A file that can be read at any offset.
struct PositionedFile: ArchivePositionedSource {
  private let handle: FileHandle
  let byteCount: Int

  init(_ path: String) throws {
    handle = try FileHandle(forReadingFrom: URL(filePath: path))
    byteCount = Int(try handle.seekToEnd())
  }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    try handle.seek(toOffset: UInt64(range.lowerBound))
    return Array(try handle.read(upToCount: range.count) ?? Data())
  }
}
