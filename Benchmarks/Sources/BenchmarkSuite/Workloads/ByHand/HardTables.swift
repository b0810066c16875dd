import BenchmarkHarness

/// The tables of an archive (Spec/archive.md, 4) while its records are written.
///
/// A shape gets the next number when its first record is complete.
struct HardTables {
  /// The counts and the ends of the entries.
  private struct Mark {
    var keys = 0
    var types = 0
    var shapes = 0
    var keyBytes = 0
    var typeBytes = 0
    var shapeBytes = 0
  }

  private let shapes: [HardShape]
  /// The number of each shape, -1 before its first record.
  private var numbers: [Int]
  private var keyNumbers: [String: Int] = [:]
  private var typeNumbers: [String: Int] = [:]
  private var keys: [UInt8] = []
  private var types: [UInt8] = []
  private var entries: [UInt8] = []
  /// The marks before each shape, and the current one at the end.
  private var marks = [Mark()]

  init(_ shapes: [HardShape]) {
    self.shapes = shapes
    numbers = Array(repeating: -1, count: shapes.count)
  }

  /// The number of shapes that have numbers.
  var count: Int { marks.count - 1 }

  /// The number of a shape that has a complete record.
  @inline(__always)
  mutating func number(of shape: Int) -> Int {
    let number = numbers[shape]
    return number >= 0 ? number : declare(shape)
  }

  @inline(never)
  private mutating func declare(_ index: Int) -> Int {
    let shape = shapes[index]
    let type = typeNumbers[shape.typeName] ?? typeNumbers.count
    if type == typeNumbers.count {
      typeNumbers[shape.typeName] = type
      HardTables.append(shape.typeName, to: &types)
    }
    var words: [Int] = []
    for slot in shape.slots {
      let key = keyNumbers[slot.name] ?? keyNumbers.count
      if key == keyNumbers.count {
        keyNumbers[slot.name] = key
        HardTables.append(slot.name, to: &keys)
      }
      words.append(Int(slot.tag.rawValue) | (slot.isNullable ? 1 << 8 : 0) | key << 12)
      if let cell = slot.cell { words.append(numbers[cell]) }
    }
    HardTables.append(type, 2, to: &entries)
    HardTables.append(words.count, 2, to: &entries)
    for word in words { HardTables.append(word, 4, to: &entries) }
    numbers[index] = count
    marks.append(
      Mark(
        keys: keyNumbers.count, types: typeNumbers.count, shapes: marks.count,
        keyBytes: keys.count, typeBytes: types.count, shapeBytes: entries.count))
    return numbers[index]
  }

  /// Writes the entries of a range of shapes.
  func write(_ range: Range<Int>, to output: inout RawOutput) {
    let (first, last) = (marks[range.lowerBound], marks[range.upperBound])
    output.append(UInt32(last.keys - first.keys))
    output.append(UInt32(last.types - first.types))
    output.append(UInt32(last.shapes - first.shapes))
    output.append(0 as UInt32)
    let parts = [
      keys[first.keyBytes..<last.keyBytes], types[first.typeBytes..<last.typeBytes],
      entries[first.shapeBytes..<last.shapeBytes],
    ]
    output.append(UInt32(parts.reduce(0) { $0 + $1.count }))
    for part in parts { output.append(bytes: part) }
  }

  private static func append(_ name: String, to bytes: inout [UInt8]) {
    append(0, 1, to: &bytes)
    append(name.utf8.count, 1, to: &bytes)
    bytes += name.utf8
  }

  private static func append(_ number: Int, _ width: Int, to bytes: inout [UInt8]) {
    for index in 0..<width { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }
}

extension HardTables {
  /// Reads the tables of a footer that have these shapes and no others.
  ///
  /// - Returns: The number of each shape, -1 for an absent shape.
  static func numbers(
    of shapes: [HardShape], in input: RawInput, at footer: Int, to end: Int
  ) throws -> [Int] {
    var place = footer
    func next<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type) throws -> Int {
      defer { place += MemoryLayout<Word>.size }
      return Int(try input.load(type, at: place))
    }
    func name() throws -> String {
      try check(try next(UInt8.self) == 0, "A name is not one of these records.")
      let length = try next(UInt8.self)
      defer { place += length }
      return try input.text(in: place..<place + length)
    }
    let (keyCount, typeCount) = (try next(UInt32.self), try next(UInt32.self))
    let shapeCount = try next(UInt32.self)
    try check(try next(UInt32.self) == 0, "There are conditional references.")
    try check(try next(UInt32.self) == end - footer - 20, "The tables are cut short.")
    try check(keyCount + typeCount + shapeCount <= end - footer, "The tables are too short.")
    let keys = try (0..<keyCount).map { _ in try name() }
    let types = try (0..<typeCount).map { _ in try name() }
    var numbers = Array(repeating: -1, count: shapes.count)
    for number in 0..<shapeCount {
      let type = try next(UInt16.self)
      let words = try (0..<next(UInt16.self)).map { _ in try next(UInt32.self) }
      let index = shapes.firstIndex { shape in
        guard type < types.count, shape.typeName == types[type] else { return false }
        let expected = shape.slots.flatMap { slot in
          let word = Int(slot.tag.rawValue) | (slot.isNullable ? 1 << 8 : 0)
          let key = keys.firstIndex(of: slot.name) ?? -1
          return [word | key << 12] + (slot.cell.map { [numbers[$0]] } ?? [])
        }
        return words == expected
      }
      guard let index, numbers[index] < 0, number < 254 else {
        throw CheckFailure(description: "A shape is not one of these records.")
      }
      numbers[index] = number
    }
    try check(place == end, "There is something after the tables.")
    return numbers
  }
}
