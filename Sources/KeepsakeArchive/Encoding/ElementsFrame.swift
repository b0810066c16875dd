/// The array that is being written (Spec/archive.md, 5.5).
@usableFromInline
struct ElementsFrame: BitwiseCopyable {
  /// The tag that all elements so far share, but those that are nil; `null` before the first that
  /// is not nil, `any` once there are two tags.
  @usableFromInline var tag = ArchiveTag.null
  @usableFromInline var count = 0
  /// How many elements there are so far.
  @usableFromInline var index = 0
  /// Where the array begins among the bytes.
  var start = 0
  /// Where the slots begin, or where the ends begin of elements with tags of their own.
  @usableFromInline var slots = 0
  /// Where the nil bits begin, 0 when there are none.
  var nilBits = 0
  /// Where the payloads begin.
  @usableFromInline var tail = 0

  @usableFromInline init() {}
}

/// What to go back to when an array is complete.
@usableFromInline
struct EnclosingFrames: BitwiseCopyable {
  var frame: RecordFrame
  var elements: ElementsFrame
  var slot: Int
}
