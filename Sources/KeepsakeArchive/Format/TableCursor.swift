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

  /// The next integer.
  mutating func next<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type = Word.self
  ) throws(ArchiveError) -> Word {
    guard offset <= end - MemoryLayout<Word>.size, let value: Word = fields.next() else {
      throw error(.damaged, "a table ends inside an entry")
    }
    return value
  }

  /// The next word, which is not skipped.
  func peek() throws(ArchiveError) -> UInt32 {
    var copy = self
    return try copy.next()
  }

  mutating func name(_ length: Int) throws(ArchiveError) -> String {
    guard length <= end - offset else { throw error(.damaged, "a table ends inside a name") }
    guard let name = bytes.string(in: offset..<offset + length) else {
      throw error(.invalidUTF8, "a name is not well-formed UTF-8")
    }
    fields = FieldCursor(bytes, at: offset + length)
    return name
  }

  /// Checks that nothing is left.
  func finish() throws(ArchiveError) {
    guard offset == end else { throw error(.damaged, "the tables are longer than their entries") }
  }

  func error(_ code: ArchiveError.Code, _ message: String) -> ArchiveError {
    ArchiveError(code, message, offset: offset)
  }

  /// The error of tables that exceed a limit.
  func excess(_ what: String, _ name: LimitName, _ limit: Int) -> ArchiveError {
    ArchiveError(what, exceeds: name, of: limit, offset: offset)
  }
}
