import KeepsakeFiles
import KeepsakeRestoration
import KeepsakeSeal
import Synchronization

// The work of the store on its own queue (Spec/state.md).
extension SealedStateStore {
  package func loadNow() throws(KeepsakeError) -> StoredState {
    try noteAccess()
    // The lock comes before the mark is read: the mark of a process that is still restoring is not a failed launch.
    if try !hasLockInPlace() {
      guard try kind(of: directory.path) != .absent else {
        // If another process makes the directory before the first save, that save must not replace its unread state.
        unlock()
        return .absent
      }
      try lockForReading()
    }
    let version = try KeepsakeError.access { () throws(FileError) in
      try DurableFile.version(of: directory.archivePath)
    }
    note(version)
    guard version != nil else {
      if !isReadOnly { try removeMark() }
      return .absent
    }
    // If this user cannot write, no launch can have left a mark, and no mark can be removed.
    let failedLaunchCount = isReadOnly ? 0 : markedFailureCount()
    knowledge.withLock { $0.hasKeptPrevious = false }
    let file = try openArchive(with: keyStore.existingKey())
    do throws(SealError) {
      let archive = try file.read()
      pinOpened(file)
      return .archive(archive, failedLaunchCount: failedLaunchCount)
    } catch {
      throw KeepsakeError(opening: error)
    }
  }

  package func saveNow(_ archive: [UInt8], previous: PreviousState) throws(KeepsakeError) {
    let save = try KeepsakeError.preparing { () throws(KeepsakeError) in
      try prepareSave(previous: previous)
    }
    var summary: SealedFileSummary?
    var failure: SealError?
    do throws(SealError) {
      // The point of no return is in this call; errors after it say that the state was saved.
      summary = try SealedFile.seal(
        archive.span, to: directory.archivePath, for: [.key(save.key)], options: save.options)
      try whenSealed()
    } catch  where error.code == .durabilityUnknown {
      failure = error
    } catch {
      // The previous file is still at its own path.
      if let asidePath = save.asidePath { try? DurableFile.remove(at: asidePath) }
      throw KeepsakeError(.storeUnavailable, error)
    }
    // The new file is in place, even if a power cut may still undo it.
    knowledge.withLock { knowledge in
      knowledge.generation = save.options.generation
      knowledge.hasKeptPrevious = save.hasKeptPrevious
    }
    noteVersion()
    // If a power cut undid the save, its pin would refuse the previous state.
    if let failure { throw KeepsakeError(changing: failure) }
    if let summary { try pin(summary, generation: save.options.generation) }
    knowledge.withLock { $0.hasKeptPrevious = false }
    pruneSetAside()
  }

  /// The preparations of a save, before it seals.
  private struct Save {
    let key: SealKey
    let options: SealOptions
    /// The second name of the replaced archive; nil when it has none.
    let asidePath: String?
    /// True when the replaced archive has a second name, made by this save or an earlier try.
    let hasKeptPrevious: Bool
  }

  private func prepareSave(previous: PreviousState) throws(KeepsakeError) -> Save {
    try KeepsakeError.access { () throws(FileError) in
      try DurableFile.createDirectory(at: directory.path, mode: 0o700)
    }
    try lock()
    try requireUnchanged()
    let present = try kind(of: directory.archivePath)
    let key =
      present == .absent ? try keyStore.existingOrNewKey() : try keyStore.existingKey()
    let (generation, isDamaged) = try lastGeneration(present == .absent ? nil : key)
    // A repeated save would otherwise keep the state of the first try.
    let hasKept = knowledge.withLock { $0.hasKeptPrevious }
    let keepsPrevious = present != .absent && !hasKept && (previous == .setAside || isDamaged)
    let asidePath = keepsPrevious ? try setAside("damaged", keepingOriginal: true) : nil
    let context = directory.purpose.context
    return Save(
      key: key,
      options: SealOptions(
        context: context, publicMetadata: context, generation: generation &+ 1, padding: .padme,
        computesContentDigest: freshnessStore != nil),
      asidePath: asidePath, hasKeptPrevious: hasKept || keepsPrevious)
  }

  package func removeNow() throws(KeepsakeError) {
    guard try kind(of: directory.path) != .absent else { return }
    try lock()
    try requireUnchanged()
    // The point of no return: errors after it say that the state was removed.
    try remove(directory.archivePath)
    noteVersion()
    try pinRemoval()
  }

  package func resetNow() throws(KeepsakeError) {
    guard try kind(of: directory.path) != .absent else { return }
    try lock()
    // The point of no return is the first file that is set aside; errors after it say which files were.
    var reset = PartialReset(directory.path)
    reset.setAside(directory, andKey: false)
    reset.setKeyAside(keyStore, of: directory)
    noteVersion()
    knowledge.withLock { $0.mayExceedLimit = true }
    reset.perform { () throws(KeepsakeError) in try removeMark() }
    reset.perform { () throws(KeepsakeError) in try pinRemoval(replacesUnreadable: true) }
    try reset.requireCompleteness()
  }

  @discardableResult
  package func setAside(_ reason: String, keepingOriginal: Bool) throws(KeepsakeError) -> String {
    try KeepsakeError.access { () throws(FileError) in
      let asidePath = try DurableFile.freePath(beside: directory.archivePath, reason)
      if keepingOriginal {
        try DurableFile.preserve(directory.archivePath, as: asidePath)
      } else {
        try DurableFile.moveEntry(from: directory.archivePath, to: asidePath)
      }
      knowledge.withLock { $0.mayExceedLimit = true }
      return asidePath
    }
  }

  /// Sets the archive of a failed restore aside, and removes the mark.
  package func setInterruptedAside() throws(KeepsakeError) -> String {
    try lock()
    try requireUnchanged()
    // The point of no return: errors after it say where the state is.
    let asidePath = try setAside("interrupted", keepingOriginal: false)
    noteVersion()
    do throws(KeepsakeError) {
      try removeMark()
    } catch {
      throw error.after(
        "The saved state was moved to \(asidePath), because an earlier launch ended while restoring it.",
        "Prepare again to continue.")
    }
    return asidePath
  }

  func kind(of path: String) throws(KeepsakeError) -> FileKind {
    try KeepsakeError.access { () throws(FileError) in try DurableFile.kind(of: path) }
  }

  private func remove(_ path: String) throws(KeepsakeError) {
    try KeepsakeError.access { () throws(FileError) in
      if try DurableFile.kind(of: path) != .absent { try DurableFile.remove(at: path) }
    }
  }
}
