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

  /// Creates a record, whose content has at most 16 MiB.
  ///
  /// The type name has at most 1,024 bytes of UTF-8, and the version of the type is 0 to 2,147,483,647.
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

/// The bytes of entries that are to be written, one entry after the other.
@usableFromInline struct EncodedEntries: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The length of each entry.
  private(set) var lengths: [Int] = []
  /// The latest time of the entries, in milliseconds since 1970.
  private(set) var latestTime: Int64
  /// The most bytes that are reserved for entries that are not appended yet.
  private static let longestReserve = 1 << 20

  @usableFromInline init(at time: Int64) { latestTime = time }

  /// Appends an entry; refuses an entry that the format does not allow.
  ///
  /// The first entry reserves memory for `count` entries of its length.
  @usableFromInline mutating func append(
    _ record: JournalRecord, reserving count: Int
  ) throws(JournalError) {
    let (length, nameLength) = (record.content.count, record.typeName.utf8.count)
    guard length <= JournalFormat.maximumContentLength,
      nameLength <= JournalFormat.maximumTypeNameLength
    else {
      throw JournalError(.entryTooLarge, detail: "\(length) bytes, type name of \(nameLength)")
    }
    guard (0...Int(Int32.max)).contains(record.version) else {
      throw JournalError(.entryNotStorable, detail: "version \(record.version)")
    }
    let byteCount = JournalFormat.entryHeaderLength + nameLength + length
    if lengths.isEmpty {
      let reserved = max(1, min(count, Self.longestReserve / byteCount))
      lengths.reserveCapacity(reserved)
      bytes.reserveCapacity(reserved * byteCount)
    }
    lengths.append(byteCount)
    bytes.append(addingCapacity: byteCount) { output in
      output.appendLittleEndian(UInt32(clamping: length))
      output.appendLittleEndian(UInt16(clamping: nameLength))
      output.append(record.representation.rawValue)
      output.append(0)
      output.appendLittleEndian(UInt32(clamping: record.version))
      output.appendLittleEndian(latestTime)
      if nameLength > 0 { output.append(Array(record.typeName.utf8)) }
      output.append(record.content)
    }
  }

  /// Appends the entries of another call.
  mutating func append(_ others: EncodedEntries) {
    bytes += others.bytes
    lengths += others.lengths
    latestTime = max(latestTime, others.latestTime)
  }
}
