/// Where the bytes of an archive are read from at any offset: a file, remote storage, a database.
///
/// ``Archive/init(source:limits:)`` opens an archive in it without reading it whole. A sealed file
/// conforms in Keepsake. Several threads may read at once.
public protocol ArchivePositionedSource: Sendable {
  /// The length of the archive, in bytes; it does not change.
  var byteCount: Int { get }

  /// How many bytes it is sensible to read at a time, 16 KiB unless another number is given.
  ///
  /// Small reads are widened to blocks of that many bytes, of which some are kept.
  var blockByteCount: Int { get }

  /// Reads a part of the archive.
  ///
  /// - Parameter range: Offsets between 0 and ``byteCount``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: Why they cannot be read. Whoever read the archive is told by an ``ArchiveError`` with
  ///   the code `sourceFailed`.
  func read(_ range: Range<Int>) throws -> [UInt8]
}

extension ArchivePositionedSource {
  /// 16 KiB.
  public var blockByteCount: Int { 1 << 14 }
}
