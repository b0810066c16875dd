public import KeepsakeArchive
import KeepsakeCodable

/// The conversion of entries to stored records and back: by `Codable`, as archive records, or as bytes.
///
/// A form names the type of its entries and their version, so that later programs can migrate or skip them.
public struct JournalForm<Entry: Sendable>: Sendable {
  @usableFromInline let encode: @Sendable (Entry) throws -> JournalRecord
  /// The decoder of a record; it returns nil to skip the record.
  @usableFromInline let decode: @Sendable (JournalRecord) throws -> Entry?

  /// Creates a custom form; a record for which `decode` returns nil is skipped.
  public init(
    encode: @escaping @Sendable (Entry) throws -> JournalRecord,
    decode: @escaping @Sendable (JournalRecord) throws -> Entry?
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// Archives with a type name and a version.
  private init(
    _ typeName: String, _ version: Int,
    _ migration: (@Sendable (JournalRecord) throws -> Entry?)?,
    encode: @escaping @Sendable (Entry) throws -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws -> Entry
  ) {
    self.encode = { entry in
      JournalRecord(
        try encode(entry), typeName: typeName, version: version, representation: .archive)
    }
    self.decode = { record in
      let isOwn = record.typeName == typeName && record.representation == .archive
      if isOwn, record.version == version { return try decode(record.content) }
      if let migration { return try migration(record) }
      // An earlier version of the type may lack values that have a default.
      if isOwn, record.version < version { return try decode(record.content) }
      throw JournalError(
        .entryUnreadable,
        detail: "it is \(record.typeName.displayed), version \(record.version)")
    }
  }
}

extension JournalForm {
  /// Encodes the entries of one call, for the journal at a path.
  @inlinable func encoded(
    _ entries: [Entry], at time: Int64, in path: String
  ) throws(JournalError) -> EncodedEntries {
    var encoded = EncodedEntries(at: time)
    for entry in entries {
      let record: JournalRecord
      do {
        record = try encode(entry)
      } catch {
        throw JournalError(notStorable: error, path: path)
      }
      try encoded.append(record, reserving: entries.count)
    }
    return encoded
  }
}

extension JournalForm {
  /// Entries that are `Codable`.
  ///
  /// The type name is that of the Swift type by default; the version is 0 or more. The limits bound the size and the
  /// nesting of an entry. The migration decodes records of other types and versions, or skips them; without it, records
  /// of earlier versions are decoded as they are, and all others throw.
  public static func codable(
    named typeName: String? = nil, version: Int = 0, limits: ArchiveLimits = .init(),
    migration: (@Sendable (JournalRecord) throws -> Entry?)? = nil
  ) -> JournalForm where Entry: Codable {
    JournalForm(
      typeName ?? String(describing: Entry.self), version, migration,
      encode: { entry in
        var encoder = ArchiveEncoder()
        encoder.limits = limits
        return Array(try encoder.encode(entry))
      },
      decode: { content in
        var decoder = ArchiveDecoder()
        decoder.limits = limits
        return try decoder.decode(Entry.self, from: content)
      })
  }

  /// Entries that are archive records, which is smaller and faster than `Codable`.
  ///
  /// The type name is that of the record by default; the version is 0 or more. The limits bound the size and the
  /// nesting of an entry. The migration decodes records of other types and versions, or skips them; without it, records
  /// of earlier versions are decoded as they are, and all others throw.
  public static func record(
    named typeName: String? = nil, version: Int = 0, limits: ArchiveLimits = .init(),
    migration: (@Sendable (JournalRecord) throws -> Entry?)? = nil
  ) -> JournalForm where Entry: ArchiveRecord {
    let own = Entry.archiveTypeName.isEmpty ? "Value" : Entry.archiveTypeName
    return JournalForm(
      typeName ?? own, version, migration,
      encode: { entry in
        var writer = ArchiveWriter(limits: limits)
        let id = writer.nextObjectID
        try writer.writeObjects([entry], typeName: own)
        return try writer.finish(root: id)
      },
      decode: { content in
        let archive = try Archive(content, limits: limits)
        let root = try archive.object(archive.rootID)
        guard root.typeName == own else {
          throw ArchiveError(.typeMismatch, "it holds a \(root.typeName), and not a \(own)")
        }
        return try Entry(from: root)
      })
  }
}

extension JournalForm<[UInt8]> {
  /// Entries that are bytes; entries of all other types are read as bytes too.
  ///
  /// The version of the content is 0 or more.
  public static func bytes(named typeName: String = "", version: Int = 0) -> JournalForm {
    JournalForm(
      encode: { JournalRecord($0, typeName: typeName, version: version) },
      decode: { $0.content })
  }
}

extension JournalForm<JournalRecord> {
  /// Entries as they are stored, of every type.
  public static var records: JournalForm {
    JournalForm(encode: { $0 }, decode: { $0 })
  }
}
