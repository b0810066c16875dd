/// What is at a path; links are not followed.
public enum FileKind: Equatable, Sendable {
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
