/// Removes what writers that died left behind (Spec/seal.md, section 8.2).
enum StaleTemporaries {
  /// How many names of a directory are looked at, so that a large one does not slow every save.
  static let nameLimit = 4_096

  /// Removes each temporary file that no living writer holds.
  ///
  /// Whether one is stale is decided by its lock alone, never by a clock; what cannot be decided is
  /// left alone.
  static func collect(in directory: Directory) {
    let names = (try? directory.names(limit: nameLimit, where: TemporaryName.matches)) ?? []
    for name in names { try? collect(name, in: directory) }
  }

  private static func collect(_ name: String, in directory: Directory) throws(SystemFailure) {
    guard let status = try directory.status(of: name), status.kind == .regular,
      status.isOwnedByEffectiveUser
    else { return }
    try remove(name, of: try directory.openForReading(name), in: directory)
  }

  /// Removes `name` when nobody holds the file and the name is still the file's.
  ///
  /// A writer may have finished since the file was opened: then it has another name by now, and
  /// `name` may have gone to somebody else's.
  static func remove(
    _ name: String, of file: FileDescriptor, in directory: Directory
  ) throws(SystemFailure) {
    try file.lockWithoutWaiting()
    guard let named = try directory.status(of: name), try file.status().isSameFile(as: named)
    else { return }
    try directory.remove(name)
  }
}
