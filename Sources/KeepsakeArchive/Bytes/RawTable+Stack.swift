extension RawTable {
  /// Forgets the last rows.
  mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  /// Takes the last row off.
  mutating func removeLast() -> Row {
    let row = self[count - 1]
    count -= 1
    return row
  }
}
