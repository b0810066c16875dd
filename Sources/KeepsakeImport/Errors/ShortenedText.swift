extension String {
  /// The text as an error quotes it: at most 80 of its characters.
  package var shortened: String { cut(to: 80) }

  /// The text; in a text longer than `limit`, a note with the number of omitted characters replaces the middle.
  package func cut(to limit: Int) -> String {
    let count = unicodeScalars.count
    guard count > limit else { return self }
    let (start, end) = (unicodeScalars.prefix(limit * 3 / 4), unicodeScalars.suffix(limit / 4))
    let omittedCount = count - start.count - end.count
    return "\(String(start)) … (\(omittedCount) characters left out) … \(String(end))"
  }
}
