import KeepsakeArchive
public import KeepsakeMigration

/// The report of a restore: the restored objects, those that were left out, and why.
public struct RestoreReport: Hashable, Sendable {
  /// How a restore ended.
  public enum Outcome: Hashable, Sendable {
    /// The saved state was restored; see the objects for the result of each.
    case restored
    /// Nothing had been saved.
    case nothingSaved
    /// Nothing was restored, for a reason.
    case refused(Refusal)
  }

  /// The reason why a saved state was not restored.
  public enum Refusal: Hashable, Sendable {
    /// This program does not open the bundle version of the state.
    case version(MigrationError)
    /// The state was altered or cut short, or is not a saved state.
    case damaged(String)
    /// The key of the state is unavailable; nothing is overwritten in this launch.
    case keyUnavailable(String)
    /// The store cannot be read; nothing is overwritten in this launch.
    case storeUnavailable(String)
    /// The previous launch ended while it was restoring this state.
    case interrupted(String)
    /// The delegate declined to restore the state, or threw an error.
    case declined(String)
    /// The program was launched to open a link, which wins over the saved state.
    case linkOpened
    /// ``RestorationCoordinator/prepare()`` had not been called.
    case notPrepared
    /// The restore of this launch is under way or done: a state is restored once in a launch.
    case outOfTurn
  }

  /// How the restore ended.
  public let outcome: Outcome
  private let reported: ReportedObjects
  /// The notices: everything that was not restored, or only in part, and why.
  public let diagnostics: [RestorationDiagnostic]
  /// The time for making and decoding the objects, without reading and unsealing the archive.
  public let duration: Duration

  init(
    _ outcome: Outcome, _ reported: ReportedObjects = .none,
    diagnostics: [RestorationDiagnostic] = [], duration: Duration = .zero
  ) {
    self.outcome = outcome
    self.reported = reported
    self.diagnostics = diagnostics
    self.duration = duration
  }

  /// The saved objects, in the order in which they were saved.
  ///
  /// - Complexity: O(*n*) in their number the first time, O(1) from then on.
  public var objects: [ReportedObject] { reported.objects }

  func adding(_ error: RestorationError) -> RestoreReport {
    RestoreReport(
      outcome, reported,
      diagnostics: diagnostics + [RestorationDiagnostic(.storeFailed, at: nil, error.message)],
      duration: duration)
  }
}

extension RestoreReport.Refusal: CustomStringConvertible {
  /// A full sentence that says why, and what to do.
  public var description: String {
    switch self {
    case .version(let error): error.description
    case .damaged(let message), .keyUnavailable(let message), .storeUnavailable(let message),
      .interrupted(let message), .declined(let message):
      message.displayed
    case .linkOpened:
      "Nothing was restored, because the program was launched to open a link."
    case .notPrepared:
      "Nothing was restored, because prepare() had not been called; call it before restore()."
    case .outOfTurn:
      "Nothing was restored by this call, because the restore of this launch is under way or done; a "
        + "state is restored once in a launch."
    }
  }
}

extension RestoreReport: CustomStringConvertible {
  /// The outcome, the objects as a tree, the notices, and the duration.
  public var description: String {
    let heading =
      switch outcome {
      case .restored:
        "Restored \(objects.count { $0.disposition == .restored }) of \(objects.count) objects."
      case .nothingSaved: "Nothing had been saved."
      case .refused(let refusal): refusal.description
      }
    let timing = outcome == .restored ? ["Making and decoding took \(duration.shown)."] : []
    return
      ([heading] + objects.tree.map { "  " + $0 } + diagnostics.map { "  ! \($0)" } + timing)
      .joined(separator: "\n")
  }
}
