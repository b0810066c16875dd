/// Reads the rows and the names of one table, never beyond its end.
struct TableCursor {
  private let bytes: ByteRegion
  private var fields: FieldCursor
  private let end: Int

  /// The offset of the next byte in the archive.
  var offset: Int { fields.offset }

  /// The number of bytes that are left.
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

  mutating func next<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type = Word.self
  ) throws(ArchiveError) -> Word {
    guard offset <= end - MemoryLayout<Word>.size, let value: Word = fields.next() else {
      throw error(.damaged, "a table ends inside an entry")
    }
    return value
  }

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

  func finish() throws(ArchiveError) {
    guard offset == end else { throw error(.damaged, "the tables are longer than their entries") }
  }

  func error(_ code: ArchiveError.Code, _ message: String) -> ArchiveError {
    ArchiveError(code, message, offset: offset)
  }

  /// Checks the number of entries that the archive has with those of a table.
  func checkCount(
    _ count: Int, _ what: String, _ name: LimitName, _ limit: Int
  ) throws(ArchiveError) {
    guard count <= name.most(limit) else {
      throw excess("the archive has \(count) \(what)", name, limit)
    }
  }

  /// The error for tables that exceed a limit.
  func excess(_ what: String, _ name: LimitName, _ limit: Int) -> ArchiveError {
    ArchiveError(what, exceeds: name, of: limit, offset: offset)
  }
}
