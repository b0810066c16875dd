// Archives in sealed files, written and read piece by piece.

public import KeepsakeArchive
public import KeepsakeSeal

/// Seals an archive while it is written: other threads encrypt a segment while the next one is encoded.
///
/// ```swift
/// let file = try SealedFileWriter(to: path, for: [.key(key)])
/// var writer = ArchiveStreamWriter(to: file)
/// for entry in log { try writer.writeObject(entry) }
/// try writer.finish()
/// try file.finish()
/// ```
extension SealedFileWriter: ArchiveSink {}

/// Reads an archive in a sealed file from start to end; each chunk is verified before it is read.
///
/// ```swift
/// let file = try SealedFile.open(path, with: [.key(key)])
/// var reader = try ArchiveStreamReader(file.makeReader())
/// while let entry = try reader.next(LogEntry.self) {
///   show(entry)
/// }
/// ```
extension SealedFileReader: ArchiveSource {}

/// Gives random access to an archive in a sealed file: only the chunks that are used are decrypted.
///
/// ```swift
/// let archive = try Archive(
///   source: SealedFile.open(path, with: [.key(key)]))
/// let window = try archive.object(archive.rootID)
/// ```
extension SealedFile: ArchivePositionedSource {
  /// The length of the plaintext, in bytes.
  public var byteCount: Int { plaintextLength }

  /// The size of a chunk, which is the unit of decryption.
  public var blockByteCount: Int { summary.chunkSize }
}
