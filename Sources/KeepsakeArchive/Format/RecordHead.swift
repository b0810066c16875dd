/// What a record begins with: the number of its shape, and how wide the ends of its payloads are
/// (Spec/archive.md, 4.4).
@usableFromInline
struct RecordHead: BitwiseCopyable {
  @usableFromInline let word: UInt32

  @inlinable
  init(_ word: UInt32) {
    self.word = word
  }

  @inlinable
  init(shape: Int32, endWidth: UInt32) {
    word = UInt32(bitPattern: shape) &<< 2 | endWidth
  }

  /// The number of the shape.
  @inlinable var shape: Int { Int(word &>> 2) }

  /// The bytes of an end as a power of two: 0, 1 or 2, and 3 in no record.
  @inlinable var endWidth: UInt32 { word & 3 }

  /// The width of the ends of payloads that take so many bytes together.
  @inlinable
  @inline(__always)
  static func endWidth(ofPayloads byteCount: Int) -> UInt32 {
    byteCount < 1 &<< 8 ? 0 : byteCount < 1 &<< 16 ? 1 : 2
  }
}
