/// What tells one version of a file from the others that have its name: which file it is, its size, and when
/// it was changed.
///
/// Two versions that are equal are the same content, as far as a file system tells; a writer of this module
/// never changes a file in place.
public struct FileVersion: Hashable, Sendable {
  private let identity: FileStatus.Identity
  private let size: UInt64
  private let modified: FileStatus.Time

  init(_ status: FileStatus) {
    identity = status.identity
    size = status.size
    modified = status.modified
  }
}

extension DurableFile {
  /// Which version of a file, or of whatever else, has a name.
  ///
  /// - Parameter path: A path; a link at its end is not followed.
  /// - Returns: The version; nil when there is nothing.
  /// - Throws: ``SealError`` when the system does not say.
  public static func version(of path: String) throws(SealError) -> FileVersion? {
    try FileLocation.status(ofPath: path).map { FileVersion($0) }
  }

  /// When the content of a file was changed last, as the file system has it.
  ///
  /// - Parameter path: A path; a link at its end is not followed.
  /// - Returns: The time in seconds since 1970-01-01 00:00 UTC; nil when there is nothing.
  /// - Throws: ``SealError`` when the system does not say.
  public static func modificationTime(of path: String) throws(SealError) -> Double? {
    try FileLocation.status(ofPath: path).map { status in
      Double(status.modified.seconds) + Double(status.modified.nanoseconds) / 1e9
    }
  }
}
