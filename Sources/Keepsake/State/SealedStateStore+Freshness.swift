import KeepsakeSeal
import Synchronization

// The purpose, the generation and the freshness of a state (Spec/state.md, 1.1 and 1.2).
extension SealedStateStore {
  /// Opens the archive; refuses one that was saved for another purpose or is older than its pin.
  func openArchive(with key: SealKey) throws(KeepsakeError) -> SealedFile {
    let path = directory.archivePath
    let pin = try keptPin()
    do throws(SealError) {
      let file = try SealedFile.open(
        path, with: [.key(key)], context: directory.purpose.context,
        expecting: pin.map { .notBefore($0) } ?? .nothing)
      knowledge.withLock { knowledge in
        knowledge.generation = file.generation
        knowledge.freshness = file.freshness
      }
      return file
    } catch {
      switch error.code {
      case .contextMismatch: throw wrongPurpose(key)
      case .staleFile:
        throw KeepsakeError(
          .staleState,
          "An older state was put in the place of the last one at \(path), so it was neither opened nor "
            + "changed. Put the last one back, or reset the state: this one is then set aside, not "
            + "deleted.", error)
      default: throw KeepsakeError(opening: error)
      }
    }
  }

  /// The last generation, which the next save continues, and whether the present archive is damaged.
  ///
  /// `key` is the key of the present archive; nil without an archive.
  func lastGeneration(_ key: SealKey?) throws(KeepsakeError) -> (UInt64, isDamaged: Bool) {
    if let generation = knowledge.withLock({ $0.generation }) { return (generation, false) }
    var isDamaged = false
    if let key {
      do throws(KeepsakeError) {
        return (try openArchive(with: key).generation, false)
      } catch {
        guard error.code == .damaged else { throw error }
        isDamaged = true
      }
    }
    return (try keptPin()?.generation ?? 0, isDamaged)
  }

  /// The generation of the archive that was last read, written or removed; nil before that.
  package var generation: UInt64? { knowledge.withLock { $0.generation } }

  /// Makes the generation of the next save later than one that is known elsewhere, unless the present archive was not
  /// read.
  package func continueGenerations(after generation: UInt64) throws(KeepsakeError) {
    let isAbsent = try kind(of: directory.archivePath) == .absent
    knowledge.withLock { knowledge in
      guard isAbsent || knowledge.generation != nil else { return }
      knowledge.generation = max(knowledge.generation ?? 0, generation)
    }
  }

  /// Stores the pin of the state that was just written.
  func pin(_ summary: SealedFileSummary, generation: UInt64) throws(KeepsakeError) {
    try keep(SealedFilePin(summary, generation: generation), of: "saved")
  }

  /// Stores the pin of a state that is newer than its pin or has none.
  ///
  /// If that fails, the next save tries again.
  func pinOpened(_ file: SealedFile) {
    guard let freshnessStore, file.freshness != .exact, let pin = try? file.contentPin() else {
      return
    }
    try? freshnessStore.keep(pin, of: directory.purpose)
  }

  /// Stores a pin that no file matches, one generation later, so that a removed state is refused when it is put back.
  ///
  /// A reset must help when nothing else does, so it also replaces a pin that cannot be read.
  func pinRemoval(replacesUnreadable: Bool = false) throws(KeepsakeError) {
    guard freshnessStore != nil else { return }
    var last = knowledge.withLock { $0.generation } ?? 0
    do throws(KeepsakeError) {
      last = max(last, try keptPin()?.generation ?? 0)
    } catch {
      guard replacesUnreadable else { throw pinNotKept(of: "removed", error) }
    }
    guard last > 0 || replacesUnreadable else { return }
    let pin = SealedFilePin(ofNoFileAt: last &+ 1)
    knowledge.withLock { $0.generation = pin.generation }
    try keep(pin, of: "removed")
  }

  private func keep(_ pin: SealedFilePin, of change: String) throws(KeepsakeError) {
    guard let freshnessStore else { return }
    do throws(KeepsakeError) {
      try freshnessStore.keep(pin, of: directory.purpose)
    } catch {
      throw pinNotKept(of: change, error)
    }
  }

  /// The error when the state was changed, but its pin was not stored.
  private func pinNotKept(of change: String, _ error: KeepsakeError) -> KeepsakeError {
    KeepsakeError(
      .pinNotKept,
      "The state at \(directory.archivePath) was \(change), but its pin was not kept, so that an older "
        + "state in its place would not be noticed before the next save. \(error.cause)",
      at: directory.archivePath, underlyingError: error)
  }

  private func keptPin() throws(KeepsakeError) -> SealedFilePin? {
    try freshnessStore?.pin(of: directory.purpose)
  }

  private func wrongPurpose(_ key: SealKey) -> KeepsakeError {
    let path = directory.archivePath
    // The message names the purpose in the file only when the key confirms it.
    let stated = (try? SealedFile.inspect(path))?.statePurpose
    let isConfirmed =
      stated.map { (try? SealedFile.open(path, with: [.key(key)], context: $0.context)) != nil }
      ?? false
    let other = isConfirmed ? stated.map { "\($0)" } : nil
    return KeepsakeError(
      .wrongPurpose,
      "The state at \(path) was saved for \(other ?? "another purpose") and not for "
        + "\(directory.purpose), so it was neither opened nor changed. Put the right one back, or reset the "
        + "state: this one is then set aside, not deleted.", at: path)
  }
}
