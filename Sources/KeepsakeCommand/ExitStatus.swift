/// The exit codes of the tool, as its help documents them.
enum ExitStatus: Int32 {
  /// The demo found a difference.
  case difference = 1
  /// The saved state was written by another version and refused.
  case refusedVersion = 3
  /// A file is damaged.
  case damaged = 65
  /// There is no such file.
  case noInput = 66
  /// A file or directory cannot be read or written.
  case inputOutput = 74
  /// The key is missing, unusable or another one.
  case keyUnavailable = 77
}
