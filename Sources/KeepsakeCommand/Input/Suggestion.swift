import Keepsake

/// The name that a user may have meant.
enum Suggestion {
  /// The most names that are compared.
  static let candidateLimit = 1_000
  /// The most bytes of a name that is compared.
  static let longest = 64

  /// The nearest of some names; nil if none is near.
  ///
  /// A name is near if at most a third of its letters differ. Upper and lower case count as equal.
  static func nearest(to name: String, in names: some Sequence<String>) -> String? {
    guard name.utf8.count <= longest else { return nil }
    let wanted = Array(name.lowercased().unicodeScalars)
    var best: (name: String, distance: Int)?
    for candidate in names.prefix(candidateLimit) where candidate.utf8.count <= longest {
      let letters = Array(candidate.lowercased().unicodeScalars)
      let distance = distance(wanted, letters)
      guard 3 * distance <= max(wanted.count, letters.count), distance < best?.distance ?? .max
      else { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// The number of letters that are changed, added, removed, or exchanged with their neighbour.
  static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var current = [row + 1]
      for (column, otherLetter) in other.enumerated() {
        var cost = min(
          last[column] + (letter == otherLetter ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == otherLetter {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[other.count]
  }
}
