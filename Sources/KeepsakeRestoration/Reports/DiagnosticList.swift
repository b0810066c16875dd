/// What a save or a restore has to tell, as far as somebody would read it.
///
/// A hostile state can have more to complain of than memory for the complaints.
struct DiagnosticList {
  /// The most that are kept, without the one that says how many more there were.
  static let limit = 10_000

  private var kept: [RestorationDiagnostic] = []
  private var omittedCount = 0

  mutating func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath?,
    _ message: @autoclosure () -> String
  ) {
    if kept.count < Self.limit {
      kept.append(RestorationDiagnostic(code, at: path, message()))
    } else {
      omittedCount += 1
    }
  }

  var all: [RestorationDiagnostic] {
    if omittedCount == 0 { return kept }
    return kept + [
      RestorationDiagnostic(
        .omitted, at: nil,
        "\(omittedCount) more notices were left out; mend the causes of the first ones.")
    ]
  }
}
