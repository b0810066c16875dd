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

/// The bytes of a whole entry, with its time.
struct StoredEntry: Sendable {
  let record: JournalRecord
  /// Milliseconds since 1970.
  let time: Int64
}

extension StoredEntry {
  /// Takes an entry that is to be appended; refuses one that the format does not allow.
  init(storing record: JournalRecord, time: Int64) throws(JournalError) {
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

  /// The length of the entry as it is stored.
  var byteCount: Int {
    JournalFormat.entryHeaderLength + record.typeName.utf8.count + record.content.count
  }

  /// Appends the bytes of the entry.
  func write(to bytes: inout [UInt8]) {
    bytes.appendLittleEndian(UInt32(clamping: record.content.count))
    bytes.appendLittleEndian(UInt16(clamping: record.typeName.utf8.count))
    bytes.append(record.representation.rawValue)
    bytes.append(0)
    bytes.appendLittleEndian(UInt32(clamping: record.version))
    bytes.appendLittleEndian(time)
    if !record.typeName.isEmpty { bytes += record.typeName.utf8 }
    bytes += record.content
  }

  /// The length of the entry whose header is at `offset`; nil when the header breaks a rule or is not whole.
  static func length(in bytes: [UInt8], at offset: Int) -> Int? {
    guard bytes.count - offset >= JournalFormat.entryHeaderLength else { return nil }
    let content = Int(clamping: bytes.littleEndian(at: offset, as: UInt32.self))
    let name = Int(bytes.littleEndian(at: offset + 4, as: UInt16.self))
    guard content <= JournalFormat.maximumContentLength,
      name <= JournalFormat.maximumTypeNameLength
    else { return nil }
    return JournalFormat.entryHeaderLength + name + content
  }

  /// Whether the header and the type name of an entry, whose lengths were checked, keep the rules.
  static func hasSoundHeader(_ bytes: [UInt8]) -> Bool { header(in: bytes, at: 0) != nil }

  /// The header and the type name of an entry whose lengths were checked, without its content; nil when a rule is broken.
  private static func header(in bytes: [UInt8], at offset: Int) -> JournalRecord? {
    let nameStart = offset + JournalFormat.entryHeaderLength
    let nameLength = Int(bytes.littleEndian(at: offset + 4, as: UInt16.self))
    let version = bytes.littleEndian(at: offset + 8, as: UInt32.self)
    guard let representation = JournalRecord.Representation(rawValue: bytes[offset + 6]),
      bytes[offset + 7] == 0, version <= UInt32(Int32.max), nameLength <= bytes.count - nameStart,
      let name = nameLength == 0
        ? "" : String(validating: bytes[nameStart..<nameStart + nameLength], as: UTF8.self)
    else { return nil }
    return JournalRecord(
      [], typeName: name, version: Int(clamping: version), representation: representation)
  }

  /// Reads the entry at `offset`, and sets `offset` after it; nil when it breaks a rule.
  init?(parsing bytes: [UInt8], at offset: inout Int) {
    guard let length = StoredEntry.length(in: bytes, at: offset), length <= bytes.count - offset
    else { return nil }
    guard var record = StoredEntry.header(in: bytes, at: offset) else { return nil }
    let content = Int(clamping: bytes.littleEndian(at: offset, as: UInt32.self))
    record.content = Array(bytes[offset + length - content..<offset + length])
    self.record = record
    time = bytes.littleEndian(at: offset + 12, as: Int64.self)
    offset += length
  }
}
