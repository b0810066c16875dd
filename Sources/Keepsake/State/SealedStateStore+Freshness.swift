import KeepsakeSeal
import Synchronization

// What a state is for, which save it is, and whether it is the last one (Spec/state.md, 1.1 and 1.2).
extension SealedStateStore {
  /// Opens the archive, unless it was saved for another purpose, or an older one than its pin's.
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

  /// The generation that the next save goes beyond, and whether the archive is damaged.
  ///
  /// The key is that of the archive that is there, `nil` when there is none.
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

  /// Keeps the pin of the state that was just written.
  func pin(_ summary: SealedFileSummary, generation: UInt64) throws(KeepsakeError) {
    try keep(SealedFilePin(summary, generation: generation), of: "saved")
  }

  /// Keeps the pin of a state that is later than its pin, or has none; the next save tries again.
  func pinAsFound(_ file: SealedFile) {
    guard let freshnessStore, file.freshness != .exact, let pin = try? file.contentPin() else {
      return
    }
    try? freshnessStore.keep(pin, of: directory.purpose)
  }

  /// Keeps a pin that no file has, one generation later, so that no removed state is put back; for a reset,
  /// which is the way out, also in place of a pin that cannot be read.
  func pinAsRemoved(replacesUnreadable: Bool = false) throws(KeepsakeError) {
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

  /// The change of the state was made by then.
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
    // What the file says of itself is repeated only when the key confirms it.
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
