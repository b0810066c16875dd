/// A column of an index that most states leave out, because all its numbers are zero.
struct SparseColumn<Number: FixedWidthInteger & Sendable>: Sendable {
  /// The numbers of the first rows; the rows after them have zero.
  private(set) var numbers: [Number]

  init(_ numbers: [Number] = []) {
    self.numbers = numbers
  }

  subscript(row: Int) -> Number {
    get { row < numbers.count ? numbers[row] : 0 }
    set {
      if row < numbers.count {
        numbers[row] = newValue
      } else if newValue != 0 {
        if row > numbers.count {
          numbers.append(contentsOf: repeatElement(0, count: row - numbers.count))
        }
        numbers.append(newValue)
      }
    }
  }

  /// Forgets the rows from a number on.
  mutating func truncate(to count: Int) {
    if numbers.count > count { numbers.removeLast(numbers.count - count) }
  }

  /// The numbers of all rows, or none when all are zero.
  func padded(to count: Int) -> [Number] {
    if numbers.allSatisfy({ $0 == 0 }) { return [] }
    if numbers.count == count { return numbers }
    return numbers + repeatElement(0, count: count - numbers.count)
  }
}
