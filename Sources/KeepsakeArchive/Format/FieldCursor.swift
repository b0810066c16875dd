/// Reads the fields of a part, or the rows and the names of a table, in order and never beyond the end.
struct FieldCursor {
  private let bytes: ByteRegion
  private let end: Int
  /// The offset of the next byte in the archive.
  private(set) var offset: Int

  init(_ bytes: ByteRegion, at offset: Int, to end: Int? = nil) {
    self.bytes = bytes
    self.offset = offset
    self.end = end ?? bytes.end
  }

  /// The next integer; nil when the bytes end before it does.
  mutating func next<Word: FixedWidthInteger & BitwiseCopyable>() -> Word? {
    guard offset <= end - MemoryLayout<Word>.size, let word = bytes.load(Word.self, at: offset)
    else { return nil }
    offset += MemoryLayout<Word>.size
    return word
  }
}

// The tables, whose damage has errors of its own.

extension FieldCursor {
  /// The number of bytes that are left.
  var rest: Int { end - offset }

  /// Refuses a number of rows that the rest of the table cannot hold, before anything is allocated.
  func checkRows(_ count: Int, byteCount: Int) throws(ArchiveError) {
    guard count <= rest / byteCount else {
      throw error(.damaged, "a table declares more entries than it has room for")
    }
  }

  mutating func read<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type = Word.self
  ) throws(ArchiveError) -> Word {
    guard let value: Word = next() else { throw error(.damaged, "a table ends inside an entry") }
    return value
  }

  mutating func name(
    _ length: Int, limit: Int = NameLength.largest
  ) throws(ArchiveError) -> String {
    // A name that cannot be there is damage, and no matter of limits.
    guard length <= rest else { throw error(.damaged, "a table ends inside a name") }
    guard length <= limit else { throw excess("a name has \(length) bytes", .nameByteCount, limit) }
    guard let name = bytes.string(in: offset..<offset + length) else {
      throw error(.invalidUTF8, "a name is not well-formed UTF-8")
    }
    offset += length
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
    if let error = ArchiveError(count, what, exceeds: name, of: limit, offset: offset) {
      throw error
    }
  }

  /// The error for tables that exceed a limit.
  func excess(_ what: String, _ name: LimitName, _ limit: Int) -> ArchiveError {
    ArchiveError(what, exceeds: name, of: limit, offset: offset)
  }
}
