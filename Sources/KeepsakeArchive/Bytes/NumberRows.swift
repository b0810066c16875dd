// Arrays of arrays of numbers, such as coordinates, are mostly stored as rows (Spec/archive.md, 5.5). All rows of an
// array are read in one walk through the bytes.

extension ByteView {
  /// The arrays of numbers that fill a range, each of the same number of bytes.
  func rows<Number: BitwiseCopyable>(
    _ type: Number.Type, in range: Range<Int>, byteCount: Int
  ) -> [[Number]] {
    let size = MemoryLayout<Number>.stride
    let source = unsafe UnsafeRawBufferPointer(buffer(range))
    let count = range.count / byteCount
    var rows: [[Number]] = []
    // The arrays may be much larger in memory than in the archive.
    rows.reserveCapacity(min(count, 1 << 16))
    func number(_ index: Int, from row: Int) -> Number {
      unsafe source.loadUnaligned(fromByteOffset: row &+ index &* size, as: Number.self)
    }
    var row = 0
    for _ in 0..<count {
      // An array literal is made without a check of its capacity.
      switch byteCount / size {
      case 2: rows.append([number(0, from: row), number(1, from: row)])
      case 3: rows.append([number(0, from: row), number(1, from: row), number(2, from: row)])
      default:
        let first = range.lowerBound &+ row
        rows.append(scalars(Number.self, first..<first &+ byteCount))
      }
      row &+= byteCount
    }
    return rows
  }
}
