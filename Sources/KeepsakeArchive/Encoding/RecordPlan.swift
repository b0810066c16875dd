/// Where the values of one record go, in the order in which their bytes are laid out.
struct RecordPlan {
  struct Write {
    /// Which of the values written, in the order of the calls.
    var value: Int
    var offset: Int
    var byteCount: Int
    var nilBit: Int
  }

  var shape: UInt32
  var fixedByteCount: Int
  var bitmapOffset: Int
  var writes: [Write]
}
