// Little-endian numbers in arrays of bytes; bytes outside of an array count as zero.

extension [UInt8] {
  package func word(_ offset: Int) -> UInt32 {
    guard offset >= 0, offset + 4 <= count else { return 0 }
    return (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << UInt32(8 * $1) }
  }

  /// A number of one, two, four or more bytes, of which the lower eight count.
  func number(_ offset: Int, byteCount: Int) -> Int {
    guard offset >= 0, offset + byteCount <= count else { return 0 }
    return (0..<Swift.min(byteCount, 8)).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }

  mutating func append(_ number: Int, byteCount: Int) {
    for index in 0..<byteCount { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  mutating func append(word: Int) {
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  mutating func append(long: Int) {
    for shift in stride(from: 0, to: 64, by: 8) { append(UInt8(truncatingIfNeeded: long >> shift)) }
  }

  mutating func append(zeros count: Int) {
    append(contentsOf: repeatElement(0, count: count))
  }

  /// Stores as much of a number as fits.
  mutating func store(_ number: Int, byteCount: Int, at offset: Int) {
    guard offset >= 0, offset + byteCount <= count else { return }
    for index in 0..<Swift.min(byteCount, 8) {
      self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }

  mutating func store(word: UInt32, at offset: Int) {
    guard offset >= 0, offset + 4 <= count else { return }
    for index in 0..<4 {
      self[offset + index] = UInt8(truncatingIfNeeded: word >> UInt32(8 * index))
    }
  }

  mutating func store(long: Int, at offset: Int) {
    store(word: UInt32(truncatingIfNeeded: long), at: offset)
    store(word: UInt32(truncatingIfNeeded: long >> 32), at: offset + 4)
  }

  /// The offsets of a word that marks parts of an archive.
  func offsets(of marker: UInt32) -> [Int] {
    guard count >= 4 else { return [] }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: marker >> UInt32(8 * $0)) }
    return (0...count - 4).filter { offset in
      self[offset] == bytes[0] && self[offset + 1] == bytes[1] && self[offset + 2] == bytes[2]
        && self[offset + 3] == bytes[3]
    }
  }

  func lastOffset(of marker: UInt32) -> Int? { offsets(of: marker).last }
}
