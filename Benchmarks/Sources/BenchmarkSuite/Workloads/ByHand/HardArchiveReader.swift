import BenchmarkHarness

/// An archive of objects of one shape with payloads, read by code for this layout only.
///
/// Reading is as careful as Keepsake's: every range is checked and every string is validated.
struct HardArchiveReader {
  let input: RawInput
  let objectCount: Int
  /// The number of each shape in the archive, -1 for an absent shape.
  let numbers: [Int]
  private let footer: Int
  private let rows: Int
  private let segmentCount: Int
  private let objectShape: Int

  init(_ input: RawInput, shapes: [HardShape], objectShape: Int) throws {
    self.input = input
    let end = input.count
    try check(end >= 20 + 16 + 20 + 20 + 24, "This is too short for an archive.")
    let (magic, version) = (
      try input.load(UInt64.self, at: 0), try input.load(UInt64.self, at: 8)
    )
    try check(magic == 0x0A1A_0A0D_4153_4B89 && version == 1, "This is no archive.")
    try check(try input.load(UInt32.self, at: 16) == 0, "There are archive values.")
    let tail = end - 24
    try check(try input.load(UInt32.self, at: tail) == 0x6454_534B, "There is no tail.")
    segmentCount = Int(try input.load(UInt32.self, at: tail + 4))
    objectCount = Int(try input.load(UInt32.self, at: tail + 8))
    try check(try input.load(UInt32.self, at: tail + 12) == 1, "The root is not the first object.")
    let offset = try input.load(UInt64.self, at: tail + 16)
    rows = tail - 20 * segmentCount
    try check(segmentCount > 0 && rows > 20 && offset < UInt64(rows), "The footer is cut short.")
    footer = Int(offset)
    try check(objectCount > 0 && objectCount < end, "There are too many objects.")
    numbers = try HardTables.numbers(of: shapes, in: input, at: footer, to: rows)
    self.objectShape = objectShape
  }

  /// Passes the bodies of all objects to `read`.
  @inline(__always)
  func forEachBody(_ read: (Range<Int>) throws -> Void) throws {
    var place = 20
    var number = 1
    for segment in 0..<segmentCount {
      let row = rows + 20 * segment
      let isLast = segment + 1 == segmentCount
      let offset = try input.load(UInt64.self, at: row)
      let length = Int(try input.load(UInt32.self, at: row + 12))
      let next = isLast ? objectCount + 1 : Int(try input.load(UInt32.self, at: row + 28))
      let count = next - number
      try check(
        offset >= UInt64(place) && offset < UInt64(footer) && count > 0
          && Int(try input.load(UInt32.self, at: row + 8)) == number
          && Int(try input.load(UInt32.self, at: row + 16)) == numbers[objectShape],
        "A segment is not where the one before it ends.")
      let first = Int(offset) + 16
      let directory = first + length
      let width = HardWidth.inside(length)
      try check(directory + (count - 1) * width <= footer, "A segment is cut short.")
      var start = first
      for index in 1...count {
        let end =
          index == count
          ? directory
          : first + (try input.end(at: directory + (index - 1) * width, width: width))
        try read(try input.range(from: &start, to: end, in: first..<directory))
      }
      place = directory
      number = next
    }
  }
}

/// The payloads of a body, in order.
struct HardPayloads {
  private let input: RawInput
  private let end: Int
  private let tail: Int
  private let width: Int
  private var nextEnd: Int
  private var start: Int

  /// Starts after this number of bytes of slots.
  @inline(__always)
  init(_ input: RawInput, _ body: Range<Int>, slots: Int, count: Int) throws {
    self.input = input
    end = body.upperBound
    width = HardWidth.inside(body.count)
    nextEnd = body.lowerBound + slots
    tail = nextEnd + (count - 1) * width
    start = tail
    try check(tail <= end, "A record is cut short.")
  }

  /// The next payload, which is not the last.
  @inline(__always)
  mutating func next() throws -> Range<Int> {
    let last = tail + (try input.end(at: nextEnd, width: width))
    nextEnd += width
    return try input.range(from: &start, to: last, in: start..<end)
  }

  @inline(__always)
  mutating func text() throws -> String { try input.text(in: next()) }

  /// The last payload.
  var last: Range<Int> { start..<end }
}

/// The elements with ends of an array, in order.
struct HardElements {
  let count: Int
  private let input: RawInput
  private let end: Int
  private let tail: Int
  private let width: Int
  private var nextEnd: Int
  private var start: Int

  /// Starts an array whose element count comes after this number of bytes.
  @inline(__always)
  init(_ input: RawInput, _ range: Range<Int>, after head: Int) throws {
    self.input = input
    end = range.upperBound
    width = HardWidth.inside(range.count)
    let place = range.lowerBound + head
    count = try input.end(at: place, width: width)
    try check(count > 0 && place + count * width <= end, "An array is cut short.")
    nextEnd = place + width
    tail = place + count * width
    start = tail
  }

  @inline(__always)
  mutating func next() throws -> Range<Int> {
    if nextEnd == tail { return start..<end }
    let last = tail + (try input.end(at: nextEnd, width: width))
    nextEnd += width
    return try input.range(from: &start, to: last, in: start..<end)
  }
}
