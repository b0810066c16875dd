/// Where the bytes of a sealed file can be read at any place: remote storage, a part of a larger file,
/// a database.
///
/// Each call asks for whole chunks or for the header. ``SealedFile/ciphertextRange(forPlaintext:)``
/// tells beforehand which bytes a read will ask for, so that they can be fetched ahead. What the
/// source returns is verified like any file; it need not be trusted.
public protocol SealedFileSource: Sendable {
  /// How many bytes the sealed file has; it must not change.
  var byteCount: Int { get }

  /// Reads a part of the sealed file; called from several threads at once.
  ///
  /// - Parameter range: Offsets between 0 and ``byteCount``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: Any error; the caller gets it as ``SealError`` with `sourceFailed`.
  func read(_ range: Range<Int>) throws -> [UInt8]
}
