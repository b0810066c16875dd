/// One row of a table that no longer changes, without a copy of it.
///
/// It does not keep the table alive: ``ArchiveStorage`` does.
@safe
@usableFromInline
struct RawReference<Row: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafePointer<Row>

  @inlinable
  init(_ pointer: UnsafePointer<Row>) {
    unsafe self.pointer = pointer
  }

  @inlinable var row: Row { unsafe pointer.pointee }
}
