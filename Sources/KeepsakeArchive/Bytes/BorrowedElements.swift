// Elements of arrays that are looked at where they lie.

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
  /// Hands out the elements in their order, without a copy of any.
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

extension Span where Element == ArchivedRecord.Field {
  /// Whether the values of two fields are the same storage bits: then they are equal, since both are
  /// alive.
  ///
  /// Values that are equal may still differ in them.
  func hasIdenticalValue(as other: Span<Element>, at index: Int) -> Bool {
    precondition(index >= 0 && index < count && index < other.count)
    return unsafe withUnsafeBufferPointer { one in
      unsafe other.withUnsafeBufferPointer { other in
        let left = UnsafeRawBufferPointer(one)
        let right = UnsafeRawBufferPointer(other)
        let start = index &* MemoryLayout<Element>.stride &+ valueOffset
        for place in start..<start &+ MemoryLayout<ArchivedValue>.size
        where unsafe left[place] != right[place] {
          return false
        }
        return true
      }
    }
  }
}

/// Where the value of a field lies.
private let valueOffset = MemoryLayout<ArchivedRecord.Field>.offset(of: \.value) ?? 0
