/// The parts of an archive without the numbers that locate them, so that any part can be changed and the
/// whole reassembled correctly (Spec/archive.md, sections 3 and 4).
package struct ArchiveParts {
  package struct Table {
    package var count: UInt32
    package var bytes: [UInt8]
  }

  package var root: UInt32 = 1
  /// The archive values.
  package var values: [UInt8] = []
  /// The keys, the types and the shapes.
  package var tables = [Table](repeating: Table(count: 0, bytes: []), count: 3)
  package var conditionals: [UInt32] = []
  /// The objects of each segment.
  ///
  /// Each is the number of its shape followed by its body, as in a nested record.
  package var segments: [[[UInt8]]] = []
  /// The number of entries of the three tables that each segment declares; the last one declares the rest.
  package var shares: [[Int]] = []

  /// Reads the parts of an archive whose numbers may be wrong; nil when there is no tail.
  package init?(_ bytes: [UInt8]) {
    guard let tail = bytes.lastOffset(of: Self.tailMarker), tail + 24 <= bytes.count else {
      return nil
    }
    root = bytes.word(tail + 12)
    let footer = min(Int(bytes.word(tail + 16)), tail)
    let valuesEnd = min(20 + Int(bytes.word(16)), footer)
    if valuesEnd > 20 { values = Array(bytes[20..<valuesEnd]) }
    var offset = min(footer + 20, tail)
    let end = min(offset + Int(bytes.word(footer + 16)), tail)
    for table in 0..<3 {
      let count = bytes.word(footer + 4 * table)
      let start = offset
      var index: UInt32 = 0
      while index < count, offset < end, table < 2 {
        offset = min(offset + Self.entryByteCount(bytes, at: offset, ofTable: table), end)
        index += 1
      }
      if table == 2 { offset = end }
      tables[table] = Table(count: count, bytes: Array(bytes[start..<offset]))
    }
    let count = min(Int(bytes.word(footer + 12)), (tail - offset) / 4, 64)
    conditionals = (0..<count).map { bytes.word(offset + 4 * $0) }
    readSegments(of: bytes, upTo: footer)
  }

  /// The size of an entry of a table in bytes, as it states it (Spec/archive.md, 4.1 to 4.3).
  static func entryByteCount(_ bytes: [UInt8], at offset: Int, ofTable table: Int) -> Int {
    if table == 2 { return 4 + 4 * bytes.number(offset + 2, byteCount: 2) }
    let flags = bytes.number(offset, byteCount: 1)
    let lengthByteCount = flags & 8 == 0 ? 1 : 2
    let hasWord = flags & (table == 0 ? 4 : 1) != 0
    return 1 + lengthByteCount + (hasWord ? 4 : 0)
      + bytes.number(offset + 1, byteCount: lengthByteCount)
  }

  private mutating func readSegments(of bytes: [UInt8], upTo end: Int) {
    // Overlapping bodies could have more bytes than the archive.
    var room = bytes.count
    let markers = bytes.offsets(of: Self.segmentMarker) + bytes.offsets(of: Self.lastMarker)
    for start in markers.sorted() where start + 16 <= end {
      let bodies = start + 16
      let length = min(Int(bytes.word(start + 4)), end - bodies)
      let count = min(Int(bytes.word(start + 8)), 65_535)
      let shape = bytes.word(start + 12)
      let directory = bodies + length
      let isMixed = shape == .max
      let shapeWidth = isMixed ? min(max(bytes.number(directory, byteCount: 1), 1), 4) : 0
      let ends = isMixed ? directory + 1 + count * shapeWidth : directory
      let width = Self.width(of: length)
      var segment: [[UInt8]] = []
      var last = 0
      for index in 0..<count {
        var next =
          !isMixed && shape >> 31 == 1
          ? length / count * (index + 1) : bytes.number(ends + index * width, byteCount: width)
        if index + 1 == count { next = length }
        next = min(max(next, last), length)
        room -= max(next - last, 4)
        guard room >= 0 else { break }
        let number =
          isMixed
          ? bytes.number(directory + 1 + index * shapeWidth, byteCount: shapeWidth)
          : Int(shape & 0x7FFF_FFFF)
        segment.append(Self.shapeNumber(number) + bytes[bodies + last..<bodies + next])
        last = next
      }
      guard !segment.isEmpty else { continue }
      segments.append(segment)
      let hasEnds = isMixed || shape >> 31 == 0
      let tables = ends + (hasEnds ? (count - 1) * width : 0)
      let isLast = bytes.word(start) == Self.lastMarker
      shares.append((0..<3).map { isLast ? 0 : Int(bytes.word(tables + 4 * $0)) })
    }
  }

  static let segmentMarker: UInt32 = 0x6745_534B
  static let lastMarker: UInt32 = 0x7A45_534B
  static let tailMarker: UInt32 = 0x6454_534B

  static func width(of length: Int) -> Int { length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4 }

  /// The number of a shape in front of a body (Spec/archive.md, 5.4).
  static func shapeNumber(_ number: Int) -> [UInt8] {
    if number < 254 { return [UInt8(truncatingIfNeeded: number)] }
    var bytes: [UInt8] = [number < 1 << 16 ? 254 : 255]
    bytes.append(number, byteCount: number < 1 << 16 ? 2 : 4)
    return bytes
  }

  /// The number of the shape at the start of a record, and its size in bytes.
  static func shapeNumber(of record: [UInt8]) -> (number: Int, byteCount: Int) {
    let first = record.number(0, byteCount: 1)
    let wide = first == 254 ? 2 : first == 255 ? 4 : 0
    if wide == 0 { return (first, min(1, record.count)) }
    return (record.number(1, byteCount: wide), min(1 + wide, record.count))
  }
}
