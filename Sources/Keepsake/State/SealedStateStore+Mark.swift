import KeepsakeFiles
import KeepsakeRestoration
import KeepsakeSeal
import Synchronization

// The mark of a launch that the restored state may kill (Spec/state.md, section 1, rules 6 and 12).
extension SealedStateStore {
  private static let markByteLimit = 64
  /// The maximum number of failed launches that is read from a mark.
  private static let attemptLimit = 1_000_000

  /// Writes the mark, and replaces whatever is at its path.
  func writeMark(attempt: Int) throws(KeepsakeError) {
    try lock()
    let path = directory.restorationMarkPath
    switch try kind(of: path) {
    case .absent, .regular: break
    default: try clearMark()
    }
    let boot = MachineBoot.identifier
    let mark = Array("\(attempt)\n\(boot.isEmpty ? "" : "\(boot)\n")".utf8)
    // The store is added first, so that an ordered end of the process right after the write removes the mark.
    EndingLaunches.shared.add(self)
    try KeepsakeError.access { () throws(FileError) in
      do throws(FileError) {
        try DurableFile.replace(at: path, with: mark.span)
      } catch  where error.code == .durabilityUnknown {
        // The mark is in place for the next launch; only a power cut could undo it, and that is not a crash.
      }
    }
  }

  /// Removes the mark, because the launch has succeeded or there is nothing to restore.
  func removeMark() throws(KeepsakeError) {
    try clearMark()
    EndingLaunches.shared.remove(self)
  }

  /// Removes whatever is at the path of the mark; only a directory that is not empty is set aside instead.
  private func clearMark() throws(KeepsakeError) {
    let path = directory.restorationMarkPath
    try KeepsakeError.access { () throws(FileError) in
      do throws(FileError) {
        try DurableFile.removeEntry(at: path)
      } catch {
        guard (try? DurableFile.kind(of: path)) == .directory else { throw error }
        _ = try DurableFile.setAside(path, "set-aside")
      }
    }
  }

  /// Removes the mark because the process ends in order, if this store still holds the directory.
  func removeMarkAtEnd() {
    guard (try? hasLockInPlace()) == true else { return }
    try? clearMark()
  }

  /// The number of launches in a row that have died, according to the mark; 0 without a mark.
  ///
  /// A mark that cannot be read, or has other content, counts as one launch and is not an error.
  func markedFailureCount() -> Int {
    let path = directory.restorationMarkPath
    guard (try? DurableFile.kind(of: path)) != .absent else { return 0 }
    let mark = (try? DurableFile.read(at: path, upTo: Self.markByteLimit)) ?? []
    let lines = String(decoding: mark, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let number = lines.first.flatMap { Int($0) } ?? 1
    let attempt = min(max(1, number), Self.attemptLimit)
    // The launch that left the mark ended with the machine, so its state did not kill it.
    return lines.count == 3 && MachineBoot.isEarlier(lines[1]) ? attempt - 1 : attempt
  }
}

/// The stores that have written a mark, which an ordered end of the process removes.
///
/// A signal that would end the process is caught as long as there is a mark and the signal has its default action,
/// which it gets back afterwards.
private final class EndingLaunches: Sendable {
  private struct Member {
    weak var store: SealedStateStore?
  }

  private struct State {
    var members: [Member] = []
    var isExitWatched = false
    var watch: ProcessEnd.SignalWatch?
  }

  static let shared = EndingLaunches()

  private let state = Mutex(State())

  func add(_ store: SealedStateStore) {
    state.withLock { state in
      state.members.removeAll { $0.store == nil || $0.store === store }
      state.members.append(Member(store: store))
      if !state.isExitWatched {
        state.isExitWatched = true
        ProcessEnd.atNormalExit { self.end() }
      }
      // If no thread can be made to watch signals, a signal counts as the death of the launch.
      if state.watch == nil {
        state.watch = try? ProcessEnd.watchSignals(comesFirst: true) { _ in
          self.end()
          return true
        }
      }
    }
  }

  func remove(_ store: SealedStateStore) {
    let watch = state.withLock { state -> ProcessEnd.SignalWatch? in
      state.members.removeAll { $0.store == nil || $0.store === store }
      guard state.members.isEmpty else { return nil }
      return state.watch.take()
    }
    if let watch { ProcessEnd.endWatch(watch) }
  }

  private func end() {
    let stores = state.withLock { $0.members.compactMap(\.store) }
    for store in stores { store.removeMarkAtEnd() }
  }
}
