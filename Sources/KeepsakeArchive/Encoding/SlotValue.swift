/// A value on its way into a record or an array: its bits, or where its payload is staged.
struct SlotValue {
  /// The bits of a slot of up to eight bytes; of a staged payload, where it starts.
  var low: UInt64
  /// The upper half of a slot of sixteen bytes; of a staged payload, its length in bytes.
  var high: UInt64 = 0
  var tag: ArchiveTag
  var isNil = false
  var isStaged = false

  init(_ tag: ArchiveTag, bits: UInt64, high: UInt64 = 0) {
    self.tag = tag
    low = bits
    self.high = high
  }

  /// A nil among values of a tag.
  init(nil tag: ArchiveTag) {
    self.tag = tag
    low = 0
    isNil = true
  }

  /// A payload that lies in the staging buffer.
  init(_ tag: ArchiveTag, staged range: Range<Int>) {
    self.tag = tag
    low = UInt64(range.lowerBound)
    high = UInt64(range.count)
    isStaged = true
  }
}
