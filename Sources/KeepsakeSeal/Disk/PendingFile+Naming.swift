// How a finished file gets its name: steps 6 to 8 of Spec/replacement.md, section 1, and its section 6.

extension PendingFile {
  /// Makes the content durable, then gives the file its name, which nothing else may have.
  func createTarget() throws(SealError) {
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

  /// Makes the content durable, then puts the file in place of whatever regular file is there; or only
  /// of the file of which `expected` was said, when it still has the name and its content.
  ///
  /// Whatever has the name by then is locked from the last look at it until the name is the new file's,
  /// and no other writer of this package gives the name to another file meanwhile.
  func replaceTarget(
    expecting expected: FileStatus? = nil, patience: Duration = LockedTarget.patience
  ) throws(SealError) {
    try makeDurable()
    let temporaryName = try requireName()
    while true {
      if let target = try LockedTarget(location, in: directory, patience: patience) {
        try replace(target, expecting: expected)
        break
      }
      guard expected == nil else { throw SealError(.changedMeanwhile, path: location.path) }
      if try takeFreeName(from: temporaryName) { break }
    }
    try complete()
  }

  /// Gives the file the name that nothing had a moment ago; false when something has it by now.
  private func takeFreeName(from temporaryName: String) throws(SealError) -> Bool {
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

  /// Puts the file in place of the one that is locked.
  func replace(_ target: LockedTarget, expecting expected: FileStatus?) throws(SealError) {
    guard let expected else {
      let temporaryName = try requireName()
      return try location.calling { () throws(SystemFailure) in
        try directory.replace(location.name, with: temporaryName)
      }
    }
    guard target.status.isUnchanged(since: expected) else {
      throw SealError(.changedMeanwhile, path: location.path)
    }
    try exchange(expecting: expected)
  }

  /// Step 6.
  private func makeDurable() throws(SealError) {
    try location.calling { () throws(SystemFailure) in
      try file.synchronize()
      try file.checkClosing()
    }
  }

  /// The temporary name; a file that had none gets one, since only a name can replace a name.
  private func requireName() throws(SealError) -> String {
    if let temporaryName { return temporaryName }
    let name = try TemporaryName.make()
    try location.calling { () throws(SystemFailure) in
      try directory.link(file, as: name)
      temporaryName = name
      // Some file systems (btrfs) do nothing to bring a file without a name to stable storage.
      try file.synchronize()
    }
    return name
  }

  /// Step 8, once the file has its name.
  private func complete() throws(SealError) {
    temporaryName = nil
    // Whoever is next to replace the file need not wait for the disk.
    file.unlock()
    try location.synchronize(directory)
  }
}

// MARK: - Exchanging the names

extension PendingFile {
  /// How often names are exchanged before this gives way to somebody else who replaces the file each time.
  private static let exchangeLimit = 64

  /// Exchanges this file with the one that has the name, and looks at what came out before it is
  /// removed (Spec/replacement.md, section 6).
  ///
  /// A program that takes no lock may have replaced the file in the last instant: then its file gets the
  /// name back.
  func exchange(expecting expected: FileStatus) throws(SealError) {
    let own = try location.calling { () throws(SystemFailure) in try file.status() }
    let name = try ExchangeName(placing: own, over: expected, at: location.name).text
    try location.calling { [temporaryName] () throws(SystemFailure) in
      if let temporaryName { try directory.replace(name, with: temporaryName) }
    }
    temporaryName = name
    do throws(SystemFailure) {
      try directory.exchange(name, with: location.name)
    } catch {
      if error.isAbsent { throw SealError(.changedMeanwhile, path: location.path) }
      guard error.isUnsupported else { throw SealError(error, path: location.path) }
      return try location.calling { () throws(SystemFailure) in
        try directory.replace(location.name, with: name)
      }
    }
    // From here on the temporary name may stand for what somebody else has saved, and nothing removes it
    // without a look.
    temporaryName = nil
    if let failure = settle(name, placed: own, replaced: expected) { throw failure }
  }

  /// Looks at what came out of an exchange, and exchanges again until it is a file that has been
  /// superseded: the one that this one is to replace, or one that went into the name by the last exchange.
  ///
  /// Each time that it is neither, somebody else has replaced the file since, and that file is the newest.
  /// Returns why this file was not put in place; nil when it was.
  private func settle(
    _ name: String, placed: FileStatus, replaced: FileStatus
  ) -> SealError? {
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
        // What has failed is to have changed nothing: the file goes back.
        failure = failure ?? error
      }
      (placed, awaited) = (found, placed)
      do throws(SystemFailure) {
        try directory.exchange(name, with: location.name)
      } catch {
        return SealError(failure ?? error, path: location.path)
      }
    }
    return error(failure)
  }

  private func error(_ failure: SystemFailure?) -> SealError {
    failure.map { SealError($0, path: location.path) }
      ?? SealError(.changedMeanwhile, path: location.path)
  }
}

extension FileLocation {
  /// Makes a finished change of names durable.
  ///
  /// When that fails the change stays, and so the failure has a code of its own.
  func synchronize(_ directory: Directory) throws(SealError) {
    do throws(SystemFailure) {
      try directory.synchronize()
    } catch {
      throw SealError(
        .durabilityUnknown, path: path, systemError: error.number, systemCall: error.call)
    }
  }
}
