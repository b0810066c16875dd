// The parts of a segment (Spec/archive.md, 3.3 and 3.4).

/// The number of the single shape of a segment's objects, or the sentinel for several shapes.
struct SegmentShapes: Equatable, BitwiseCopyable, Sendable {
  /// The bit that is set for a shape with a fixed width above 0, whose bodies need no ends.
  private static let fixedWidth: UInt32 = 1 << 31
  static let several = SegmentShapes(rawValue: .max)

  let rawValue: UInt32

  /// The number of the one shape; nil for several shapes.
  var number: Int? {
    self == .several ? nil : Int(rawValue & ~SegmentShapes.fixedWidth)
  }

  var hasFixedWidth: Bool { self != .several && rawValue & SegmentShapes.fixedWidth != 0 }
}

extension SegmentShapes {
  init(one number: Int, hasFixedWidth: Bool) {
    self.init(rawValue: UInt32(number) | (hasFixedWidth ? SegmentShapes.fixedWidth : 0))
  }
}

/// The first bytes of a segment.
struct SegmentHead: Equatable {
  static let byteCount = 16
  private static let marker: UInt32 = 0x6745_534B  // "KSEg"
  private static let lastMarker: UInt32 = 0x7A45_534B  // "KSEz"
  /// The maximum number of objects in a segment, and of bytes in its bodies when it has several objects.
  static let fullCount = 65_535

  var isLast: Bool
  var bodiesByteCount: Int
  var objectCount: Int
  var shapes: SegmentShapes

  func write(to bytes: inout ByteBuffer) {
    bytes.append(isLast ? SegmentHead.lastMarker : SegmentHead.marker)
    bytes.append(UInt32(bodiesByteCount))
    bytes.append(UInt32(objectCount))
    bytes.append(shapes.rawValue)
  }

  static func canHold(_ count: Int, byteCount: Int) -> Bool {
    1...fullCount ~= count && (byteCount <= fullCount || count == 1)
  }
}

extension SegmentHead {
  /// Reads the head at an offset; nil when the bytes are not one, or its numbers are impossible.
  init?(_ bytes: ByteRegion, at offset: Int) {
    var fields = FieldCursor(bytes, at: offset)
    guard let marker: UInt32 = fields.next(),
      marker == SegmentHead.marker || marker == SegmentHead.lastMarker,
      let length: UInt32 = fields.next(), let count: UInt32 = fields.next(),
      let shapes: UInt32 = fields.next(), SegmentHead.canHold(Int(count), byteCount: Int(length))
    else { return nil }
    self.init(
      isLast: marker == SegmentHead.lastMarker, bodiesByteCount: Int(length),
      objectCount: Int(count), shapes: SegmentShapes(rawValue: shapes))
  }
}

/// One row of the segment directory in the footer (Spec/archive.md, 3.4).
struct SegmentRow: Equatable, BitwiseCopyable, Sendable {
  static let byteCount = 20
  /// The offset of the number of the first object in a row; rows are searched by that number.
  static let firstObjectOffset = 8

  var offset: Int
  var firstObject: UInt32
  var bodiesByteCount: Int
  var shapes: SegmentShapes

  var bodiesOffset: Int { offset + SegmentHead.byteCount }
  var directoryOffset: Int { bodiesOffset + bodiesByteCount }

  /// Checks the one body of a long segment against the limit.
  func checkLength(_ limits: ArchiveLimits) throws(ArchiveError) {
    guard bodiesByteCount <= max(limits.recordByteCount, SegmentHead.fullCount) else {
      throw ArchiveError.recordTooLong(bodiesOffset..<directoryOffset, limits.recordByteCount)
        .inObject(ArchiveObjectID(firstObject))
    }
  }

  func write(to bytes: inout ByteBuffer) {
    bytes.append(UInt64(offset))
    bytes.append(firstObject)
    bytes.append(UInt32(bodiesByteCount))
    bytes.append(shapes.rawValue)
  }
}

/// The positions of the objects of a segment (Spec/archive.md, 3.3), computed from its row and the number of its
/// objects.
struct SegmentLayout {
  let row: SegmentRow
  let objectCount: Int
  /// The offset of the next segment; for the last segment, the offset of the footer.
  let limit: Int
  /// The width of a shape's number in the directory, as a power of two in bytes; nil if the objects have one shape.
  let shapeWidth: UInt32?
  /// The number of bytes of each body; 0 if the bodies have ends.
  private(set) var fixedByteCount = 0

  /// The number of the first object after the segment.
  var nextObject: UInt32 { row.firstObject &+ UInt32(objectCount) }

  /// The offset of the numbers of the shapes, if there are several shapes.
  var shapesOffset: Int { row.directoryOffset + 1 }

  /// The offset of the ends of the bodies; the end of the last body is not stored.
  var endsOffset: Int {
    guard let shapeWidth else { return row.directoryOffset }
    return shapesOffset + objectCount << Int(shapeWidth)
  }

  /// The width of an end, as a power of two in bytes.
  var endWidth: UInt32 { EndWidth.inside(row.bodiesByteCount) }

  /// The end of the directory; the tables start there, or the footer after the last segment.
  var endOffset: Int {
    row.shapes.hasFixedWidth ? endsOffset : endsOffset + (objectCount - 1) << Int(endWidth)
  }

  /// Computes the layout of a segment; `load` reads the first byte of its directory.
  ///
  /// ``resolve(fixedByteCount:)`` adds what depends on the shape.
  init(
    _ row: SegmentRow, objectCount: Int, limit: Int, _ load: (Int) throws(ArchiveError) -> UInt8
  ) throws(ArchiveError) {
    self.row = row
    self.objectCount = objectCount
    self.limit = limit
    guard SegmentHead.canHold(objectCount, byteCount: row.bodiesByteCount) else {
      throw .damaged("a segment has more objects or bytes than it may", at: row.offset)
    }
    shapeWidth =
      row.shapes == .several
      ? EndWidth.exponent(ofByteCount: try load(row.directoryOffset)) : nil
    guard shapeWidth != nil || row.shapes != .several else {
      throw .damaged(
        "the numbers of shapes have an impossible width", at: row.directoryOffset)
    }
  }

  /// Sets the number of bytes of each body, 0 unless all have one shape of a fixed width, and checks the row against
  /// it.
  mutating func resolve(fixedByteCount: Int) throws(ArchiveError) {
    self.fixedByteCount = fixedByteCount
    guard row.shapes.hasFixedWidth == (fixedByteCount > 0),
      fixedByteCount == 0 || fixedByteCount * objectCount == row.bodiesByteCount
    else {
      throw .damaged("the row of a segment does not match the width of its shape", at: row.offset)
    }
  }

  /// The shape and the body of the object at an index of the segment; `number` reads numbers of the directory.
  @inline(__always)
  func object(
    _ index: Int, limits: ArchiveLimits,
    _ number: (_ place: Int, _ width: UInt32) throws(ArchiveError) -> Int
  ) throws(ArchiveError) -> ObjectPlace {
    let shape =
      if let shapeWidth {
        try number(shapesOffset + index << Int(shapeWidth), shapeWidth)
      } else {
        row.shapes.number ?? 0
      }
    let (start, end): (Int, Int)
    if fixedByteCount > 0 {
      (start, end) = (index * fixedByteCount, (index + 1) * fixedByteCount)
    } else {
      let (width, ends) = (endWidth, endsOffset)
      start = index == 0 ? 0 : try number(ends + (index - 1) << Int(width), width)
      end =
        index + 1 == objectCount
        ? row.bodiesByteCount : try number(ends + index << Int(width), width)
      guard start <= end, end <= row.bodiesByteCount else {
        throw .damaged(
          "the body of an object does not follow the one before it", at: ends + index << Int(width))
      }
    }
    let body = row.bodiesOffset + start..<row.bodiesOffset + end
    if body.count > limits.recordByteCount {
      throw ArchiveError.recordTooLong(body, limits.recordByteCount)
    }
    return ObjectPlace(shape: shape, body: body)
  }
}

/// The number of an object's shape, and the range of its body.
package struct ObjectPlace {
  package var shape: Int
  package var body: Range<Int>
}

extension ArchiveError {
  /// The error for a record that has more bytes than the limit allows.
  @inline(never)
  @usableFromInline
  static func recordTooLong(_ range: Range<Int>, _ limit: Int) -> ArchiveError {
    ArchiveError(
      "a record has \(range.count) bytes", exceeds: .recordByteCount, of: limit,
      offset: range.lowerBound)
  }

  static func tooLong(
    _ byteCount: Int, _ limits: ArchiveLimits, offset: Int? = nil
  ) -> ArchiveError {
    ArchiveError(
      "the archive has \(byteCount) bytes", exceeds: .byteCount, of: limits.byteCount,
      offset: offset)
  }

  /// The error for an archive whose object numbers are all used.
  package static var tooManyObjects: ArchiveError {
    var error = ArchiveError(
      .limitExceeded,
      "the archive has \(UInt32.max - 1) objects, and the format has no room for more")
    error.remedy = "No limit can be raised for it: split it over several archives."
    return error
  }
}
