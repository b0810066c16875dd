extension Duration {
  /// The duration in milliseconds, as people are shown it.
  var shown: String {
    let (seconds, attoseconds) = components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    return "\(microseconds / 1000).\(String(1000 + microseconds % 1000).dropFirst()) ms"
  }
}
