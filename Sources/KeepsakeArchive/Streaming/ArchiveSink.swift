/// Where the bytes of an archive go while it is written.
///
/// An app conforms a file, a socket or an upload of its own; a sealed file conforms in Keepsake.
/// ``ArchiveStreamWriter`` hands over whole segments of some 256 KiB, never single values.
public protocol ArchiveSink {
  /// Takes the next bytes of the archive.
  ///
  /// - Parameter bytes: The bytes that follow those of the call before; all have to be taken.
  /// - Throws: Why they cannot be taken. Nothing is handed over after that.
  mutating func write(_ bytes: Span<UInt8>) throws
}
