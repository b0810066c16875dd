// Where the bytes of an archive go while it is written, and where they come from while it is read.

/// Where the bytes of an archive go while it is written.
///
/// An app conforms a file, a socket or an upload of its own; a sealed file conforms in Keepsake.
/// ``ArchiveStreamWriter`` hands over whole segments of some 64 KiB, never single values.
public protocol ArchiveSink {
  /// Takes the next bytes of the archive.
  ///
  /// - Parameter bytes: The bytes that follow those of the call before; all have to be taken.
  /// - Throws: Why they cannot be taken. Nothing is handed over after that.
  mutating func write(_ bytes: Span<UInt8>) throws
}

/// Where the bytes of an archive come from while it is read forward: a pipe, a socket, a download.
///
/// ``ArchiveStreamReader`` reads whole segments of some 64 KiB from it. The reader of a sealed file
/// conforms in Keepsake.
public protocol ArchiveSource {
  /// Gives the next bytes of the archive.
  ///
  /// - Parameter output: Where the bytes go: as many as are at hand, at least one. When nothing is
  ///   added, the archive has ended.
  /// - Throws: Why they cannot be read. Nothing is read after that.
  mutating func read(into output: inout OutputSpan<UInt8>) throws
}

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

/// A sink that keeps an archive in memory, for tests and for archives that are small enough.
///
/// ```swift
/// var writer = ArchiveStreamWriter(to: ArchiveMemorySink())
/// for entry in log { try writer.write(entry) }
/// let bytes = try writer.finish().bytes
/// ```
public struct ArchiveMemorySink: ArchiveSink, Sendable {
  /// What was written so far; when the writer is finished, the archive.
  public private(set) var bytes: [UInt8] = []

  /// Makes a sink without bytes.
  public init() {}

  /// Takes the next bytes of the archive.
  ///
  /// - Parameter bytes: The bytes that follow those of the call before.
  public mutating func write(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
  }
}

/// An archive in memory as a source, read forward or at any offset.
///
/// ``Archive/init(_:limits:)`` opens bytes in memory without one; use this where an API wants a
/// source, and in tests.
public struct ArchiveMemorySource: ArchiveSource, ArchivePositionedSource {
  private let bytes: [UInt8]
  /// Where the next call of ``read(into:)`` goes on.
  private var offset = 0

  /// Makes a source of an archive.
  ///
  /// - Parameter bytes: All bytes of the archive.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The length of the archive, in bytes.
  public var byteCount: Int { bytes.count }

  /// Gives the next bytes of the archive.
  ///
  /// - Parameter output: Where the bytes go: as many as it has room for.
  public mutating func read(into output: inout OutputSpan<UInt8>) {
    let part = offset..<offset + min(output.freeCapacity, bytes.count - offset)
    unsafe output.withUnsafeMutableBufferPointer { buffer, count in
      let room = UnsafeMutableRawBufferPointer(buffer)
      unsafe bytes.withUnsafeBytes {
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[count..<count + part.count])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part]))
      }
      count += part.count
    }
    offset = part.upperBound
  }

  /// Gives a part of the archive.
  ///
  /// - Parameter range: Offsets between 0 and ``byteCount``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: ``ArchiveError`` with the code `sourceFailed` when the range leaves the archive.
  public func read(_ range: Range<Int>) throws -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
      throw ArchiveError(
        .sourceFailed, "the bytes \(range) were asked for, and the archive has \(bytes.count)",
        offset: range.lowerBound)
    }
    return Array(bytes[range])
  }
}
