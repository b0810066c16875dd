/// Where the bytes of an archive come from while it is read forward: a pipe, a socket, a download.
///
/// ``ArchiveStreamReader`` reads whole segments of some 256 KiB from it. The reader of a sealed file
/// conforms in Keepsake.
public protocol ArchiveSource {
  /// Gives the next bytes of the archive.
  ///
  /// - Parameter output: Where the bytes go: as many as are at hand, at least one. When nothing is
  ///   added, the archive has ended.
  /// - Throws: Why they cannot be read. Nothing is read after that.
  mutating func read(into output: inout OutputSpan<UInt8>) throws
}
