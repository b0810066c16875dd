import KeepsakeRestoration
import KeepsakeSeal
import Synchronization

// The mark of a launch that the restored state may end (Spec/state.md, section 1, rules 6 and 12).
extension SealedStateStore {
  private static let markByteLimit = 64
  /// The most failed launches that are read from a mark; counting continues from there.
  private static let attemptLimit = 1_000_000

  /// Writes the mark, in place of whatever is there.
  func writeMark(attempt: Int) throws(KeepsakeError) {
    try lock()
    let path = directory.restorationMarkPath
    switch try kind(of: path) {
    case .absent, .regular: break
    default: try takeMarkAway()
    }
    let boot = MachineBoot.identifier
    let mark = Array("\(attempt)\n\(boot.isEmpty ? "" : "\(boot)\n")".utf8)
    // The store is added first: an ordered end of the process right after the write then removes the mark.
    EndingLaunches.shared.add(self)
    try KeepsakeError.access { () throws(SealError) in
      do throws(SealError) {
        try DurableFile.replace(at: path, with: mark.span)
      } catch  where error.code == .durabilityUnknown {
        // The mark is there for the next launch; only a power cut could undo it, and that is no crash of the app.
      }
    }
  }

  /// Takes the mark away, since the launch has succeeded or there is nothing to restore.
  func removeMark() throws(KeepsakeError) {
    try takeMarkAway()
    EndingLaunches.shared.remove(self)
  }

  /// Takes away whatever is in the place of the mark; only a directory with something in it is kept, under
  /// another name.
  private func takeMarkAway() throws(KeepsakeError) {
    let path = directory.restorationMarkPath
    try KeepsakeError.access { () throws(SealError) in
      do throws(SealError) {
        try DurableFile.removeEntry(at: path)
      } catch {
        guard (try? DurableFile.kind(of: path)) == .directory else { throw error }
        _ = try DurableFile.setAside(path, "set-aside")
      }
    }
  }

  /// Takes the mark away because the process ends in order, if the directory is still this store's.
  func removeMarkAtEnd() {
    guard (try? hasLockInPlace()) == true else { return }
    try? takeMarkAway()
  }

  /// How many launches in a row have died, according to the mark; 0 without a mark.
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
    // The launch that left the mark ended with the machine: it did not die of its state.
    return lines.count == 3 && MachineBoot.isEarlier(lines[1]) ? attempt - 1 : attempt
  }
}

/// The stores that have left a mark, which an ordered end of the process takes away.
///
/// A signal that would end the process in order is caught as long as there is a mark and the signal has its own effect.
/// It gets this effect back afterwards.
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
      // Without a thread that could watch, a signal counts as the death of the launch.
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
