import KeepsakeSeal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// What is kept, and for how long (Spec/state.md, section 4).
extension StateSessions {
  func pruned() throws(KeepsakeError) -> [SessionRemoval] {
    var removals: [SessionRemoval] = []
    var kept: [SessionSummary] = []
    for summary in try summaries() {
      let cause = summary.isInUse ? nil : cause(of: summary)
      if let cause {
        removals.append(remove(summary.identifier, cause))
      } else {
        kept.append(summary)
      }
    }
    var count = kept.count
    var byteCount = kept.map(\.byteCount).reduce(0, +)
    // The longest unused first.
    for summary in kept.reversed() where !summary.isInUse {
      if count <= policy.maximumCount, byteCount <= policy.maximumByteCount { break }
      removals.append(remove(summary.identifier, .overBudget))
      count -= 1
      byteCount -= summary.byteCount
    }
    return removals
  }

  /// Under the directory's lock nobody can begin to use the session.
  private func remove(
    _ identifier: SessionIdentifier, _ cause: SessionRemoval.Cause
  ) -> SessionRemoval {
    let failure: KeepsakeError?
    do throws(KeepsakeError) {
      try SessionFiles(identifier, in: path).remove()
      failure = nil
    } catch {
      failure = error
    }
    return SessionRemoval(identifier: identifier, cause: cause, failure: failure)
  }

  /// Why a session that nobody uses has to go whatever the budget, if it has to.
  private func cause(of summary: SessionSummary) -> SessionRemoval.Cause? {
    let files = SessionFiles(summary.identifier, in: path)
    if files.record?.use == .discarded { return .discarded }
    guard let lastSaved = summary.lastSaved else { return .orphaned }
    guard let expiry = policy.expiry else { return nil }
    return now().timeIntervalSince(lastSaved) > expiry / .seconds(1) ? .expired : nil
  }
}
