/// Which rows numbers lead to, in places that are as many as a power of two.
///
/// Any number leads to a place by its lower bits, and what is in a place is the number of a row, which
/// was checked when it was put there: so nothing is looked at out of bounds. An index does not keep its
/// tables alive: ``ArchiveStorage`` does.
@safe
@usableFromInline
struct RawIndex: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let places: UnsafeMutablePointer<UInt16>
  @usableFromInline let rows: UnsafePointer<SlotRow>
  private let rowCount: Int
  /// One less than the number of places.
  @usableFromInline let mask: UInt64

  /// An empty index in a range of a table: all places lead to the first row.
  init(
    _ table: borrowing RawTable<UInt16>, _ range: Range<Int>, of rows: borrowing RawTable<SlotRow>,
    _ rowRange: Range<Int>
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= table.count)
    precondition(range.count > 0 && range.count & (range.count - 1) == 0)
    precondition(rowRange.lowerBound >= 0 && rowRange.upperBound <= rows.count)
    precondition(rowRange.count > 0)
    unsafe places = table.pointer.advanced(by: range.lowerBound)
    mask = UInt64(range.count - 1)
    unsafe self.rows = UnsafePointer(rows.pointer.advanced(by: rowRange.lowerBound))
    rowCount = rowRange.count
    clear()
  }

  /// Lets all places lead to the first row.
  func clear() {
    unsafe places.update(repeating: 0, count: Int(mask) + 1)
  }

  /// Lets a place lead to a row.
  func put(_ row: Int, at place: UInt64) {
    precondition(row >= 0 && row < rowCount && row <= UInt16.max)
    unsafe places[Int(truncatingIfNeeded: place & mask)] = UInt16(row)
  }

  /// The number of the row that a place leads to.
  subscript(place: UInt64) -> Int {
    Int(unsafe places[Int(truncatingIfNeeded: place & mask)])
  }

  /// The row that a place leads to.
  @inlinable
  @inline(__always)
  func row(at place: UInt64) -> RawReference<SlotRow> {
    let number = unsafe places[Int(truncatingIfNeeded: place & mask)]
    return unsafe RawReference(rows.advanced(by: Int(number)))
  }
}
