/// Clears away what writers that died left behind (Spec/replacement.md, section 2).
enum StaleTemporaries {
  /// How many temporary files one writer collects.
  static let fileLimit = 4_096
  /// How many names of a directory are looked at for them, so that a vast one does not hold up a save
  /// for more than a fraction of a second.
  static let nameLimit = 1 << 20

  /// Removes each temporary file that no living writer holds, and undoes an exchange at `target`
  /// that a writer did not live to undo.
  ///
  /// Whether a file is stale is decided by its lock alone, never by a clock; what cannot be decided is
  /// left alone.
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

  /// Opens a regular file of this user's.
  private static func openStale(
    _ name: String, in directory: Directory
  ) throws(SystemFailure) -> FileDescriptor? {
    guard let status = try directory.status(of: name), status.kind == .regular,
      status.isOwnedByEffectiveUser
    else { return nil }
    return try directory.openForReading(name)
  }

  /// Removes `name` when nobody holds the file and the name is still the file's.
  ///
  /// A writer may have finished since the file was opened: then it has another name by now, and
  /// `name` may have gone to somebody else's.
  static func remove(
    _ name: String, of file: FileDescriptor, in directory: Directory
  ) throws(SystemFailure) {
    try file.lockWithoutWaiting()
    defer { file.unlock() }
    guard let named = try directory.status(of: name), try file.status().isSameFile(as: named)
    else { return }
    try directory.remove(name)
  }

  /// Removes the file of an exchange when it is one of the two that the exchange was about.
  ///
  /// Any other one is what a program that takes no lock had saved in the instant before, and newer than
  /// what has the name: it gets the name back, when nobody has replaced the file since.
  private static func settle(
    _ exchange: ExchangeName, in directory: Directory, for target: FileLocation
  ) throws(SealError) {
    let name = exchange.text
    let opened = try callingSystem { () throws(SystemFailure) in
      try openStale(name, in: directory)
    }
    guard let file = opened else { return }
    let status = try callingSystem { () throws(SystemFailure) in try file.status() }
    if try exchange.isAbout(status) {
      return try callingSystem { () throws(SystemFailure) in
        try remove(name, of: file, in: directory)
      }
    }
    // A writer that is making an exchange holds the lock of the file that it put in place; with that lock in hand, we
    // know that it is gone.
    guard try exchange.isFor(target.name),
      let locked = try LockedTarget(target, in: directory, patience: .zero), locked.isLocked,
      try exchange.isPlaced(locked.status)
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
