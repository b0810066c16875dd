extension String {
  /// The text as a sentence quotes a value of a file: at most 80 characters of it.
  package var shortened: String { cut(to: 80) }

  /// The text; if it is longer, the number of left-out characters replaces its middle.
  package func cut(to limit: Int) -> String {
    let count = unicodeScalars.count
    guard count > limit else { return self }
    let (start, end) = (unicodeScalars.prefix(limit * 3 / 4), unicodeScalars.suffix(limit / 4))
    let left = count - start.count - end.count
    return "\(String(start)) … (\(left) characters left out) … \(String(end))"
  }
}
