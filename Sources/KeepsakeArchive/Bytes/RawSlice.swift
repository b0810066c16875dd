/// Rows of a table that no longer changes.
///
/// A slice does not keep its table alive: ``ArchiveStorage`` does. Indexes are checked.
@safe
@usableFromInline
struct RawSlice<Row: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafePointer<Row>
  @usableFromInline let count: Int

  init(_ table: borrowing RawTable<Row>, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= table.count)
    unsafe pointer = UnsafePointer(table.pointer.advanced(by: range.lowerBound))
    count = range.count
  }

  @inlinable
  subscript(index: Int) -> Row {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe pointer[index]
  }

  /// A row that is not copied.
  @inlinable
  func reference(_ index: Int) -> RawReference<Row> {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe RawReference(pointer.advanced(by: index))
  }
}
