/// An archive (Spec/archive.md, 3) of objects of one shape with payloads, written by code for this layout
/// only that shares nothing with Keepsake.
struct HardArchiveWriter: ~Copyable {
  private static let mostBytes = 65_535
  private static let headByteCount = 16

  private struct Row {
    var offset: Int
    var firstObject: Int
    var byteCount: Int
  }

  var output: RawOutput
  var tables: HardTables
  private let objectShape: Int
  private var rows: [Row] = []
  private var firstObject = 1
  /// The start of the segment, and the ends of its bodies, counted from the first body.
  private var head = 0
  private var bodyEnds: [Int] = []
  /// The number of shapes that earlier segments have declared, and the number of their objects.
  private var declared = 0
  private var known = 0

  /// Makes an archive with space for this number of bytes.
  init(shapes: [HardShape], objectShape: Int, capacity: Int) {
    output = RawOutput(capacity: capacity + 1024)
    tables = HardTables(shapes)
    self.objectShape = objectShape
    bodyEnds.reserveCapacity(4096)
    output.append(bytes: [0x89, 0x4B, 0x53, 0x41, 0x0D, 0x0A, 0x1A, 0x0A])
    output.append(1 as UInt64)
    output.append(0 as UInt32)
    beginSegment()
  }

  private mutating func beginSegment() {
    head = output.count
    output.appendUninitialized(HardArchiveWriter.headByteCount)
    declared = known
  }

  /// The offset of the first body.
  private var bodies: Int { head + HardArchiveWriter.headByteCount }

  /// Ends the object whose body starts at an offset.
  @inline(__always)
  mutating func endObject(at start: Int) {
    _ = tables.number(of: objectShape)
    if output.count - bodies > HardArchiveWriter.mostBytes
      || bodyEnds.count == HardArchiveWriter.mostBytes
    {
      move(bodyAt: start)
    }
    bodyEnds.append(output.count - bodies)
    known = tables.count
  }

  /// Starts the next segment with a body.
  @inline(never)
  private mutating func move(bodyAt start: Int) {
    if bodyEnds.isEmpty { return }
    let body = output.take(from: start)
    closeSegment(isLast: false)
    beginSegment()
    output.append(bytes: body[...])
  }

  private mutating func closeSegment(isLast: Bool) {
    let byteCount = bodyEnds.last ?? 0
    output.store((isLast ? 0x7A45_534B : 0x6745_534B) as UInt32, at: head)
    output.store(UInt32(byteCount), at: head + 4)
    output.store(UInt32(bodyEnds.count), at: head + 8)
    output.store(UInt32(tables.number(of: objectShape)), at: head + 12)
    let width = HardWidth.inside(byteCount)
    var place = output.count
    output.appendUninitialized(max(bodyEnds.count - 1, 0) * width)
    for end in bodyEnds.dropLast() {
      output.store(end: end, width: width, at: place)
      place += width
    }
    rows.append(Row(offset: head, firstObject: firstObject, byteCount: byteCount))
    firstObject += bodyEnds.count
    bodyEnds.removeAll(keepingCapacity: true)
    if !isLast { tables.write(declared..<known, to: &output) }
  }

  /// Ends the archive, whose root is its first object.
  mutating func finish() -> [UInt8] {
    closeSegment(isLast: true)
    let footer = output.count
    tables.write(0..<tables.count, to: &output)
    for row in rows {
      output.append(UInt64(row.offset))
      output.append(UInt32(row.firstObject))
      output.append(UInt32(row.byteCount))
      output.append(UInt32(tables.number(of: objectShape)))
    }
    output.append(0x6454_534B as UInt32)
    output.append(UInt32(rows.count))
    output.append(UInt32(firstObject - 1))
    output.append(1 as UInt32)
    output.append(UInt64(footer))
    return output.bytes
  }
}

/// The offsets of the parts of a body that is being written.
struct HardBody {
  /// The start of the slots.
  let start: Int
  /// The start of the payloads.
  private let tail: Int
  private let width: Int
  private var nextEnd: Int

  /// Reserves space for the slots and ends of a body with this number of bytes of payloads.
  @inline(__always)
  init(_ output: inout RawOutput, slots: Int, payloads: Int, of bytes: Int) {
    start = output.count
    width = HardWidth.smallest(of: payloads - 1, besides: slots + bytes)
    nextEnd = start + slots
    tail = nextEnd + (payloads - 1) * width
    output.appendUninitialized(tail - start)
  }

  /// Records the end of a payload that is not the last one.
  @inline(__always)
  mutating func end(_ output: inout RawOutput) {
    output.store(end: output.count - tail, width: width, at: nextEnd)
    nextEnd += width
  }
}

/// The offsets of the parts of an array whose elements have ends.
struct HardList {
  private let width: Int
  private let tail: Int
  private var nextEnd: Int

  /// Writes the number of elements and reserves space for their ends, in an array of a known length whose
  /// first bytes have been written.
  @inline(__always)
  init(_ output: inout RawOutput, count: Int, length: Int) {
    width = HardWidth.inside(length)
    let place = output.count
    output.appendUninitialized(count * width)
    output.store(end: count, width: width, at: place)
    nextEnd = place + width
    tail = place + count * width
  }

  /// Records the end of an element.
  @inline(__always)
  mutating func end(_ index: Int, of count: Int, _ output: inout RawOutput) {
    if index + 1 == count { return }
    output.store(end: output.count - tail, width: width, at: nextEnd)
    nextEnd += width
  }
}
