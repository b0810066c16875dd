import KeepsakeArchive

/// The parts of a small archive of one segment, in the notation of Spec/archive.md, section 8.
struct TinyArchive {
  let bytes: [UInt8]
  private let map: ArchiveMap

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    map = ArchiveMap(bytes)
  }

  /// An archive with one object.
  init(_ body: (inout ObjectEncoder) throws -> Void) throws {
    self.init(try archiveBytes(body))
  }

  private func hex(_ range: Range<Int>) -> String {
    bytes[range].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }

  /// The archive values.
  var values: String { hex(20..<map.valuesEnd) }

  /// The body of an object.
  func record(_ number: Int) -> String { hex(map.record(number)) }

  /// The number of an object's shape.
  func shape(_ number: Int) -> Int {
    map.segments[0].shape ?? map.word(map.shapePlace(of: number), map.segments[0].shapeByteCount)
  }

  /// The segment.
  var segment: String { hex(map.segments[0].offset..<map.footer) }

  /// The body of the only object.
  var record: String { record(1) }

  var keyTable: String { hex(map.keyTable..<map.typeTable) }
  var typeTable: String { hex(map.typeTable..<map.shapeTable) }
  var shapeTable: String { hex(map.shapeTable..<map.conditionals) }

  /// The list of conditional references.
  var conditionals: String { hex(map.conditionals..<map.segmentDirectory) }

  var segmentCount: Int { map.segments.count }
}

/// Hexadecimal bytes in the form of a table; ignores blanks and bars in the text.
func hexBytes(_ text: String) -> String {
  let digits = text.filter { $0.isHexDigit }
  return stride(from: 0, to: digits.count, by: 2).map { index in
    String(digits.dropFirst(index).prefix(2))
  }.joined(separator: " ")
}
