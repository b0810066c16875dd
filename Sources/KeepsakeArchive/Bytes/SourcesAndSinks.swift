// The places that an archive is written to and read from, in parts.

/// A place that an archive is written to, part by part.
///
/// An app conforms its own file, socket or upload; Keepsake conforms a sealed file. ``ArchiveStreamWriter`` writes
/// whole segments of some 64 KiB, never single values.
public protocol ArchiveSink {
  /// Takes the next bytes of the archive: all of them, which follow those of the previous call.
  ///
  /// - Throws: The reason why they cannot be taken. There is no call after that.
  mutating func write(_ bytes: Span<UInt8>) throws
}

/// A place that an archive is read from in one direction: a pipe, a socket, a download.
///
/// ``ArchiveStreamReader`` reads whole segments of some 64 KiB from it. Keepsake conforms the reader of a sealed
/// file.
public protocol ArchiveSource {
  /// Gives the next bytes of the archive: all that are available, at least one. If nothing is added, the archive ends.
  ///
  /// - Throws: The reason why they cannot be read. There is no call after that.
  mutating func read(into output: inout OutputSpan<UInt8>) throws
}

/// A place that an archive is read from at any offset: a file, remote storage, a database.
///
/// ``Archive/init(source:limits:)`` opens an archive in it without reading the whole. Keepsake conforms a sealed
/// file. Several threads may read at once.
public protocol ArchivePositionedSource: Sendable {
  /// The length of the archive, in bytes; it does not change.
  var byteCount: Int { get }

  /// The sensible number of bytes to read at a time, 16 KiB unless another number is given.
  ///
  /// Small reads are widened to blocks of that many bytes, and some blocks are cached.
  var blockByteCount: Int { get }

  /// Reads as many bytes as a range of offsets between 0 and ``byteCount`` has.
  ///
  /// - Throws: The reason why they cannot be read. The reader of the archive gets an ``ArchiveError`` with the code
  ///   `sourceFailed`.
  func read(_ range: Range<Int>) throws -> [UInt8]
}

extension ArchivePositionedSource {
  /// 16 KiB.
  public var blockByteCount: Int { 1 << 14 }
}
