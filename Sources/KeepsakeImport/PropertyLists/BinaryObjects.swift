import KeepsakeArchive
import KeepsakeDocuments

/// The objects of a property list of the binary form, which name each other by number.
///
/// An object is found through a table of offsets, and is read within the bytes before the table.
struct BinaryObjects {
  private static let headerByteCount = 8
  private static let trailerByteCount = 32

  let bytes: [UInt8]
  let count: Int
  /// The number of the object that is the whole value.
  let top: Int
  let referenceByteCount: Int
  private let offsetByteCount: Int
  /// The position at which the objects end and the table of offsets begins.
  private let table: Int

  /// Reads the trailer, which tells where everything else is.
  init(_ bytes: [UInt8]) throws(ImportError) {
    self.bytes = bytes
    let trailer = bytes.count - Self.trailerByteCount
    guard trailer >= Self.headerByteCount else {
      throw ImportError(.damaged, "it ends too early", at: .byte(bytes.count))
    }
    offsetByteCount = Int(bytes[trailer + 6])
    referenceByteCount = Int(bytes[trailer + 7])
    let counts = [8, 16, 24].map {
      Int(exactly: bytes.span.bigEndianInteger(at: trailer + $0, byteCount: 8))
    }
    guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount),
      let objectCount = counts[0], let top = counts[1], let table = counts[2],
      table >= Self.headerByteCount, table <= trailer, top < objectCount,
      objectCount <= (trailer - table) / offsetByteCount
    else {
      throw ImportError(
        .damaged, "its last bytes name objects that are not in it", at: .byte(trailer))
    }
    (count, self.top, self.table) = (objectCount, top, table)
  }

  /// The value of an object that contains no others.
  func scalar(
    _ number: Int, _ marker: UInt8, _ offset: Int
  ) throws(ImportError) -> DynamicValue {
    let low = Int(marker & 0x0F)
    switch marker {
    case 0x00: return .null
    case 0x08, 0x09: return .bool(marker == 0x09)
    case 0x10...0x14:
      // Integers of eight and more bytes have a sign. Shorter ones are never negative.
      if low < 4 {
        let bits = try integer(after: offset + 1, 1 << low, of: number)
        return .signed(Int64(bitPattern: bits), bitWidth: 64)
      }
      let content = try content(after: offset + 1, 16, of: number)
      let start: Int128 = bytes[content.lowerBound] & 0x80 != 0 ? -1 : 0
      return DynamicValue(
        wholeNumber: bytes[content].reduce(start) { $0 << 8 | Int128($1) })
    case 0x22:
      let bits = try integer(after: offset + 1, 4, of: number)
      return .float(Float(bitPattern: UInt32(clamping: bits)))
    case 0x23:
      let bits = try integer(after: offset + 1, 8, of: number)
      return .double(Double(bitPattern: bits))
    case 0x33:
      let bits = try integer(after: offset + 1, 8, of: number)
      let seconds = Double(bitPattern: bits)
      guard seconds.isFinite else { throw error("a date does not exist", number, offset) }
      return .date(ArchiveDate(secondsSinceReferenceDate: seconds))
    case 0x40...0x4F:
      return .bytes(Array(bytes[try counted(offset, of: number, width: 1)]))
    case 0x50...0x5F:
      let content = try counted(offset, of: number, width: 1)
      guard bytes.span.extracting(content).isASCII, let text = bytes.string(in: content) else {
        throw error("a text in ASCII has other characters", number, offset)
      }
      return .string(text)
    case 0x60...0x6F:
      let content = try counted(offset, of: number, width: 2)
      let units = stride(from: content.lowerBound, to: content.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw error("a text ends inside a character", number, offset)
      }
      return .string(text)
    default:
      throw error("it has a kind of object that property lists do not have", number, offset)
    }
  }

  // MARK: - Bytes

  /// The byte at which an object starts, which comes before the table.
  @inline(__always)
  func offset(of number: Int) throws(ImportError) -> Int {
    if number < count {
      let stated = integer(at: table + number * offsetByteCount, offsetByteCount)
      let offset = Int(clamping: stated)
      if offset >= Self.headerByteCount, offset < table { return offset }
    }
    throw ImportError(
      .damaged, "a reference names an object that the file does not have",
      at: .object(number, byte: nil))
  }

  private func longCount(
    after start: Int, of number: Int
  ) throws(ImportError) -> (count: Int, start: Int) {
    guard start < table, (0x10...0x13).contains(bytes[start]) else {
      throw error("it has no count", number, start - 1)
    }
    let byteCount = 1 << Int(bytes[start] & 0x0F)
    let count = Int(clamping: try integer(after: start + 1, byteCount, of: number))
    return (count, start + 1 + byteCount)
  }

  /// The bytes of an object that has its count in its first byte, or in an integer after it.
  @inline(__always)
  func counted(
    _ offset: Int, of number: Int, width: Int
  ) throws(ImportError) -> Range<Int> {
    var (count, start) = (Int(bytes[offset] & 0x0F), offset + 1)
    if count == 0x0F { (count, start) = try longCount(after: start, of: number) }
    guard count <= (table - start) / width else {
      throw error("it is longer than the file", number, offset)
    }
    return start..<start + count * width
  }

  @inline(__always)
  private func content(
    after start: Int, _ count: Int, of number: Int
  ) throws(ImportError) -> Range<Int> {
    guard count <= table - start else {
      throw error("it is longer than the file", number, start)
    }
    return start..<start + count
  }

  /// An integer of one to eight bytes, the most significant first, in an object.
  @inline(__always)
  func integer(after start: Int, _ count: Int, of number: Int) throws(ImportError) -> UInt64 {
    integer(at: try content(after: start, count, of: number).lowerBound, count)
  }

  /// An integer of one to eight bytes, all of which are before the last 32 bytes of the file.
  @inline(__always)
  func integer(at start: Int, _ count: Int) -> UInt64 {
    bytes.span.bigEndianInteger(at: start, byteCount: 8) &>> UInt64(64 &- 8 &* count)
  }

  /// The number of an object.
  ///
  /// A number that is too large for an `Int` is clamped, and still names no object.
  @inline(__always)
  func reference(at start: Int) -> Int {
    Int(clamping: integer(at: start, referenceByteCount))
  }

  func error(_ message: String, _ number: Int, _ offset: Int) -> ImportError {
    ImportError(.damaged, message, at: .object(number, byte: offset))
  }
}
