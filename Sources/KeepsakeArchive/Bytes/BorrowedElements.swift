// Elements of arrays that are looked at where they lie.

/// One element of an array that is looked at where it lies.
///
/// It cannot be copied, so the compiler does not: a copy of a value with strings in it counts a
/// reference for each.
@usableFromInline
package struct BorrowedElement<Value>: ~Copyable {
  @usableFromInline package let value: Value
}

extension Array {
  /// Hands out the elements in their order, without a copy of any.
  @inlinable
  @inline(__always)
  package func forEachInPlace<Failure: Error>(
    _ body: (borrowing BorrowedElement<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      guard let base = buffer.baseAddress else { return }
      for index in 0..<buffer.count {
        // The two have one layout: a structure with one field is laid out as that field. The address follows from the
        // element's own size, since code that is not specialised would look the structure's up in the runtime.
        let element = unsafe UnsafeRawPointer(base.advanced(by: index))
        try unsafe body(element.assumingMemoryBound(to: BorrowedElement<Element>.self).pointee)
      }
    }
  }
}

extension Span {
  /// Whether a part of two elements, of so many bytes from an offset on, is the same storage bits: then
  /// what lies there is equal, since both are alive.
  ///
  /// Values that are equal may still differ in them.
  func hasIdenticalBits(as other: Span<Element>, at index: Int, _ part: Range<Int>) -> Bool {
    precondition(index >= 0 && index < count && index < other.count)
    precondition(part.lowerBound >= 0 && part.upperBound <= MemoryLayout<Element>.size)
    return unsafe withUnsafeBufferPointer { one in
      unsafe other.withUnsafeBufferPointer { other in
        let left = UnsafeRawBufferPointer(one)
        let right = UnsafeRawBufferPointer(other)
        let start = index &* MemoryLayout<Element>.stride
        for place in start &+ part.lowerBound..<start &+ part.upperBound
        where unsafe left[place] != right[place] {
          return false
        }
        return true
      }
    }
  }
}
