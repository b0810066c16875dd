/// Bytes of an archive that are lent for a call, for types that copy bytes from any sequence.
package struct LentBytes: RandomAccessCollection {
  private let view: ByteView
  private let range: Range<Int>

  package var startIndex: Int { range.lowerBound }
  package var endIndex: Int { range.upperBound }

  package subscript(index: Int) -> UInt8 { view.load(UInt8.self, at: index) }

  fileprivate init(_ view: ByteView, _ range: Range<Int>) {
    self.view = view
    self.range = range
  }

  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try unsafe body(view.buffer(range))
  }
}

extension ValueDecoder {
  /// Lends a run of bytes to a closure, which must not keep them.
  package func withLentBytes<Result>(
    _ body: (LentBytes) -> Result
  ) throws(ArchiveError) -> Result {
    try require(.bytes, for: "a run of bytes")
    return body(LentBytes(view, range))
  }
}
