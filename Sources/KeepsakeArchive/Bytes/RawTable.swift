/// A growing table of plain rows without uniqueness checks or reference counts.
///
/// It is used where a row is looked up for every value that is written or read. Indexes are checked.
@safe
@usableFromInline
struct RawTable<Row: BitwiseCopyable>: ~Copyable {
  @usableFromInline var pointer: UnsafeMutablePointer<Row>
  @usableFromInline var count = 0
  @usableFromInline var capacity: Int
  /// True when slices may refer to the rows, which then must not move.
  private let isFixed: Bool

  init(capacity: Int = 16, isFixed: Bool = false) {
    self.isFixed = isFixed
    if capacity == 0, !isFixed {
      // The first row allocates the memory.
      self.capacity = 0
      unsafe pointer =
        UnsafeMutablePointer(bitPattern: MemoryLayout<Row>.alignment).unsafelyUnwrapped
    } else {
      self.capacity = max(capacity, 1)
      unsafe pointer = UnsafeMutablePointer<Row>.allocate(capacity: self.capacity)
    }
  }

  @inlinable
  deinit {
    if capacity > 0 { unsafe pointer.deallocate() }
  }

  @inlinable
  subscript(index: Int) -> Row {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe pointer[index]
    }
    set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe pointer[index] = newValue
    }
  }

  @inlinable
  @inline(__always)
  mutating func append(_ row: Row) {
    if count == capacity { grow() }
    unsafe pointer.advanced(by: count).initialize(to: row)
    count &+= 1
  }

  @inline(never)
  @usableFromInline
  mutating func grow() {
    precondition(!isFixed)
    let larger = max(16, (capacity < 1024 ? 4 : 2) * capacity)
    let fresh = UnsafeMutablePointer<Row>.allocate(capacity: larger)
    unsafe fresh.update(from: pointer, count: count)
    if capacity > 0 { unsafe pointer.deallocate() }
    unsafe pointer = fresh
    capacity = larger
  }
}

extension RawTable {
  mutating func append(repeating row: Row, count added: Int) {
    while capacity - count < added { grow() }
    unsafe pointer.advanced(by: count).initialize(repeating: row, count: added)
    count += added
  }

  mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  @inlinable
  mutating func removeLast() -> Row {
    let row = self[count - 1]
    count -= 1
    return row
  }
}

// A table is owned by one value and holds plain bytes; it is shared only when it no longer changes.
extension RawTable: @unchecked Sendable where Row: Sendable {}

/// Rows of a table that no longer changes.
///
/// A slice does not keep its table alive: ``ArchiveStorage`` does. Indexes are checked.
@safe
@usableFromInline
package struct RawSlice<Row: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafePointer<Row>
  @usableFromInline package let count: Int

  init(_ table: borrowing RawTable<Row>, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= table.count)
    unsafe pointer = UnsafePointer(table.pointer.advanced(by: range.lowerBound))
    count = range.count
  }

  init() {
    unsafe pointer = UnsafePointer(
      UnsafeMutablePointer(bitPattern: MemoryLayout<Row>.alignment).unsafelyUnwrapped)
    count = 0
  }

  @inlinable
  package subscript(index: Int) -> Row {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe pointer[index]
  }

  @inlinable
  package func reference(_ index: Int) -> RawReference<Row> {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe RawReference(pointer.advanced(by: index))
  }
}

/// A hash index: a power of two of places, each with the number of a row.
///
/// The lower bits of any number select a place. The row number in a place was checked when it was put there, so no
/// access is out of bounds. An index does not keep its tables alive: ``ArchiveStorage`` does.
@safe
@usableFromInline
struct RawIndex<Row: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let places: UnsafeMutablePointer<UInt16>
  @usableFromInline let rows: UnsafePointer<Row>
  private let rowCount: Int
  /// One less than the number of places.
  @usableFromInline let mask: UInt64

  /// Makes an empty index in a range of a table; all places have the first row.
  init(
    _ table: borrowing RawTable<UInt16>, _ range: Range<Int>, of rows: borrowing RawTable<Row>,
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

  /// Sets all places to the first row.
  func clear() {
    unsafe places.update(repeating: 0, count: Int(mask) + 1)
  }

  func put(_ row: Int, at place: UInt64) {
    precondition(row >= 0 && row < rowCount && row <= UInt16.max)
    unsafe places[Int(truncatingIfNeeded: place & mask)] = UInt16(row)
  }

  subscript(place: UInt64) -> Int {
    Int(unsafe places[Int(truncatingIfNeeded: place & mask)])
  }

  @inlinable
  @inline(__always)
  func row(at place: UInt64) -> RawReference<Row> {
    let number = unsafe places[Int(truncatingIfNeeded: place & mask)]
    return unsafe RawReference(rows.advanced(by: Int(number)))
  }
}
