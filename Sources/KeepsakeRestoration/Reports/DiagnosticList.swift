/// What a save or a restore has to tell, as far as somebody would read it.
///
/// A hostile state can have more to complain of than memory for the complaints.
struct DiagnosticList {
  /// The most that are kept, without the one that says how many more there were.
  static let limit = 10_000

  private var kept: [RestorationDiagnostic] = []
  private var omittedCount = 0

  /// Adds a notice.
  ///
  /// - Returns: Its place, or `nil` when it is one too many.
  @discardableResult
  mutating func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath?,
    _ message: @autoclosure () -> String
  ) -> Int? {
    guard kept.count < Self.limit else {
      omittedCount += 1
      return nil
    }
    kept.append(RestorationDiagnostic(code, at: path, message()))
    return kept.count - 1
  }

  /// Adds a sentence to the notice at a place.
  mutating func amend(_ place: Int, _ sentence: String) {
    let notice = kept[place]
    kept[place] = RestorationDiagnostic(notice.code, at: notice.path, notice.message + sentence)
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
