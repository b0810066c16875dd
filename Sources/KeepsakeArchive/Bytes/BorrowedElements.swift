// Elements of arrays that are read in place.

/// One element of an array, read in place.
///
/// It is noncopyable, so that the compiler makes no copy: a copy of a value with strings in it counts a reference for
/// each of them.
@usableFromInline
package struct BorrowedElement<Value>: ~Copyable {
  @usableFromInline package let value: Value
}

extension Array {
  /// Passes the elements in order to a closure, without a copy.
  @inlinable
  @inline(__always)
  package func forEachInPlace<Failure: Error>(
    _ body: (borrowing BorrowedElement<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      guard let base = buffer.baseAddress else { return }
      for index in 0..<buffer.count {
        // A structure with one field has the layout of that field. The address is computed with the element's size,
        // since code that is not specialised would look up the structure's size in the runtime.
        let element = unsafe UnsafeRawPointer(base.advanced(by: index))
        try unsafe body(element.assumingMemoryBound(to: BorrowedElement<Element>.self).pointee)
      }
    }
  }
}

extension Span {
  /// True when the elements at an index of two spans have the same bytes in a range.
  ///
  /// Equal bits make the values there equal, since both elements are alive. Equal values may have different bits.
  package func hasIdenticalBits(as other: Span<Element>, at index: Int, _ part: Range<Int>) -> Bool
  {
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
