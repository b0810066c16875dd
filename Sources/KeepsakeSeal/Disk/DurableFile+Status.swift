/// What is at a path; links are not followed.
package enum FileKind: Equatable, Sendable {
  /// Nothing.
  case absent
  /// A regular file of `size` bytes.
  case regular(size: Int)
  /// A directory.
  case directory
  /// A symbolic link, whatever it points to.
  case symbolicLink
  /// A pipe, a socket or a device.
  case other
}

/// What tells one version of a file from the others that have its name: which file it is, its size, and when
/// it was changed.
///
/// Two versions that are equal are the same content, as far as a file system tells; a writer of this module
/// never changes a file in place.
package struct FileVersion: Hashable, Sendable {
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
  /// What is at a path; links are not followed.
  ///
  /// - Parameter path: Any path.
  /// - Returns: The kind of what is there, `absent` also when its directory does not exist.
  /// - Throws: ``SealError`` when the system does not say.
  package static func kind(of path: String) throws(SealError) -> FileKind {
    let status = try FileLocation.status(ofPath: path)
    return switch status?.kind {
    case nil: .absent
    case .regular?: .regular(size: Int(clamping: status?.size ?? 0))
    case .directory?: .directory
    case .symbolicLink?: .symbolicLink
    case .pipe?, .socket?, .device?: .other
    }
  }

  /// Which version of a file, or of whatever else, has a name.
  ///
  /// - Parameter path: A path; a link at its end is not followed.
  /// - Returns: The version; nil when there is nothing.
  /// - Throws: ``SealError`` when the system does not say.
  package static func version(of path: String) throws(SealError) -> FileVersion? {
    try FileLocation.status(ofPath: path).map { FileVersion($0) }
  }

  /// When the content of a file was changed last, as the file system has it.
  ///
  /// - Parameter path: A path; a link at its end is not followed.
  /// - Returns: The time in seconds since 1970-01-01 00:00 UTC; nil when there is nothing.
  /// - Throws: ``SealError`` when the system does not say.
  package static func modificationTime(of path: String) throws(SealError) -> Double? {
    try FileLocation.status(ofPath: path).map { status in
      Double(status.modified.seconds) + Double(status.modified.nanoseconds) / 1e9
    }
  }
}
