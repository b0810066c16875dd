/// The record that is being written.
///
/// Four whole words: a part of a word that is written and then read as a whole word waits in the
/// processor, and a frame is kept and put back for every nested record.
@usableFromInline
struct RecordFrame: BitwiseCopyable {
  /// The step of the plan that was taken last, 0 outside of any record.
  @usableFromInline var node = 0
  /// Where the record begins among the bytes.
  @usableFromInline var start = 0
  /// Where its payloads begin: the bytes before are kept for its slots.
  @usableFromInline var tail = 0
  /// The scope in the upper half, the depth of nesting in the lower.
  @usableFromInline var scopeAndDepth: UInt64

  /// The frame outside of any record.
  @inlinable
  init(depth: Int = 0) {
    scopeAndDepth = 0xFFFF_FFFF_0000_0000 | UInt64(UInt32(truncatingIfNeeded: depth))
  }

  /// The frame of a record that was laid out up to a step of the plan.
  init(node: Int, start: Int, tail: Int) {
    self.init()
    self.node = node
    self.start = start
    self.tail = tail
  }

  @inlinable var scope: Int32 {
    get { Int32(truncatingIfNeeded: scopeAndDepth >> 32) }
    set { scopeAndDepth = UInt64(UInt32(bitPattern: newValue)) << 32 | UInt64(depth) }
  }

  @inlinable var depth: Int { Int(truncatingIfNeeded: scopeAndDepth & 0xFFFF_FFFF) }
}
