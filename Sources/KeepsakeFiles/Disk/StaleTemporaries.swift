/// Removes the files of writers that died (Spec/replacement.md, section 2).
enum StaleTemporaries {
  /// The maximum number of files that one writer checks.
  static let fileLimit = 4_096
  /// The maximum number of directory entries that one writer looks at, so that a huge directory delays a save by
  /// only a fraction of a second.
  static let nameLimit = 1 << 20

  /// Removes each temporary file that no living writer holds, and undoes an exchange at `target` whose writer
  /// died before it could undo it.
  ///
  /// A file is stale when its lock is free; its age does not matter. A file that cannot be checked is kept.
  static func collect(in directory: Directory, for target: FileLocation) {
    let names = try? directory.names(limit: fileLimit, among: nameLimit) {
      TemporaryName.matches($0) || ExchangeName($0) != nil
    }
    for name in names ?? [] {
      if let exchange = ExchangeName(name) {
        try? settle(exchange, in: directory, for: target)
      } else {
        try? callingSystem { () throws(SystemFailure) in
          if let file = try openStale(name, in: directory) {
            try remove(name, of: file, in: directory)
          }
        }
      }
    }
  }

  /// Opens a regular file that this user owns; nil for any other entry.
  private static func openStale(
    _ name: String, in directory: Directory
  ) throws(SystemFailure) -> FileDescriptor? {
    guard let status = try directory.status(of: name), status.kind == .regular,
      status.isOwnedByEffectiveUser
    else { return nil }
    return try directory.openForReading(name)
  }

  /// Removes `name` if the file is not locked and still has this name.
  ///
  /// A writer may have finished since the file was opened: then the file has another name, and `name` may
  /// belong to another file.
  static func remove(
    _ name: String, of file: FileDescriptor, in directory: Directory
  ) throws(SystemFailure) {
    try file.lockWithoutWaiting()
    defer { file.unlock() }
    guard let named = try directory.status(of: name), try file.status().isSameFile(as: named)
    else { return }
    try directory.remove(name)
  }

  /// Removes the file of an exchange if it is one of the two files of that exchange.
  ///
  /// Any other file was saved just before the exchange by a program that takes no lock, so it is newer than the
  /// file at the path. It is moved back to the path, unless the file at the path has been replaced since.
  private static func settle(
    _ exchange: ExchangeName, in directory: Directory, for target: FileLocation
  ) throws(FileError) {
    let name = exchange.text
    let opened = try callingSystem { () throws(SystemFailure) in
      try openStale(name, in: directory)
    }
    guard let file = opened else { return }
    let status = try callingSystem { () throws(SystemFailure) in try file.status() }
    if exchange.includes(status) {
      return try callingSystem { () throws(SystemFailure) in
        try remove(name, of: file, in: directory)
      }
    }
    // A writer holds the lock of the file that it put in place until its exchange is over. So once this
    // collector has that lock, the writer is gone.
    guard exchange.isFor(target.name),
      let locked = try LockedTarget(target, in: directory, patience: .zero), locked.isLocked,
      exchange.isPlaced(locked.status)
    else { return }
    try callingSystem { () throws(SystemFailure) in
      guard let named = try directory.status(of: name), named.isSameFile(as: status) else { return }
      try directory.exchange(name, with: target.name)
      if let out = try directory.status(of: name), out.isSameFile(as: locked.status) {
        try directory.remove(name)
      } else {
        try directory.exchange(name, with: target.name)
      }
    }
  }
}
