import KeepsakeSeal

/// An entry as it is stored, before it is decoded: its type, its version, and its content.
public struct JournalRecord: Hashable, Sendable {
  /// The representation of the content (Spec/journal.md, section 4).
  public enum Representation: UInt8, Sendable {
    /// Bytes of the app's own.
    case bytes = 0
    /// An archive with the value as its root.
    case archive = 1
  }

  /// The name of the entry's type; empty for plain bytes.
  public var typeName: String
  /// The version of the type, 0 to 2,147,483,647.
  public var version: Int
  /// The representation of the content.
  public var representation: Representation
  /// The content, at most 16 MiB.
  public var content: [UInt8]

  /// The most bytes of content that an entry has.
  package static let maximumContentLength = JournalFormat.maximumContentLength

  /// Creates a record.
  ///
  /// - Parameters:
  ///   - content: The content, at most 16 MiB.
  ///   - typeName: The name of the entry's type, at most 1,024 bytes of UTF-8.
  ///   - version: The version of the type, 0 to 2,147,483,647.
  ///   - representation: The representation of the content.
  public init(
    _ content: [UInt8], typeName: String = "", version: Int = 0,
    representation: Representation = .bytes
  ) {
    self.content = content
    self.typeName = typeName
    self.version = version
    self.representation = representation
  }
}

/// An entry that is to be written.
@usableFromInline struct StoredEntry: Sendable {
  let record: JournalRecord
  /// Milliseconds since 1970.
  let time: Int64

  /// Takes an entry that is to be appended; refuses one that the format does not allow.
  @usableFromInline init(storing record: JournalRecord, time: Int64) throws(JournalError) {
    let (length, nameLength) = (record.content.count, record.typeName.utf8.count)
    guard length <= JournalFormat.maximumContentLength,
      nameLength <= JournalFormat.maximumTypeNameLength
    else {
      throw JournalError(.entryTooLarge, detail: "\(length) bytes, type name of \(nameLength)")
    }
    guard (0...Int(Int32.max)).contains(record.version) else {
      throw JournalError(.entryNotStorable, detail: "version \(record.version)")
    }
    self.record = record
    self.time = time
  }

  /// The length of the entry's header and its type name.
  private var headLength: Int { JournalFormat.entryHeaderLength + record.typeName.utf8.count }

  /// The length of the entry as it is stored.
  var byteCount: Int { headLength + record.content.count }

  private func writeHead(to bytes: inout OutputSpan<UInt8>) {
    bytes.appendLittleEndian(UInt32(clamping: record.content.count))
    bytes.appendLittleEndian(UInt16(clamping: record.typeName.utf8.count))
    bytes.append(record.representation.rawValue)
    bytes.append(0)
    bytes.appendLittleEndian(UInt32(clamping: record.version))
    bytes.appendLittleEndian(time)
    if !record.typeName.isEmpty { bytes.append(Array(record.typeName.utf8)) }
  }

  /// Appends the bytes of the entry.
  @inline(__always) func write(to bytes: inout OutputSpan<UInt8>) {
    writeHead(to: &bytes)
    bytes.append(record.content)
  }

  /// Appends a range of the bytes of the entry.
  func write(_ range: Range<Int>, to bytes: inout OutputSpan<UInt8>) {
    let head = [UInt8].laidOut(headLength) { writeHead(to: &$0) }
    bytes.append(head, range.clamped(to: 0..<head.count))
    let content = range.clamped(to: head.count..<byteCount)
    bytes.append(record.content, content.lowerBound - head.count..<content.upperBound - head.count)
  }
}

extension ArraySlice<StoredEntry> {
  /// The length of all entries as they are stored.
  var byteCount: Int {
    // A span lends its elements, where an array would retain each of them.
    let entries = span
    var total = 0
    for index in entries.indices { total += entries[index].byteCount }
    return total
  }
}
