package import KeepsakeArchive

extension Archive {
  /// The bytes of the archive in a range, for tools that show them.
  ///
  /// - Parameter range: Offsets in the archive; what is beyond its end is left out.
  /// - Returns: The bytes as they are stored.
  /// - Throws: ``ArchiveError`` with `sourceFailed` when they cannot be read.
  package func bytes(in range: Range<Int>) throws(ArchiveError) -> [UInt8] {
    let range = range.clamped(to: 0..<byteCount)
    let part = try storage.part(range)
    // A view does not keep the bytes alive that were read for it.
    return withExtendedLifetime(part) { part.view.copy(range) }
  }
}
