/// One element of an array that is looked at where it lies.
///
/// It cannot be copied, so the compiler does not: a copy of a value with strings in it counts a
/// reference for each.
@usableFromInline
struct BorrowedElement<Value: ArchiveRecord>: ~Copyable {
  @usableFromInline let value: Value

  @inlinable
  borrowing func encode(with coder: inout ObjectEncoder) {
    value.encode(with: &coder)
  }

  @inlinable
  @inline(__always)
  borrowing func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    value.encode(to: &coder, at: place)
  }
}

extension Array where Element: ArchiveRecord {
  /// Lends the elements in their order, without a copy of any.
  @inlinable
  @inline(__always)
  func forEachInPlace<Failure: Error>(
    _ body: (borrowing BorrowedElement<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      guard let base = buffer.baseAddress else { return }
      // The two have one layout: a structure with one field is laid out as that field.
      try unsafe base.withMemoryRebound(
        to: BorrowedElement<Element>.self, capacity: buffer.count
      ) { elements throws(Failure) in
        for index in 0..<buffer.count { try unsafe body(elements[index]) }
      }
    }
  }
}
