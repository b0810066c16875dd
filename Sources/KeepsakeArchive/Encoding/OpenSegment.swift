/// The segment that is being written: its objects so far, and the entries of its directory (Spec/archive.md, 3.3).
struct OpenSegment: ~Copyable {
  /// The shape of an object, and the end of its body, counted from the first body.
  struct Entry: BitwiseCopyable {
    var shape: UInt32
    var end: UInt32
  }

  /// The offset of the segment among the encoder's bytes.
  var start = 0
  private var entries: RawTable<Entry>
  private var bodiesByteCount = 0
  private var hasSeveralShapes = false
  private var largestShape: UInt32 = 0
  /// The number of bytes of each body if all have one shape of a fixed width, otherwise 0.
  private var fixedByteCount = 0

  init(capacity: Int) { entries = RawTable(capacity: capacity) }

  var objectCount: Int { entries.count }

  /// True when the segment ends before an object whose body has `byteCount` bytes.
  @inline(__always)
  func isFull(before byteCount: Int) -> Bool {
    entries.count > 0
      && (bodiesByteCount &+ byteCount > SegmentHead.fullCount
        || entries.count == SegmentHead.fullCount)
  }

  /// Adds an object of a shape, whose body has `byteCount` bytes; `fixedByteCount` is 0 for shapes without a fixed
  /// width.
  @inline(__always)
  mutating func append(shape: OptionalShape, byteCount: Int, fixedByteCount: Int) {
    let shape = UInt32(bitPattern: shape.rawValue)
    if entries.count == 0 {
      largestShape = shape
      self.fixedByteCount = fixedByteCount
    } else if shape != largestShape {
      hasSeveralShapes = true
      largestShape = max(largestShape, shape)
    }
    bodiesByteCount &+= byteCount
    // The sum fits: a segment has at most 65,535 bytes of bodies, or one body, whose length `endObject` has checked.
    entries.append(Entry(shape: shape, end: UInt32(bodiesByteCount)))
  }

  private var shapes: SegmentShapes {
    hasSeveralShapes
      ? .several : SegmentShapes(one: Int(largestShape), hasFixedWidth: fixedByteCount > 0)
  }

  func writeDirectory(to bytes: inout ByteBuffer) {
    if hasSeveralShapes {
      let width = EndWidth.inside(Int(largestShape))
      bytes.append(UInt8(1) << UInt8(width))
      for index in 0..<entries.count {
        bytes.append(number: Int(entries[index].shape), width: width)
      }
    } else if fixedByteCount > 0 {
      return
    }
    let width = EndWidth.inside(bodiesByteCount)
    for index in 0..<entries.count - 1 {
      bytes.append(number: Int(entries[index].end), width: width)
    }
  }

  /// Writes the head into the bytes that were reserved for it, and returns the row of the segment.
  func writeHead(
    isLast: Bool, firstObject: UInt32, offset: Int, to bytes: inout ByteBuffer
  ) -> SegmentRow {
    let head = SegmentHead(
      isLast: isLast, bodiesByteCount: bodiesByteCount, objectCount: entries.count,
      shapes: shapes)
    bytes.overwrite(at: start) { head.write(to: &$0) }
    return SegmentRow(
      offset: offset, firstObject: firstObject, bodiesByteCount: bodiesByteCount, shapes: shapes)
  }

  mutating func restart(at offset: Int) {
    start = offset
    entries.truncate(to: 0)
    bodiesByteCount = 0
    hasSeveralShapes = false
  }
}
