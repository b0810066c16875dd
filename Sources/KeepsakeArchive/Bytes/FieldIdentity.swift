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
