/// A growing table of plain rows without uniqueness checks or reference counts.
///
/// Used where a row is looked up for every value that is written or read. Indexes are checked.
@safe
@usableFromInline
struct RawTable<Row: BitwiseCopyable>: ~Copyable {
  @usableFromInline var pointer: UnsafeMutablePointer<Row>
  @usableFromInline var count = 0
  @usableFromInline var capacity: Int
  /// Whether slices may refer to the rows, which then must not move.
  private let isFixed: Bool

  init(capacity: Int = 16, isFixed: Bool = false) {
    self.isFixed = isFixed
    self.capacity = max(capacity, 1)
    unsafe pointer = UnsafeMutablePointer<Row>.allocate(capacity: self.capacity)
  }

  @inlinable
  deinit {
    unsafe pointer.deallocate()
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
    capacity *= 2
    let fresh = UnsafeMutablePointer<Row>.allocate(capacity: capacity)
    unsafe fresh.update(from: pointer, count: count)
    unsafe pointer.deallocate()
    unsafe pointer = fresh
  }
}

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

// A table is owned by one value and holds plain bytes; it is shared only when it no longer changes.
extension RawTable: @unchecked Sendable where Row: Sendable {}
