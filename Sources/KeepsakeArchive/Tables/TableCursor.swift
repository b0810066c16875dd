/// Reads the rows and the names of one table, and nothing beyond its end.
struct TableCursor {
  private let bytes: ByteRegion
  private var fields: FieldCursor
  private let end: Int

  /// Where in the archive the next byte lies.
  var offset: Int { fields.offset }

  /// How many bytes are left.
  var rest: Int { end - offset }

  init(_ bytes: ByteRegion, range: Range<Int>) {
    self.bytes = bytes
    fields = FieldCursor(bytes, at: range.lowerBound)
    end = range.upperBound
  }

  /// Refuses a number of rows that the rest of the table cannot hold, before anything is allocated.
  func checkRows(_ count: Int, byteCount: Int) throws(ArchiveError) {
    guard count <= (end - offset) / byteCount else {
      throw error(.damaged, "a table declares more entries than it has room for")
    }
  }

  mutating func word() throws(ArchiveError) -> UInt32 { try next() }

  mutating func longWord() throws(ArchiveError) -> UInt64 { try next() }

  private mutating func next<Word: FixedWidthInteger & BitwiseCopyable>() throws(ArchiveError)
    -> Word
  {
    guard offset <= end - MemoryLayout<Word>.size, let value: Word = fields.next() else {
      throw error(.damaged, "a table ends inside an entry")
    }
    return value
  }

  mutating func name(_ length: Int) throws(ArchiveError) -> String {
    guard length <= end - offset else { throw error(.damaged, "a table ends inside a name") }
    guard let name = bytes.string(in: offset..<offset + length) else {
      throw error(.invalidUTF8, "a name is not well-formed UTF-8")
    }
    fields = FieldCursor(bytes, at: offset + length)
    return name
  }

  /// Skips the zeros up to the next multiple of eight.
  mutating func skipPadding() throws(ArchiveError) {
    let next = padded(offset)
    guard next <= end else { throw error(.damaged, "a table ends inside its padding") }
    guard bytes.isZero(in: offset..<next) else {
      throw error(.damaged, "the padding of a table is not zero")
    }
    fields = FieldCursor(bytes, at: next)
  }

  /// Checks that nothing but zeros up to the next multiple of eight is left.
  func finish() throws(ArchiveError) {
    guard end - offset < 8 else { throw error(.damaged, "a table is longer than its entries") }
    guard bytes.isZero(in: offset..<end) else {
      throw error(.damaged, "the padding of a table is not zero")
    }
  }

  func error(_ code: ArchiveError.Code, _ message: String) -> ArchiveError {
    ArchiveError(code, message, offset: offset)
  }
}
