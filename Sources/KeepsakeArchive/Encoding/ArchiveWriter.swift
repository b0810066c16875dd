/// Writes an archive object by object, for engines that own their list of objects.
///
/// For a graph of Swift objects use ``Archive/encode(_:reserved:limits:)``. Here the caller decides
/// which object is next and what its id is; ids are 1, 2, 3 and so on.
///
/// ```swift
/// var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "11.0"))
/// try writer.writeObject(ArchiveObjectID(1), typeName: "Window") { coder in
///   coder.encode("Contacts", forKey: "title")
/// }
/// let bytes = try writer.finish(root: ArchiveObjectID(1))
/// ```
public struct ArchiveWriter: ~Copyable {
  var encoder: ObjectEncoder
  private var output: [UInt8] = []
  private var segmentRows: [SegmentRow] = []
  /// Where each record of the open segment begins, in words.
  private var directory: [UInt32] = []
  private var segmentMark = WriterTables.Mark()
  private var nextRecord: UInt32 = 0
  /// An error of the archive's own record, thrown by the first call that can.
  private var startFailure: ArchiveError?

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - reserved: What the archive says about its own making.
  ///   - limits: How large the archive and its parts may become.
  public init(reserved: ReservedValues = ReservedValues(), limits: ArchiveLimits = .default) {
    encoder = ObjectEncoder(limits: limits)
    appendHeader()
    do {
      try writeRecord(typeName: "", schemaVersion: 0) { coder in
        coder.encodeReserved(reserved.bundleVersion, .bundleVersion)
        coder.encodeReserved(reserved.userInterfaceIdiom, .userInterfaceIdiom)
        coder.encodeReserved(reserved.timestamp, .timestamp)
        coder.encodeReserved(reserved.systemVersion, .systemVersion)
      }
    } catch let error as ArchiveError {
      startFailure = error
    } catch {
      startFailure = ArchiveError(.invalidValue, "the reserved values could not be written")
    }
  }

  /// The bytes that the record of the last object takes, with everything nested in it.
  public private(set) var lastObjectByteCount = 0

  /// The id that the next object has to have.
  public var nextObjectID: ArchiveObjectID { ArchiveObjectID(nextRecord) }

  /// Writes one object.
  ///
  /// If `body` throws, or wrote something that cannot be stored, nothing is written for the id and
  /// the caller may write the same id again.
  ///
  /// - Parameters:
  ///   - id: The id; one more than that of the object before, 1 for the first.
  ///   - typeName: The stable name of the object's type; not empty.
  ///   - schemaVersion: The version of the type's set of keys.
  ///   - template: The name of the template that the object was made from, readable under
  ///     ``ArchiveKey/template``.
  ///   - body: Writes the object's values. References to objects that are not yet written are
  ///     allowed.
  /// - Throws: What `body` throws; otherwise ``ArchiveError`` for an id out of order, a key written
  ///   twice, a reserved key or an exceeded limit.
  public mutating func writeObject(
    _ id: ArchiveObjectID, typeName: String, schemaVersion: UInt32 = 0, template: String? = nil,
    _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    if let startFailure { throw startFailure }
    guard id.rawValue == nextRecord, nextRecord < .max else {
      throw ArchiveError(
        .objectOutOfOrder, "object \(id) was written where object #\(nextRecord) has to come")
    }
    guard !typeName.isEmpty else {
      throw ArchiveError(.invalidValue, "the type name of object \(id) is empty")
    }
    try writeRecord(typeName: typeName, schemaVersion: schemaVersion) { coder in
      coder.encodeReserved(template, .template)
      try body(&coder)
    }
  }

  /// Completes the archive.
  ///
  /// - Parameter root: The object to start from when reading.
  /// - Returns: The bytes of the archive.
  /// - Throws: ``ArchiveError`` when the root or an object that is referred to was not written, or
  ///   the archive is larger than its limits allow.
  public consuming func finish(root: ArchiveObjectID) throws(ArchiveError) -> [UInt8] {
    if let startFailure { throw startFailure }
    guard root.rawValue > 0, root.rawValue < nextRecord else {
      throw ArchiveError(.unwrittenReference, "the root, object \(root), was not written")
    }
    guard encoder.highestReference < nextRecord else {
      throw ArchiveError(
        .unwrittenReference,
        "object #\(encoder.highestReference) is referred to and was not written")
    }
    flushSegment()
    appendFooter(root: root)
    guard output.count <= encoder.limits.byteCount else {
      throw ArchiveError(
        .limitExceeded, "the archive has \(output.count) bytes, more than the limit allows")
    }
    return output
  }

  private mutating func writeRecord(
    typeName: String, schemaVersion: UInt32, _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    let position = encoder.records.count / 8
    try encoder.encodeObjectRecord(
      ArchiveObjectID(nextRecord), typeName: typeName, schemaVersion: schemaVersion, body)
    directory.append(UInt32(truncatingIfNeeded: position))
    lastObjectByteCount = encoder.records.count - position * 8
    nextRecord += 1
    // The rule looks at bytes only, so that the same input always gives the same segments.
    if encoder.records.count >= FormatConstants.segmentFlushByteCount { flushSegment() }
  }

  private mutating func appendHeader() {
    var header = ByteBuffer(capacity: FormatConstants.headerByteCount)
    header.append(FormatConstants.magic)
    header.append(FormatConstants.version)
    header.appendZeros(FormatConstants.headerByteCount - header.count)
    header.copy(into: &output)
  }

  private mutating func flushSegment() {
    if directory.isEmpty { return }
    let first = nextRecord - UInt32(directory.count)
    var tables = ByteBuffer()
    let mark = encoder.tables.mark
    let lengths = encoder.tables.append(since: segmentMark, to: &tables)
    let records = encoder.records.count
    let directoryBytes = ((directory.count + 1) * 4 + 7) & ~7
    let row = SegmentRow(
      offset: output.count,
      byteCount: FormatConstants.segmentHeaderByteCount + lengths.total + records + directoryBytes,
      firstRecord: first, recordCount: UInt32(directory.count),
      recordsOffset: FormatConstants.segmentHeaderByteCount + lengths.total,
      recordsByteCount: records)

    var bytes = ByteBuffer(capacity: row.byteCount)
    bytes.append(FormatConstants.segmentMarker)
    bytes.append(UInt32(segmentRows.count))
    bytes.append(first)
    bytes.append(row.recordCount)
    bytes.append(UInt32(mark.keys - segmentMark.keys))
    bytes.append(UInt32(mark.types - segmentMark.types))
    bytes.append(UInt32(mark.shapes - segmentMark.shapes))
    bytes.append(UInt32(0))
    bytes.append(UInt64(lengths.total))
    bytes.append(UInt64(records))
    bytes.append(UInt64(row.byteCount))
    bytes.append(UInt64(0))
    bytes.append(from: tables, at: 0)
    bytes.append(from: encoder.records, at: 0)
    for word in directory { bytes.append(word) }
    bytes.append(UInt32(truncatingIfNeeded: records / 8))
    bytes.pad()
    bytes.copy(into: &output)

    segmentRows.append(row)
    segmentMark = mark
    directory.removeAll(keepingCapacity: true)
    encoder.records.truncate(to: 0)
  }

  private mutating func appendFooter(root: ArchiveObjectID) {
    let offset = output.count
    var tables = ByteBuffer()
    let lengths = encoder.tables.append(since: .init(), to: &tables)
    let mark = encoder.tables.mark
    var bytes = ByteBuffer()
    bytes.append(FormatConstants.footerMarker)
    bytes.append(UInt32(segmentRows.count))
    bytes.append(nextRecord - 1)
    bytes.append(root.rawValue)
    bytes.append(UInt32(mark.keys))
    bytes.append(UInt32(mark.types))
    bytes.append(UInt32(mark.shapes))
    bytes.append(UInt32(0))
    bytes.append(UInt64(lengths.keys))
    bytes.append(UInt64(lengths.types))
    bytes.append(UInt64(lengths.shapes))
    bytes.append(UInt64(0))
    bytes.append(from: tables, at: 0)
    for row in segmentRows { row.append(to: &bytes) }

    let footerLength = bytes.count
    bytes.append(UInt64(offset))
    bytes.append(UInt64(footerLength))
    bytes.append(UInt64(offset + footerLength + FormatConstants.tailByteCount))
    bytes.append(UInt32(segmentRows.count))
    bytes.append(FormatConstants.tailMarker)
    bytes.copy(into: &output)
  }
}
