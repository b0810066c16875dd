// Archives in sealed files, written and read without being in memory as a whole.

public import KeepsakeArchive
public import KeepsakeSeal

/// Seals an archive while it is written: each segment is encrypted on other threads while the next
/// one is encoded.
///
/// ```swift
/// let file = try SealedFileWriter(to: path, for: [.key(key)])
/// var writer = ArchiveStreamWriter(to: file)
/// for entry in log { try writer.write(entry) }
/// try writer.finish()
/// try file.finish()
/// ```
extension SealedFileWriter: ArchiveSink {}

/// Reads an archive forward in a sealed file; nothing of a chunk is read before it is verified.
///
/// ```swift
/// let file = try SealedFile.open(path, with: [.key(key)])
/// var reader = try ArchiveStreamReader(file.makeReader())
/// while let entry = try reader.next(LogEntry.self) { show(entry) }
/// ```
extension SealedFileReader: ArchiveSource {}

/// Reads an archive in a sealed file at random: only the chunks that are touched are decrypted.
///
/// ```swift
/// let archive = try Archive(source: SealedFile.open(path, with: [.key(key)]))
/// let window = try archive.object(archive.rootID)
/// ```
extension SealedFile: ArchivePositionedSource {
  /// The length of the plaintext, in bytes.
  public var byteCount: Int { plaintextLength }

  /// The size of a chunk: less than one cannot be decrypted.
  public var blockByteCount: Int { summary.chunkSize }
}
