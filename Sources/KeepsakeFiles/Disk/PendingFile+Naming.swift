// Names a finished file: steps 6 to 8 of Spec/replacement.md, section 1, and its section 6.

extension PendingFile {
  /// Makes the content durable, then gives the file its name, which must be unused.
  package func createTarget() throws(FileError) {
    try makeDurable()
    let temporaryName = try requireName()
    try location.calling { () throws(SystemFailure) in
      do throws(SystemFailure) {
        try directory.moveExclusively(temporaryName, to: directory, as: location.name)
      } catch  where error.isUnsupported {
        try directory.moveByLink(temporaryName, to: directory, as: location.name)
      }
    }
    try complete()
  }

  /// Makes the content durable, then replaces the regular file at the path, if there is one.
  ///
  /// With `expected`, it replaces only that file, and only with unchanged content, and takes over its permissions
  /// (Spec/replacement.md, section 1).
  ///
  /// The old file is locked from the last check of it until the name belongs to the new file, so no other
  /// writer of this package can replace it meanwhile.
  package func replaceTarget(
    expecting expected: FileStatus? = nil, patience: Duration = LockedTarget.patience
  ) throws(FileError) {
    if let expected { try copyAccess(of: expected) }
    try makeDurable()
    let temporaryName = try requireName()
    while true {
      if let target = try LockedTarget(location, in: directory, patience: patience) {
        try replace(target, expecting: expected)
        break
      }
      guard expected == nil else { throw FileError(.changedMeanwhile, path: location.path) }
      if try takeFreeName(from: temporaryName) { break }
    }
    try complete()
  }

  /// Gives a changed file the owner, the group and the permissions of the one that it replaces.
  ///
  /// If this user may not set the group, the file gets no group permissions: another group would have them.
  private func copyAccess(of old: FileStatus) throws(FileError) {
    try location.calling { () throws(SystemFailure) in
      let own = try file.status()
      var permissions = old.permissions & 0o777
      if own.owner != old.owner || own.group != old.group {
        let isOwnerKept = (try? file.setOwner(old.owner, group: old.group)) != nil
        let isGroupKept =
          isOwnerKept || (try? file.setOwner(own.owner, group: old.group)) != nil
        if !isGroupKept { permissions &= ~0o070 }
      }
      try file.setPermissions(permissions)
    }
  }

  /// Gives the file a name that was unused a moment ago; false when it is in use now.
  private func takeFreeName(from temporaryName: String) throws(FileError) -> Bool {
    try location.calling { () throws(SystemFailure) in
      do throws(SystemFailure) {
        try directory.moveExclusively(temporaryName, to: directory, as: location.name)
      } catch {
        if error.alreadyExists { return false }
        guard error.isUnsupported else { throw error }
        try directory.replace(location.name, with: temporaryName)
      }
      return true
    }
  }

  func replace(_ target: LockedTarget, expecting expected: FileStatus?) throws(FileError) {
    guard let expected else {
      let temporaryName = try requireName()
      return try location.calling { () throws(SystemFailure) in
        try directory.replace(location.name, with: temporaryName)
      }
    }
    guard target.status.isUnchanged(since: expected) else {
      throw FileError(.changedMeanwhile, path: location.path)
    }
    try exchange(expecting: expected)
  }

  /// Step 6.
  private func makeDurable() throws(FileError) {
    try location.calling { () throws(SystemFailure) in
      try file.synchronize()
      try file.checkClosing()
    }
  }

  /// The temporary name; a nameless file gets one, since only a named file can replace another.
  private func requireName() throws(FileError) -> String {
    if let temporaryName { return temporaryName }
    let name = TemporaryName.make()
    try location.calling { () throws(SystemFailure) in
      try directory.link(file, as: name)
      temporaryName = name
      // On some file systems (btrfs), synchronizing a nameless file has no effect.
      try file.synchronize()
    }
    return name
  }

  /// Step 8, once the file has its name.
  private func complete() throws(FileError) {
    temporaryName = nil
    // The next writer need not wait for the disk.
    file.unlock()
    try location.synchronize(directory)
  }
}

// MARK: - Exchanging the names

extension PendingFile {
  /// The maximum number of exchanges, after which this writer gives up.
  private static let exchangeLimit = 64

  /// Exchanges this file with the one at the path, and checks the old file before it is removed
  /// (Spec/replacement.md, section 6).
  ///
  /// If a program that takes no lock replaced the file in the last instant, its file gets the name back.
  func exchange(expecting expected: FileStatus) throws(FileError) {
    let own = try location.calling { () throws(SystemFailure) in try file.status() }
    let name = ExchangeName(placing: own, over: expected, at: location.name).text
    try location.calling { [temporaryName] () throws(SystemFailure) in
      if let temporaryName { try directory.replace(name, with: temporaryName) }
    }
    temporaryName = name
    do throws(SystemFailure) {
      try directory.exchange(name, with: location.name)
    } catch {
      if error.isAbsent { throw FileError(.changedMeanwhile, path: location.path) }
      guard error.isUnsupported else { throw FileError(error, path: location.path) }
      return try location.calling { () throws(SystemFailure) in
        try directory.replace(location.name, with: name)
      }
    }
    // From here on the temporary name may belong to another program's newer file, which must not be removed
    // without a check.
    temporaryName = nil
    if let failure = settle(name, placed: own, replaced: expected) { throw failure }
  }

  /// Checks the file that the last exchange took out, and removes it if it is the expected one: `replaced`, or later
  /// the file that the exchange before put in place.
  ///
  /// Any other file was saved by another program since. It is the newest, so it is exchanged back. Returns nil when
  /// this file is in place, else the error.
  private func settle(
    _ name: String, placed: FileStatus, replaced: FileStatus
  ) -> FileError? {
    let own = placed
    var (placed, awaited): (FileStatus?, FileStatus?) = (placed, replaced)
    var failure: SystemFailure?
    for _ in 0..<Self.exchangeLimit {
      var found: FileStatus?
      do throws(SystemFailure) {
        found = try directory.status(of: name)
        if let found, let awaited, found.isUnchanged(since: awaited) {
          try directory.remove(name)
          let isPlaced = placed?.isSameFile(as: own) == true
          return isPlaced ? nil : error(failure)
        }
      } catch {
        // A call that fails changes nothing: the old file goes back.
        failure = failure ?? error
      }
      (placed, awaited) = (found, placed)
      do throws(SystemFailure) {
        try directory.exchange(name, with: location.name)
      } catch {
        return FileError(failure ?? error, path: location.path)
      }
    }
    return error(failure)
  }

  private func error(_ failure: SystemFailure?) -> FileError {
    failure.map { FileError($0, path: location.path) }
      ?? FileError(.changedMeanwhile, path: location.path)
  }
}

extension FileLocation {
  /// Makes a change of names durable.
  ///
  /// When this fails, the change has still been made, so the failure has its own code.
  func synchronize(_ directory: Directory) throws(FileError) {
    do throws(SystemFailure) {
      try directory.synchronize()
    } catch {
      throw FileError(
        .durabilityUnknown, path: path, systemError: error.number, systemCall: error.call)
    }
  }
}
