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
  @usableFromInline package var encoder: ObjectEncoder

  /// The objects that conditional references stand for, in the order of their numbers from 1.
  ///
  /// Nil where the object was not written. To be set before ``finish(root:)``.
  public var conditionalObjects: [ArchiveObjectID?] = []

  private var segmentRows: [SegmentRow] = []
  /// How many bytes of the archive were handed to a sink; the encoder's bytes are those after them.
  private(set) var handedOutByteCount = 0
  /// Where the open segment begins among the encoder's bytes.
  private(set) var segmentStart = 0
  /// Where each record of the open segment begins, counted from the first.
  private var directory: [UInt32] = []
  /// The entries of the tables that the segments before declare.
  private var declared = TableCounts()
  private var nextRecord: UInt32 = 0
  /// Why the archive cannot be completed: an error of its own record, or a graph that was written
  /// in part.
  var failure: ArchiveError?

  /// Begins an archive.
  ///
  /// - Parameters:
  ///   - reserved: What the archive says about its own making.
  ///   - limits: How large the archive and its parts may become.
  public init(reserved: ReservedValues = ReservedValues(), limits: ArchiveLimits = .default) {
    self.init(limits: limits) { coder in
      coder.encodeReserved(reserved.bundleVersion, .bundleVersion)
      coder.encodeReserved(reserved.userInterfaceIdiom, .userInterfaceIdiom)
      coder.encodeReserved(reserved.timestamp, .timestamp)
      coder.encodeReserved(reserved.systemVersion, .systemVersion)
    }
  }

  /// Begins an archive whose own record has these values: the reserved ones, and those of another
  /// archive that this version does not know.
  init(ownFields: [ArchivedRecord.Field], limits: ArchiveLimits) {
    self.init(limits: limits) { coder in for field in ownFields { coder.encode(field) } }
  }

  private init(limits: ArchiveLimits, _ ownRecord: (inout ObjectEncoder) -> Void) {
    encoder = ObjectEncoder(limits: limits)
    ArchiveHeader.write(to: &encoder.bytes)
    beginSegment()
    do {
      try writeRecord(typeName: "", schemaVersion: 0, ownRecord)
    } catch let error as ArchiveError {
      failure = error
    } catch {
      failure = ArchiveError(.invalidValue, "the reserved values could not be written")
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
    try checkOrder(of: id)
    try checkNext(typeName: typeName)
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
    try complete(root: root)
    let bytes = encoder.bytes.take()
    if !encoder.hasShapesOutOfOrder { return bytes }
    let limits = encoder.limits
    return try ArchiveDocument(Archive(bytes, limits: limits)).encoded(
      order: .stored, limits: limits)
  }

  /// Appends what comes after the last object.
  mutating func complete(root: ArchiveObjectID) throws(ArchiveError) {
    if let failure { throw failure }
    guard root.rawValue > 0, root.rawValue < nextRecord else {
      throw ArchiveError(.unwrittenReference, "the root, object \(root), was not written")
    }
    guard encoder.highestReference < nextRecord else {
      throw ArchiveError(
        .unwrittenReference,
        "object #\(encoder.highestReference) is referred to and was not written")
    }
    guard Int(encoder.highestConditional) <= conditionalObjects.count,
      conditionalObjects.allSatisfy({ $0.map { 1..<nextRecord ~= $0.rawValue } ?? true })
    else {
      throw ArchiveError(
        .unwrittenReference,
        "a conditional reference has no entry in the list of their objects, or one to an object "
          + "that was not written")
    }
    endSegment()
    appendFooter(root: root)
    try checkSize()
  }

  private func checkSize() throws(ArchiveError) {
    let count = handedOutByteCount + encoder.bytes.count
    guard count <= encoder.limits.byteCount else {
      throw ArchiveError(
        .limitExceeded, "the archive has \(count) bytes, more than the limit allows")
    }
  }

  /// Lends the first bytes that were not handed out yet, and forgets them.
  mutating func handOut(
    _ count: Int, to body: (Span<UInt8>) throws -> Void
  ) throws {
    try checkSize()
    try body(encoder.bytes.span(0..<count))
    encoder.bytes.move(from: count, to: 0)
    handedOutByteCount += count
    segmentStart -= count
  }

  /// Checks that an object is the next one.
  mutating func checkOrder(of id: ArchiveObjectID) throws(ArchiveError) {
    guard id.rawValue == nextRecord else {
      throw failure
        ?? ArchiveError(
          .objectOutOfOrder, "object \(id) was written where object #\(nextRecord) has to come")
    }
  }

  /// Checks that one more object may come.
  ///
  /// It is mutating so that the writer is not moved for the call.
  private mutating func checkNext(typeName: String) throws(ArchiveError) {
    if let failure { throw failure }
    guard nextRecord < .max else {
      throw ArchiveError(.limitExceeded, "the archive has as many objects as it can have")
    }
    guard !typeName.isEmpty else {
      throw ArchiveError(
        .invalidTypeName, "the type name of object #\(nextRecord) is empty")
    }
  }

  private mutating func writeRecord(
    typeName: String, schemaVersion: UInt32, _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    let record = beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    do {
      try body(&encoder)
    } catch {
      encoder.dropObject(at: record.start, since: record.mark)
      throw error
    }
    try endRecord(record)
  }

  /// A record that is being written.
  @usableFromInline
  struct OpenRecord {
    var start: Int
    var mark: ReferenceMark
  }

  /// Begins the next object.
  @usableFromInline
  mutating func beginObject(
    typeName: String, schemaVersion: UInt32
  ) throws(ArchiveError) -> OpenRecord {
    try checkNext(typeName: typeName)
    return beginRecord(typeName: typeName, schemaVersion: schemaVersion)
  }

  @inline(__always)
  private mutating func beginRecord(typeName: String, schemaVersion: UInt32) -> OpenRecord {
    let mark = encoder.referenceMark
    let start = encoder.beginObject(
      ArchiveObjectID(nextRecord), typeName: typeName, schemaVersion: schemaVersion)
    return OpenRecord(start: start, mark: mark)
  }

  /// Completes an object; when it cannot be written, nothing of it remains.
  @usableFromInline
  mutating func endRecord(_ record: OpenRecord) throws(ArchiveError) {
    try encoder.endObject(at: record.start, since: record.mark)
    let records = segmentStart + SegmentHead.byteCount
    directory.append(UInt32(truncatingIfNeeded: record.start - records))
    lastObjectByteCount = encoder.bytes.count - record.start
    nextRecord += 1
    // The rule looks at bytes only, so that the same input always gives the same segments.
    if encoder.bytes.count - records >= SegmentRow.fullByteCount {
      endSegment()
      beginSegment()
    }
  }

  /// Leaves room for the head of a segment, whose numbers are known at its end.
  private mutating func beginSegment() {
    segmentStart = encoder.bytes.count
    encoder.bytes.appendZeros(SegmentHead.byteCount)
  }

  private mutating func endSegment() {
    if directory.isEmpty {
      encoder.bytes.truncate(to: segmentStart)
      return
    }
    let records = encoder.bytes.count - segmentStart - SegmentHead.byteCount
    encoder.bytes.pad()
    for offset in directory { encoder.bytes.append(offset) }
    encoder.bytes.append(UInt32(truncatingIfNeeded: records))
    encoder.bytes.pad()
    encoder.tables.write(after: declared, to: &encoder.bytes)
    let row = SegmentRow(
      offset: handedOutByteCount + segmentStart, byteCount: encoder.bytes.count - segmentStart,
      firstRecord: nextRecord - UInt32(directory.count), recordCount: UInt32(directory.count),
      recordsByteCount: records)
    let head = SegmentHead(
      row, number: segmentRows.count, newEntries: encoder.tables.counts - declared)
    encoder.bytes.overwrite(at: segmentStart) { head.write(to: &$0) }
    segmentRows.append(row)
    declared = encoder.tables.counts
    directory.removeAll(keepingCapacity: true)
  }

  private mutating func appendFooter(root: ArchiveObjectID) {
    let start = encoder.bytes.count
    encoder.bytes.appendZeros(FooterHead.byteCount)
    let lengths = encoder.tables.write(after: TableCounts(), to: &encoder.bytes)
    for id in conditionalObjects { encoder.bytes.append(id?.rawValue ?? 0) }
    encoder.bytes.pad()
    for row in segmentRows { row.write(to: &encoder.bytes) }
    let head = FooterHead(
      segmentCount: segmentRows.count, objectCount: Int(nextRecord) - 1, root: root.rawValue,
      counts: encoder.tables.counts, lengths: lengths ?? TableLengths(),
      conditionalCount: conditionalObjects.count)
    encoder.bytes.overwrite(at: start) { head.write(to: &$0) }
    let footer = handedOutByteCount + start..<handedOutByteCount + encoder.bytes.count
    ArchiveTail(footer: footer, segmentCount: segmentRows.count).write(to: &encoder.bytes)
  }
}
