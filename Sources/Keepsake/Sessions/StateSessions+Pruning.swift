import KeepsakeFiles
import KeepsakeSeal
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Removal of sessions by the policy (Spec/state.md, section 4).
extension StateSessions {
  /// A session that was inspected.
  struct Found {
    let files: SessionFiles
    let summary: SessionSummary
    let isDiscarded: Bool

    /// True when no process uses it and all facts for a decision are known.
    var isFree: Bool { !summary.isInUse && summary.problem == nil }
  }

  /// Inspects each session, the last saved one first; a session that cannot be inspected does not stop the others.
  func found() throws(KeepsakeError) -> [Found] {
    var found: [Found] = []
    for files in try SessionFiles.all(in: folder) {
      do throws(KeepsakeError) {
        guard try files.isSession() else { continue }
        let lock = try Self.lockForReading(files, .exclusive)
        defer { withExtendedLifetime(lock) {} }
        found.append(
          Found(
            files: files, summary: try files.summary(isInUse: false),
            isDiscarded: files.record?.use == .discarded))
      } catch  where error.code == .stateInUse {
        found.append(foundInUse(files))
      } catch {
        found.append(Found(files: files, summary: files.summary(error), isDiscarded: false))
      }
    }
    return found.sorted { first, second in
      let (one, other) = (first.summary, second.summary)
      return (other.lastSaved ?? .distantPast, one.identifier)
        < (one.lastSaved ?? .distantPast, other.identifier)
    }
  }

  private func foundInUse(_ files: SessionFiles) -> Found {
    do throws(KeepsakeError) {
      return Found(
        files: files, summary: try files.summary(isInUse: true),
        isDiscarded: files.record?.use == .discarded)
    } catch {
      return Found(files: files, summary: files.summary(error), isDiscarded: false)
    }
  }

  func pruned() throws(KeepsakeError) -> [SessionRemoval] {
    // Nothing else is written in this folder for long, so nothing else removes old temporary files from it.
    DurableFile.removeStaleTemporaries(besides: folder.keyPath)
    let now = now()
    var removals: [SessionRemoval] = []
    var kept: [Found] = []
    for session in try found() {
      if let problem = session.summary.problem {
        // A session that could not be inspected is reported, and does not count toward the limits.
        removals.append(
          SessionRemoval(
            identifier: session.files.identifier, cause: .unreadable, failure: problem))
      } else if session.isFree, let cause = cause(of: session, at: now) {
        removals.append(
          cause == .setAside ? setAside(session.files, at: now) : remove(session.files, cause))
      } else if session.files.expiredAt == nil {
        kept.append(session)
      }
    }
    var count = kept.count
    var byteCount = kept.map(\.summary.byteCount).reduce(0, +)
    // The session that was saved longest ago is removed first.
    for session in kept.reversed() where session.isFree {
      if count <= policy.maximumCount, byteCount <= policy.maximumByteCount { break }
      removals.append(remove(session.files, .overBudget))
      count -= 1
      byteCount -= session.summary.byteCount
    }
    return removals
  }

  /// The reason to remove or set aside a session that no process uses, apart from the budget; nil to keep it.
  private func cause(of session: Found, at now: Date) -> SessionRemoval.Cause? {
    if session.isDiscarded { return .discarded }
    guard let lastSaved = session.summary.lastSaved else { return .orphaned }
    guard policy.isExpired(lastSaved, at: now) else { return nil }
    guard let date = session.summary.expired else { return .setAside }
    // A session that this launch has set aside is left to a later launch.
    let isOwn = setAsideHere.withLock { $0.contains(session.files.directory) }
    return !isOwn && policy.mayBeErased(setAside: date, at: now) ? .expired : nil
  }

  private func setAside(_ files: SessionFiles, at now: Date) -> SessionRemoval {
    report(files, .setAside) { () throws(KeepsakeError) in
      let files = try files.setAside(at: now)
      _ = setAsideHere.withLock { $0.insert(files.directory) }
      return SessionFiles.ErasureResult()
    }
  }

  private func remove(_ files: SessionFiles, _ cause: SessionRemoval.Cause) -> SessionRemoval {
    report(files, cause) { () throws(KeepsakeError) in
      let remains = try files.remove()
      removePin(of: files)
      return remains
    }
  }

  /// Changes a session that no process uses, and reports the result.
  ///
  /// The lock of the folder of all sessions keeps other processes from opening the session, and the session's own lock
  /// keeps migrations from going on.
  private func report(
    _ files: SessionFiles, _ cause: SessionRemoval.Cause,
    _ work: () throws(KeepsakeError) -> SessionFiles.ErasureResult
  ) -> SessionRemoval {
    do throws(KeepsakeError) {
      guard let lock = try Self.unusedLock(of: files) else { throw Self.inUse(files) }
      defer { withExtendedLifetime(lock) {} }
      let remains = try work()
      return SessionRemoval(
        identifier: files.identifier, cause: cause, foreignNames: remains.foreignNames,
        otherKeyNames: remains.otherKeyNames)
    } catch {
      return SessionRemoval(identifier: files.identifier, cause: cause, failure: error)
    }
  }
}
