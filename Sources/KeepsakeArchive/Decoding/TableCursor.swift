/// Reads the rows and the names of one table, and nothing beyond its end.
struct TableCursor {
  private let bytes: ByteRegion
  private(set) var offset: Int
  private let end: Int

  /// How many bytes are left.
  var rest: Int { end - offset }

  init(_ bytes: ByteRegion, range: Range<Int>) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
  }

  /// A row of the key table.
  struct KeyRow {
    var scope: Int
    var byteCount: Int
    var space: KeySpace

    init(_ cursor: inout TableCursor) throws(ArchiveError) {
      scope = Int(try cursor.word())
      byteCount = Int(try cursor.word())
      // The namespace is one byte; the seven after it are reserved and zero.
      let raw = try cursor.longWord()
      guard raw <= UInt64(UInt8.max), let known = KeySpace(rawValue: UInt8(raw)) else {
        throw cursor.error(.damaged, "a key is of an unknown namespace")
      }
      space = known
    }
  }

  /// Reads a slot of a shape.
  static func slot(_ cursor: inout TableCursor) throws(ArchiveError) -> SlotDeclaration {
    let key = try cursor.word()
    let rest = try cursor.word()
    let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: rest))
    guard tag.isWellFormed, tag != .any, rest >> 8 <= 1 else {
      throw cursor.error(.damaged, "a shape has a slot of a kind and width that cannot be")
    }
    return SlotDeclaration(key: key, tag: tag, isNullable: rest >> 8 == 1)
  }

  /// Refuses a number of rows that the rest of the table cannot hold, before anything is allocated.
  func checkRows(_ count: Int, byteCount: Int) throws(ArchiveError) {
    guard count <= (end - offset) / byteCount else {
      throw error(.damaged, "a table declares more entries than it has room for")
    }
  }

  mutating func word() throws(ArchiveError) -> UInt32 {
    guard offset <= end - 4, let value = bytes.load(UInt32.self, at: offset) else {
      throw error(.damaged, "a table ends inside an entry")
    }
    offset += 4
    return value
  }

  mutating func longWord() throws(ArchiveError) -> UInt64 {
    guard offset <= end - 8, let value = bytes.load(UInt64.self, at: offset) else {
      throw error(.damaged, "a table ends inside an entry")
    }
    offset += 8
    return value
  }

  mutating func name(_ length: Int) throws(ArchiveError) -> String {
    guard length <= end - offset else { throw error(.damaged, "a table ends inside a name") }
    guard let name = bytes.string(in: offset..<offset + length) else {
      throw error(.invalidUTF8, "a name is not well-formed UTF-8")
    }
    offset += length
    return name
  }

  /// Skips the zeros up to the next multiple of eight.
  mutating func skipPadding() throws(ArchiveError) {
    let next = (offset + 7) & ~7
    guard next <= end else { throw error(.damaged, "a table ends inside its padding") }
    guard bytes.isZero(in: offset..<next) else {
      throw error(.nonCanonical, "the padding of a table is not zero")
    }
    offset = next
  }

  /// Checks that nothing but zeros up to the next multiple of eight is left.
  func finish() throws(ArchiveError) {
    guard end - offset < 8 else { throw error(.damaged, "a table is longer than its entries") }
    guard bytes.isZero(in: offset..<end) else {
      throw error(.nonCanonical, "the padding of a table is not zero")
    }
  }

  func error(_ code: ArchiveError.Code, _ reason: String) -> ArchiveError {
    ArchiveError(code, reason, offset: offset)
  }
}
