/// What a save wrote, what it left out, and why.
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
  /// What was left out, and why.
  public let diagnostics: [RestorationDiagnostic]
  /// The size of the archive in bytes, before it is sealed.
  public let archiveByteCount: Int
  /// Whether the next launch shows no picture of the interface as it was.
  public let ignoresSnapshot: Bool
  /// How long the objects took to encode; sealing and writing are not in it.
  public let duration: Duration
}

extension SaveReport {
  /// The objects that were saved, in the order in which they were asked to encode.
  ///
  /// - Complexity: In proportion to their number the first time, and at once from then on.
  public var objects: [ReportedObject] { reported.objects }

  static let declined = SaveReport(
    outcome: .declined, reported: .none, diagnostics: [], archiveByteCount: 0,
    ignoresSnapshot: false,
    duration: .zero)
}

extension SaveReport: CustomStringConvertible {
  /// The objects as a tree, what was left out, and how long it took.
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
  /// The duration in milliseconds, as people are shown it.
  var shown: String {
    let (seconds, attoseconds) = components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return "\(microseconds / 1000).\(String(1000 + microseconds % 1000).dropFirst()) ms"
  }
}
