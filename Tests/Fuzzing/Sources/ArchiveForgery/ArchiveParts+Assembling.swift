// Assembles an archive from its parts, with the numbers that follow from them (Spec/archive.md, section 3).

extension ArchiveParts {
  /// Assembles the archive, with the numbers that follow from the parts.
  ///
  /// - Parameter alignsNumbers: True when arrays of numbers are aligned for their new offsets.
  /// - Returns: The bytes.
  package func assembled(aligningNumbers alignsNumbers: Bool = true) -> [UInt8] {
    let known = self.shapes
    let shapes = alignsNumbers ? known : []
    var bytes: [UInt8] = [0x89, 0x4B, 0x53, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += [1, 0]
    bytes.append(zeros: 6)
    bytes.append(word: values.count)
    bytes += values
    var rows: [UInt8] = []
    var firstObject = 1
    var declared = [0, 0, 0]
    for (index, segment) in segments.enumerated() {
      let start = bytes.count
      let isLast = index == segments.count - 1
      append(segment, isLast: isLast, known: known, aligning: shapes, to: &bytes)
      if !isLast {
        let before = declared
        declared = zip(zip(declared, share(of: index)), tables).map { counts, table in
          min(counts.0 + max(counts.1, 0), Int(table.count))
        }
        append(entriesFrom: before, to: declared, conditionalCount: 0, of: &bytes)
      }
      rows.append(long: start)
      rows.append(word: firstObject)
      rows += bytes[start + 4..<start + 8]
      rows += bytes[start + 12..<start + 16]
      firstObject += segment.count
    }
    let footer = bytes.count
    append(
      entriesFrom: [0, 0, 0], to: tables.map { Int($0.count) },
      conditionalCount: conditionals.count, of: &bytes)
    for id in conditionals { bytes.append(word: Int(id)) }
    bytes += rows
    bytes.append(word: Int(Self.tailMarker))
    bytes.append(word: segments.count)
    bytes.append(word: firstObject - 1)
    bytes.append(word: Int(root))
    bytes.append(long: footer)
    return bytes
  }

  private func share(of segment: Int) -> [Int] {
    segment < shares.count ? shares[segment] : [0, 0, 0]
  }

  /// Makes a segment declare all entries that no segment but the last declares.
  package mutating func declareRest(in segment: Int) {
    while shares.count < segments.count { shares.append([0, 0, 0]) }
    for table in 0..<3 {
      let others = shares.indices.reduce(0) { $0 + ($1 == segment ? 0 : shares[$1][table]) }
      shares[segment][table] = max(Int(tables[table].count) - others, 0)
    }
  }

  private func append(
    _ segment: [[UInt8]], isLast: Bool, known: [RecordShape], aligning shapes: [RecordShape],
    to bytes: inout [UInt8]
  ) {
    let start = bytes.count
    bytes.append(word: Int(isLast ? Self.lastMarker : Self.segmentMarker))
    bytes.append(zeros: 12)
    var numbers: [Int] = []
    var ends: [Int] = []
    for record in segment {
      let (number, byteCount) = Self.shapeNumber(of: record)
      let aligned = RecordFields(record, shapes).aligned(record, at: bytes.count - byteCount)
      bytes += aligned.dropFirst(byteCount)
      numbers.append(number)
      ends.append(bytes.count - start - 16)
    }
    let length = ends.last ?? 0
    let width = Self.width(of: length)
    let isMixed = Set(numbers).count > 1
    let first = numbers.first ?? 0
    let fixed = !isMixed && first < known.count ? known[first].fixedByteCount : 0
    if isMixed {
      let shapeWidth = Self.width(of: numbers.max() ?? 0)
      bytes.append(UInt8(shapeWidth))
      for number in numbers { bytes.append(number, byteCount: shapeWidth) }
    }
    if fixed == 0 { for end in ends.dropLast() { bytes.append(end, byteCount: width) } }
    bytes.store(word: UInt32(truncatingIfNeeded: length), at: start + 4)
    bytes.store(word: UInt32(truncatingIfNeeded: segment.count), at: start + 8)
    let shape = isMixed ? .max : UInt32(truncatingIfNeeded: first) | (fixed > 0 ? 1 << 31 : 0)
    bytes.store(word: shape, at: start + 12)
  }

  private func append(
    entriesFrom first: [Int], to last: [Int], conditionalCount: Int, of bytes: inout [UInt8]
  ) {
    for table in 0..<3 { bytes.append(word: last[table] - first[table]) }
    bytes.append(word: conditionalCount)
    let length = bytes.count
    bytes.append(word: 0)
    for table in 0..<3 { bytes += entries(first[table]..<last[table], ofTable: table) }
    bytes.store(word: UInt32(bytes.count - length - 4), at: length)
  }

  /// Some of the entries of a table.
  private func entries(_ range: Range<Int>, ofTable table: Int) -> ArraySlice<UInt8> {
    let bytes = tables[table].bytes
    if range == 0..<Int(tables[table].count) { return bytes[...] }
    var starts = [0]
    while starts.count <= range.upperBound, let last = starts.last, last < bytes.count {
      starts.append(
        min(last + Self.entryByteCount(bytes, at: last, ofTable: table), bytes.count))
    }
    func start(_ row: Int) -> Int { row < starts.count ? starts[row] : bytes.count }
    return bytes[start(range.lowerBound)..<start(range.upperBound)]
  }

  /// The offsets of the entries of a table, as far as they can be followed.
  func entryStarts(ofTable table: Int) -> [Int] {
    let bytes = tables[table].bytes
    var starts: [Int] = []
    var offset = 0
    while offset < bytes.count, starts.count < min(Int(tables[table].count), 4096) {
      starts.append(offset)
      offset += Self.entryByteCount(bytes, at: offset, ofTable: table)
    }
    return starts
  }
}
