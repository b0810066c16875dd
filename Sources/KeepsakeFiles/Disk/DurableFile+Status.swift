/// The kind of the entry at a path; links are not followed.
package enum FileKind: Equatable, Sendable {
  /// Nothing.
  case absent
  /// A regular file of `size` bytes.
  case regular(size: Int)
  /// A directory.
  case directory
  /// A symbolic link, to anything or nothing.
  case symbolicLink
  /// A pipe, a socket or a device.
  case other
}

/// Identifies one version of a file by inode, size and time of modification.
///
/// Two equal versions have equal content, as far as a file system can tell; a writer of this module never
/// changes a file in place.
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
  /// The kind of the entry at a path, whose links are not followed; `absent` also when its directory does not exist.
  package static func kind(of path: String) throws(FileError) -> FileKind {
    let status = try FileLocation.status(ofPath: path)
    return switch status?.kind {
    case nil: .absent
    case .regular?: .regular(size: Int(clamping: status?.size ?? 0))
    case .directory?: .directory
    case .symbolicLink?: .symbolicLink
    case .pipe?, .socket?, .device?: .other
    }
  }

  /// The version of the entry at a path, without following a link at its end; nil when nothing is there.
  package static func version(of path: String) throws(FileError) -> FileVersion? {
    try FileLocation.status(ofPath: path).map { FileVersion($0) }
  }

  /// The time at which the content of a file was last changed, as the file system states it.
  ///
  /// It is in seconds since 1970-01-01 00:00 UTC; nil when nothing is there. A link at the end of the path is not
  /// followed.
  package static func modificationTime(of path: String) throws(FileError) -> Double? {
    try FileLocation.status(ofPath: path).map { status in
      Double(status.modified.seconds) + Double(status.modified.nanoseconds) / 1e9
    }
  }
}
