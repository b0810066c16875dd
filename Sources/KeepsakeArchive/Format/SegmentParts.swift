// What a segment consists of (Spec/archive.md, 3.3 and 3.4).

/// Of which shapes the objects of a segment are: of one, or of several.
struct SegmentShapes: Equatable, Sendable {
  /// The bit of shapes of a fixed width above 0, whose bodies need no ends.
  private static let fixedWidth: UInt32 = 1 << 31
  static let several = SegmentShapes(rawValue: .max)

  let rawValue: UInt32

  init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The objects are all of one shape.
  init(one number: Int, hasFixedWidth: Bool) {
    rawValue =
      UInt32(number) | (hasFixedWidth ? SegmentShapes.fixedWidth : 0)
  }

  /// The number of the one shape.
  var number: Int? {
    self == .several ? nil : Int(rawValue & ~SegmentShapes.fixedWidth)
  }

  var hasFixedWidth: Bool { self != .several && rawValue & SegmentShapes.fixedWidth != 0 }
}

/// The first bytes of a segment.
struct SegmentHead: Equatable {
  static let byteCount = 16
  private static let marker: UInt32 = 0x6745_534B  // "KSEg"
  private static let lastMarker: UInt32 = 0x7A45_534B  // "KSEz"
  /// The most objects of a segment, and the most bytes of several bodies.
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

  /// Reads the head at an offset; nil when there is none, or one of a segment that cannot be.
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

  init(isLast: Bool, bodiesByteCount: Int, objectCount: Int, shapes: SegmentShapes) {
    self.isLast = isLast
    self.bodiesByteCount = bodiesByteCount
    self.objectCount = objectCount
    self.shapes = shapes
  }

  /// Whether a segment may have so many objects, whose bodies take so many bytes.
  static func canHold(_ count: Int, byteCount: Int) -> Bool {
    1...fullCount ~= count && (byteCount <= fullCount || count == 1)
  }
}

/// One row of the segment directory in the footer (Spec/archive.md, 3.4).
struct SegmentRow: Equatable, BitwiseCopyable, Sendable {
  static let byteCount = 20
  /// Where in a row the number of the first object is, by which rows are searched.
  static let firstObjectOffset = 8

  var offset: Int
  var firstObject: UInt32
  var bodiesByteCount: Int
  var shapes: SegmentShapes

  /// Where the bodies begin.
  var bodiesOffset: Int { offset + SegmentHead.byteCount }
  /// Where the directory begins.
  var directoryOffset: Int { bodiesOffset + bodiesByteCount }

  func write(to bytes: inout ByteBuffer) {
    bytes.append(UInt64(offset))
    bytes.append(firstObject)
    bytes.append(UInt32(bodiesByteCount))
    bytes.append(shapes.rawValue)
  }
}

extension SegmentShapes: BitwiseCopyable {}

/// Where the objects of a segment lie (Spec/archive.md, 3.3): what its row says, and what follows from it
/// and the number of objects.
struct SegmentLayout {
  let row: SegmentRow
  let objectCount: Int
  /// Where the next segment begins, or after the last one the footer.
  let limit: Int
  /// The bytes of a number of a shape in the directory, as a power of two; nil if the objects have one
  /// shape.
  let shapeWidth: UInt32?
  /// The bytes of each body, 0 if they have ends.
  private(set) var fixedByteCount = 0

  /// The number of the first object after those of the segment.
  var nextObject: UInt32 { row.firstObject &+ UInt32(objectCount) }

  /// Where the numbers of the shapes lie, if there are several.
  var shapesOffset: Int { row.directoryOffset + 1 }

  /// Where the ends of all bodies but the last lie.
  var endsOffset: Int {
    guard let shapeWidth else { return row.directoryOffset }
    return shapesOffset + objectCount << Int(shapeWidth)
  }

  /// The bytes of an end as a power of two.
  var endWidth: UInt32 { EndWidth.inside(row.bodiesByteCount) }

  /// Where the directory ends: there the tables begin, or of the last segment the footer.
  var endOffset: Int {
    row.shapes.hasFixedWidth ? endsOffset : endsOffset + (objectCount - 1) << Int(endWidth)
  }

  /// Lays out a segment, of whose directory a function gives the first byte.
  ///
  /// Which shape it is of is looked at by ``resolve(in:)``.
  init(
    _ row: SegmentRow, objectCount: Int, limit: Int, _ load: (Int) throws(ArchiveError) -> UInt8
  ) throws(ArchiveError) {
    self.row = row
    self.objectCount = objectCount
    self.limit = limit
    guard SegmentHead.canHold(objectCount, byteCount: row.bodiesByteCount) else {
      throw ArchiveError(
        .damaged, "a segment has more objects or bytes than it may", offset: row.offset)
    }
    shapeWidth =
      row.shapes == .several
      ? EndWidth.exponent(ofByteCount: try load(row.directoryOffset)) : nil
    guard shapeWidth != nil || row.shapes != .several else {
      throw ArchiveError(
        .damaged, "the numbers of shapes have a width that they may not have",
        offset: row.directoryOffset)
    }
  }

  /// Takes the bytes of each body if the one shape of all has a fixed width, else 0, and checks that the row
  /// says the same.
  mutating func resolve(fixedByteCount: Int) throws(ArchiveError) {
    self.fixedByteCount = fixedByteCount
    guard row.shapes.hasFixedWidth == (fixedByteCount > 0),
      fixedByteCount == 0 || fixedByteCount * objectCount == row.bodiesByteCount
    else {
      throw ArchiveError(
        .damaged, "a segment has ends without need, or lacks them", offset: row.offset)
    }
  }

  /// Checks that the one body of a long segment is not longer than the limit.
  func checkLength(_ limits: ArchiveLimits) throws(ArchiveError) {
    guard row.bodiesByteCount <= max(limits.recordByteCount, SegmentHead.fullCount) else {
      throw ArchiveError.recordTooLong(
        row.bodiesOffset..<row.directoryOffset, limits.recordByteCount
      )
      .inObject(ArchiveObjectID(row.firstObject))
    }
  }

  /// The shape and the body of an object by its place in the segment, whose numbers a function gives.
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
        throw ArchiveError(
          .damaged, "the body of an object does not lie after the one before it",
          offset: ends + index << Int(width))
      }
    }
    let body = row.bodiesOffset + start..<row.bodiesOffset + end
    if body.count > limits.recordByteCount {
      throw ArchiveError.recordTooLong(body, limits.recordByteCount)
    }
    return ObjectPlace(shape: shape, body: body)
  }
}

/// The number of an object's shape, and where its body lies.
struct ObjectPlace {
  var shape: Int
  var body: Range<Int>
}

extension ArchiveError {
  /// The error of a record that has more bytes than the limit allows.
  @inline(never)
  @usableFromInline
  static func recordTooLong(_ range: Range<Int>, _ limit: Int) -> ArchiveError {
    ArchiveError(
      "a record has \(range.count) bytes", exceeds: .recordByteCount, of: limit,
      offset: range.lowerBound)
  }

  /// The error of an archive that has more bytes than the limit allows.
  static func tooLong(
    _ byteCount: Int, _ limits: ArchiveLimits, offset: Int? = nil
  ) -> ArchiveError {
    ArchiveError(
      "the archive has \(byteCount) bytes", exceeds: .byteCount, of: limits.byteCount,
      offset: offset)
  }

  /// The error of one more object than numbers can be given to.
  static var tooManyObjects: ArchiveError {
    var error = ArchiveError(
      .limitExceeded,
      "the archive has \(UInt32.max - 1) objects, and the format has no room for more")
    error.remedy = "No limit can be raised for it: split it over several archives."
    return error
  }
}
