import Dispatch
import KeepsakeFiles
public import KeepsakeRestoration
import KeepsakeSeal
import Synchronization

extension StateSaver {
  /// Saves the changes when the process ends in order: at SIGTERM, SIGINT and SIGHUP, and at a normal exit.
  ///
  /// Call it once, when the app has started. The saver and its app are kept alive from then on, until ``shutDown()``
  /// is called.
  ///
  /// At a signal the saver is shut down on the main actor, as by ``shutDown()``, while a thread of its own waits for
  /// it; then the signal is raised again with its default action, so that the exit status of the process shows it. A
  /// signal that the app handles or ignores at the time of this call is left to the app. If the state belongs to a
  /// ``StateSession`` in the foreground, the session records the reason: SIGINT is from the user, the others are from
  /// the system.
  ///
  /// At a normal exit, that is when the main function returns or `exit` is called, the state is encoded on the
  /// main actor, and the exiting thread waits until it is written. Other ends, such as SIGKILL, a trap or
  /// `_exit`, save nothing.
  ///
  /// Both need the main actor: if it is blocked for longer than the limit, the process ends without saving the last
  /// changes. Rules: Spec/state.md, section 5.1.
  ///
  /// - Parameter limit: The maximum delay of the end; with several savers the longest limit counts. By default five
  ///   seconds: systems kill a process that has not ended after about ten.
  /// - Throws: `RestorationError` with `storeUnavailable` when the system has no descriptor or thread left, and
  ///   with `applicationReleased` when the app no longer exists.
  public func saveAtExit(within limit: Duration = .seconds(5)) throws(RestorationError) {
    try ExitSaving.shared.add(self, keeping: requireDelegate(), within: limit)
  }
}

/// The savers that save when the process ends.
@MainActor
final class ExitSaving {
  private struct Member {
    let saver: StateSaver
    /// The app, which the saver itself holds weakly.
    let app: any RestorationDelegate
  }

  static let shared = ExitSaving()

  private var members: [Member] = []
  private var isWatching = false
  private nonisolated let limit = Mutex(Duration.zero)

  func add(
    _ saver: StateSaver, keeping app: any RestorationDelegate, within limit: Duration
  ) throws(RestorationError) {
    if !isWatching { try watch() }
    isWatching = true
    remove(saver)
    members.append(Member(saver: saver, app: app))
    self.limit.withLock { $0 = max($0, limit) }
  }

  func remove(_ saver: StateSaver) { members.removeAll { $0.saver === saver } }

  private func watch() throws(RestorationError) {
    MainQueue.mark()
    try RestorationError.reporting { () throws(KeepsakeError) in
      try KeepsakeError.access { () throws(FileError) in
        _ = try ProcessEnd.watchSignals { number in
          self.wait { done in
            Task { @MainActor in
              await self.shutDown(ProcessEnd.isOfUser(number) ? .userQuit : .systemKill)
              done.signal()
            }
          }
          return true
        }
      }
    }
    ProcessEnd.atNormalExit { self.saveAtNormalExit() }
  }

  /// Starts work elsewhere and waits for it, for at most the limit.
  private nonisolated func wait(for work: (DispatchSemaphore) -> Void) {
    let done = DispatchSemaphore(value: 0)
    let limit = limit.withLock { $0 }
    work(done)
    _ = done.wait(timeout: .now() + max(0, limit / .seconds(1)))
  }

  /// Shuts all savers down, and gives their sessions the reason.
  private func shutDown(_ reason: RestorationReason) async {
    let ends = members.map { member in
      Task {
        try? await member.saver.shutDown()
        await (member.saver.coordinator.store as? StateSession)?.noteEnd(reason)
      }
    }
    for end in ends { await end.value }
  }

  private nonisolated func saveAtNormalExit() {
    guard MainQueue.isCurrent else {
      return wait { done in
        Task { @MainActor in
          let writes = self.members.compactMap { $0.saver.finalWrite() }
          for (write, error) in zip(writes, await Self.perform(writes)) { write.report(error) }
          done.signal()
        }
      }
    }
    // Nothing else runs on the main actor after this, so the writes must not need it.
    MainActor.assumeIsolated {
      let writes = members.compactMap { $0.saver.finalWrite() }
      let outcomes = FinalOutcomes()
      wait { done in
        Task.detached {
          let results = await Self.perform(writes)
          outcomes.errors.withLock { $0 = results }
          done.signal()
        }
      }
      for (write, error) in zip(writes, outcomes.errors.withLock { $0 }) { write.report(error) }
    }
  }

  private nonisolated static func perform(_ writes: [FinalWrite]) async -> [RestorationError?] {
    await withTaskGroup(of: (Int, RestorationError?).self) { group in
      for (index, write) in writes.enumerated() { group.addTask { (index, await write.run()) } }
      var errors = [RestorationError?](repeating: nil, count: writes.count)
      for await (index, error) in group { errors[index] = error }
      return errors
    }
  }
}

/// The last write of a saver, which does not need the main actor.
struct FinalWrite: Sendable {
  let run: @Sendable () async -> RestorationError?
  /// Reports the result to the app.
  let report: @MainActor @Sendable (RestorationError?) -> Void
}

/// The results of the last writes, once they are done.
private final class FinalOutcomes: Sendable {
  let errors = Mutex<[RestorationError?]>([])
}

/// The queue of the main actor, also after the main thread has exited.
private enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()

  static func mark() { DispatchQueue.main.setSpecific(key: key, value: true) }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
