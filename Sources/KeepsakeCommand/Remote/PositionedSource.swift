import CommandSupport
import Keepsake

/// A sealed file or an archive with random access: a local file, or one on a server.
protocol PositionedSource: ArchivePositionedSource, SealedFileSource {
  /// The size in bytes; it does not change.
  var byteCount: Int { get }

  /// Reads a part; several threads may call this at once.
  func read(_ range: Range<Int>) throws -> [UInt8]
}

extension PositionedSource {
  private static var pieceByteCount: Int { 1 << 20 }

  /// Reads all bytes; throws when there are more than `limit`.
  func readAll(upTo limit: Int, named name: String) throws -> [UInt8] {
    guard byteCount <= limit else {
      throw Failure(
        "\(name) has \(byteCount) bytes, and at most \(limit) are read into memory.", .damaged)
    }
    return try read(0..<byteCount)
  }

  /// Passes the bytes to a closure, piece by piece.
  func forEachPiece(_ body: ([UInt8]) throws -> Void) throws {
    for start in stride(from: 0, to: byteCount, by: Self.pieceByteCount) {
      try body(try read(start..<min(start + Self.pieceByteCount, byteCount)))
    }
  }
}
