/// The report of a save: the saved objects, those that were left out, and why.
public struct SaveReport: Hashable, Sendable {
  /// How a save ended.
  public enum Outcome: Hashable, Sendable {
    /// The state was written.
    case saved
    /// The delegate declined to save; an older archive was removed.
    case declined
  }

  /// How the save ended.
  public let outcome: Outcome
  let reported: ReportedObjects
  /// The notices: everything that was left out, and why.
  public let diagnostics: [RestorationDiagnostic]
  /// The size of the archive in bytes, before it is sealed.
  public let archiveByteCount: Int
  /// True when the next launch shows no snapshot of the earlier interface.
  public let ignoresSnapshot: Bool
  /// The time for encoding the objects, without sealing and writing the archive.
  public let duration: Duration
}

extension SaveReport {
  /// The saved objects, in the order in which they were encoded.
  ///
  /// - Complexity: O(*n*) in their number the first time, O(1) from then on.
  public var objects: [ReportedObject] { reported.objects }

  static let declined = SaveReport(
    outcome: .declined, reported: .none, diagnostics: [], archiveByteCount: 0,
    ignoresSnapshot: false,
    duration: .zero)
}

extension SaveReport: CustomStringConvertible {
  /// The objects as a tree, the notices, and the duration.
  public var description: String {
    switch outcome {
    case .saved:
      let heading = "Saved \(objects.count) objects in an archive of \(archiveByteCount) bytes."
      return
        ([heading] + objects.tree.map { "  " + $0 } + diagnostics.map { "  ! \($0)" }
        + ["Encoding took \(duration.shown)."])
        .joined(separator: "\n")
    case .declined: return "Nothing was saved, because the application declined."
    }
  }
}

extension Duration {
  /// The duration in milliseconds, in the form for messages.
  var shown: String {
    let (seconds, attoseconds) = components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return "\(microseconds / 1000).\(String(1000 + microseconds % 1000).dropFirst()) ms"
  }
}
