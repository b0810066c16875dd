import CommandSupport
import Foundation
import Keepsake
import Synchronization

/// A regular file whose parts are read when they are needed.
final class FileSource: PositionedSource {
  let byteCount: Int
  private let handle: Mutex<FileHandle>

  init(_ path: String) throws {
    guard case .regular(let size) = try DurableFile.kind(of: path),
      let handle = FileHandle(forReadingAtPath: path)
    else { throw Failure("\(path) cannot be read: check its permissions.", .inputOutput) }
    byteCount = size
    self.handle = Mutex(handle)
  }

  /// A file without a name, which the system removes when the process ends: for input that is too long for the memory.
  ///
  /// It holds the given bytes, and those that `next` returns until it returns none.
  init(holding bytes: [UInt8], of name: String, _ next: () throws -> [UInt8]) throws {
    let handle = try Interruption.whileWriting { try Scratch.namelessFile() }
    var (piece, count) = (bytes, 0)
    while !piece.isEmpty {
      do {
        try handle.write(contentsOf: Data(piece))
      } catch {
        throw Failure(
          "\(name) has more than \(count) bytes, which do not fit into the directory for temporary "
            + "files; name one with more room by TMPDIR.", .inputOutput)
      }
      count += piece.count
      piece = try next()
    }
    byteCount = count
    self.handle = Mutex(handle)
  }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    try handle.withLock { handle in
      try handle.seek(toOffset: UInt64(range.lowerBound))
      return Array(try handle.read(upToCount: range.count) ?? Data())
    }
  }
}
