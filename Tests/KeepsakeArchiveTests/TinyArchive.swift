import KeepsakeArchive

/// The parts of a small archive of one segment, in the notation of Spec/archive.md, section 8.
struct TinyArchive {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// An archive with one object.
  init(_ body: (inout ObjectEncoder) throws -> Void) throws {
    bytes = try archiveBytes(body)
  }

  private func word(_ offset: Int, _ width: Int = 4) -> Int {
    Int(number(in: bytes, at: offset, byteCount: width))
  }

  private func hex(_ range: Range<Int>) -> String {
    bytes[range].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  private var footer: Int { word(bytes.count - 32, 8) }

  private let records = 128

  private var endOfRecords: Int { records + word(64 + 40, 8) }

  /// The record directory, which has padding before and behind it.
  private var directory: Range<Int> {
    let start = (endOfRecords + 7) & ~7
    return start..<(start + 4 * word(64 + 12) + 4 + 7) & ~7
  }

  /// The bytes of a record.
  func record(_ number: Int) -> String {
    let entry = directory.lowerBound + 4 * number
    return hex(records + word(entry)..<records + word(entry + 4))
  }

  /// All records, the padding behind them, and the record directory with its padding.
  var recordsAndDirectory: String { hex(records..<directory.upperBound) }

  /// The bytes of the record of the object.
  var record: String { record(1) }

  var keyTable: String { table(0) }
  var typeTable: String { table(1) }
  var shapeTable: String { table(2) }

  private func table(_ index: Int) -> String {
    let lengths = (0..<3).map { word(footer + 32 + 8 * $0, 8) }
    let start = footer + 64 + lengths[..<index].reduce(0, +)
    return hex(start..<start + lengths[index])
  }

  /// The list of conditional references with its padding.
  var conditionals: String {
    let start = footer + 64 + (0..<3).map { word(footer + 32 + 8 * $0, 8) }.reduce(0, +)
    return hex(start..<bytes.count - 32 - 32 * word(footer + 4))
  }

  var segmentCount: Int { word(footer + 4) }
}

/// Bytes as they are written in a table: blanks and bars do not count.
func hexBytes(_ text: String) -> String {
  let digits = text.filter { $0.isHexDigit }
  return stride(from: 0, to: digits.count, by: 2).map { index in
    String(digits.dropFirst(index).prefix(2))
  }.joined(separator: " ")
}
