/// The parts of an archive without the numbers that say where they lie, so that any part can be
/// changed and the whole put together again as it must be (Spec/archive.md, sections 3 and 4).
package struct ArchiveParts {
  package struct Table {
    package var count: UInt32
    package var bytes: [UInt8]
  }

  package var root: UInt32 = 1
  /// The keys, the types and the shapes.
  package var tables = [Table](repeating: Table(count: 0, bytes: []), count: 3)
  package var conditionals: [UInt32] = []
  /// The records of each segment.
  package var segments: [[[UInt8]]] = []
  /// How many entries of the three tables each segment declares; the first one declares the rest.
  package var shares: [[Int]] = []

  /// Reads the parts of an archive whose numbers may be wrong; nil when there is no footer.
  package init?(_ bytes: [UInt8]) {
    guard let footer = bytes.lastOffset(of: Self.footerMarker), footer + 64 <= bytes.count else {
      return nil
    }
    root = bytes.word(footer + 12)
    var offset = footer + 64
    for index in 0..<3 {
      let length = Int(bytes.word(footer + 32 + 8 * index))
      let end = min(bytes.count, offset + length)
      tables[index] = Table(
        count: bytes.word(footer + 16 + 4 * index), bytes: Array(bytes[offset..<end]))
      offset = end
    }
    let count = min(Int(bytes.word(footer + 28)), (bytes.count - offset) / 4, 64)
    conditionals = (0..<count).map { bytes.word(offset + 4 * $0) }
    readSegments(of: bytes, upTo: footer)
  }

  private mutating func readSegments(of bytes: [UInt8], upTo end: Int) {
    // Records that overlap would be more bytes than there are.
    var room = bytes.count
    for start in bytes.offsets(of: Self.segmentMarker) where start + 64 <= end {
      let records = start + 64
      let length = min(Int(bytes.word(start + 40)), end - records)
      let directory = (records + length + 7) & ~7
      let count = min(Int(bytes.word(start + 12)), (end - directory) / 4 - 1)
      var segment: [[UInt8]] = []
      for index in 0..<max(count, 0) {
        let low = min(Int(bytes.word(directory + 4 * index)), length)
        let high = min(Int(bytes.word(directory + 4 * index + 4)), length)
        room -= max(high - low, 4)
        guard room >= 0 else { break }
        segment.append(low < high ? Array(bytes[records + low..<records + high]) : [])
      }
      guard !segment.isEmpty else { continue }
      segments.append(segment)
      shares.append((0..<3).map { Int(bytes.word(start + 16 + 4 * $0)) })
    }
  }

  static let segmentMarker: UInt32 = 0x6745_534B
  static let footerMarker: UInt32 = 0x7846_534B

  /// The archive, with the numbers that follow from the parts.
  ///
  /// - Parameter alignsNumbers: Whether arrays of numbers are aligned anew where they now lie.
  /// - Returns: The bytes.
  package func assembled(aligningNumbers alignsNumbers: Bool = true) -> [UInt8] {
    let shapes = alignsNumbers ? self.shapes : []
    var bytes: [UInt8] = [0x89, 0x4B, 0x53, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes.append(zeros: 56)
    var rows: [UInt8] = []
    var firstRecord = 0
    var declared = [0, 0, 0]
    for (index, segment) in segments.enumerated() {
      let start = bytes.count
      let before = declared
      declared = entries(declaredUpTo: index)
      append(
        segment, index: index, firstRecord: firstRecord, from: before, to: declared, shapes,
        of: &bytes)
      rows.append(long: start)
      rows.append(long: bytes.count - start)
      rows.append(word: firstRecord)
      rows.append(word: segment.count)
      rows.append(long: Int(bytes.word(start + 40)))
      firstRecord += segment.count
    }
    let footer = bytes.count
    bytes.append(word: Int(Self.footerMarker))
    bytes.append(word: segments.count)
    bytes.append(word: firstRecord - 1)
    bytes.append(word: Int(root))
    for table in tables { bytes.append(word: Int(table.count)) }
    bytes.append(word: conditionals.count)
    for table in tables { bytes.append(long: (table.bytes.count + 7) & ~7) }
    bytes.append(long: 0)
    for table in tables {
      bytes += table.bytes
      bytes.pad()
    }
    for id in conditionals { bytes.append(word: Int(id)) }
    bytes.pad()
    bytes += rows
    let length = bytes.count - footer
    bytes.append(long: footer)
    bytes.append(long: length)
    bytes.append(long: bytes.count + 16)
    bytes.append(word: segments.count)
    bytes.append(word: 0x6454_534B)
    return bytes
  }

  /// How many entries the segments up to one declare together.
  private func entries(declaredUpTo index: Int) -> [Int] {
    (0..<3).map { table in
      let later = shares.dropFirst(index + 1).reduce(0) { $0 + $1[table] }
      return max(0, Int(tables[table].count) - later)
    }
  }

  private func append(
    _ segment: [[UInt8]], index: Int, firstRecord: Int, from first: [Int], to last: [Int],
    _ shapes: [RecordShape], of bytes: inout [UInt8]
  ) {
    let start = bytes.count
    bytes.append(word: Int(Self.segmentMarker))
    bytes.append(word: index)
    bytes.append(word: firstRecord)
    bytes.append(word: segment.count)
    for table in 0..<3 { bytes.append(word: last[table] - first[table]) }
    bytes.append(zeros: 36)
    var directory: [UInt8] = []
    for record in segment {
      directory.append(word: bytes.count - start - 64)
      bytes += RecordFields(record, shapes).aligned(record, at: bytes.count)
    }
    let records = bytes.count - start - 64
    bytes.pad()
    bytes += directory
    bytes.append(word: records)
    bytes.pad()
    let tablesStart = bytes.count
    for table in 0..<3 where last[table] > first[table] {
      bytes += entries(first[table]..<last[table], ofTable: table)
      bytes.pad()
    }
    bytes.store(long: bytes.count - tablesStart, at: start + 32)
    bytes.store(long: records, at: start + 40)
    bytes.store(long: bytes.count - start, at: start + 48)
  }

  /// A table of some of the entries of one (Spec/archive.md, 4.2 to 4.4).
  private func entries(_ range: Range<Int>, ofTable table: Int) -> [UInt8] {
    let bytes = tables[table].bytes
    let count = Int(tables[table].count)
    if range == 0..<count { return bytes }
    func part(_ start: Int, _ end: Int) -> ArraySlice<UInt8> {
      bytes[min(start, bytes.count)..<min(max(start, end), bytes.count)]
    }
    if table == 2 {
      var starts = [0]
      for _ in 0..<min(range.upperBound, bytes.count / 16) {
        let row = starts[starts.count - 1]
        starts.append(row + 16 + 8 * Int(bytes.word(row + 4)))
      }
      func start(_ row: Int) -> Int { row < starts.count ? starts[row] : bytes.count }
      return Array(part(start(range.lowerBound), start(range.upperBound)))
    }
    // The names come behind all rows, which say how long they are.
    func start(ofName row: Int) -> Int {
      (0..<min(row, bytes.count / 16)).reduce(16 * count) {
        $0 + Int(bytes.word(16 * $1 + (table == 0 ? 4 : 0)))
      }
    }
    return Array(part(16 * range.lowerBound, 16 * range.upperBound))
      + part(start(ofName: range.lowerBound), start(ofName: range.upperBound))
  }
}
