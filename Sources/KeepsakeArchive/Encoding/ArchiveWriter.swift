/// Writes an archive object by object, for engines that own their list of objects.
///
/// For a graph of Swift objects use ``Archive/encode(_:reserved:limits:)``. Here the caller decides
/// which object is next and what its id is; ids are 1, 2, 3 and so on.
///
/// ```swift
/// var writer = ArchiveWriter(
///   reserved: ReservedValues(bundleVersion: "11.0"))
/// try writer.writeObject(
///   ArchiveObjectID(1), typeName: "Window"
/// ) { coder in
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

  private var rows = RawTable<SegmentRow>(capacity: 0)
  private var segment: OpenSegment
  /// The bytes between the bodies of two segments, while they are written.
  private var gap = ByteBuffer(capacity: 0)
  /// The offset in the archive of the encoder's first byte.
  ///
  /// It is a multiple of eight, so that numbers which are aligned among the bytes are aligned in the archive.
  @usableFromInline var origin = 0
  /// The number of the encoder's first bytes that were handed to a sink.
  @usableFromInline var handedOut = 0
  /// The entries of the tables that the segments before declare.
  private var declared = TableCounts()
  private var nextNumber: UInt32 = 1
  /// The error that prevents completing the archive: archive values are too long, or a graph was only partly written.
  var failure: ArchiveError? {
    didSet { hasFailed = failure != nil }
  }
  /// True when there is a failure: reading the error itself for each object would copy it.
  private var hasFailed = false

  /// Begins an archive.
  public init(reserved: ReservedValues = ReservedValues(), limits: ArchiveLimits = .init()) {
    self.init(values: reserved.entries, limits: limits)
  }

  /// Begins an archive that has these archive values: the reserved ones, and those of another archive
  /// that this version does not know.
  package init(values: [ArchiveValueEntry], limits: ArchiveLimits) {
    encoder = ObjectEncoder(limits: limits)
    segment = OpenSegment(capacity: 64)
    let byteCount = values.reduce(0) { $0 + ArchiveValueEntry.headByteCount + $1.bytes.count }
    if byteCount > min(limits.byteCount, Int(UInt32.max)) {
      failure = ArchiveError.tooLong(byteCount, limits)
      hasFailed = true
    }
    encoder.takeCache()
    ArchiveHeader.write(valuesByteCount: byteCount, to: &encoder.bytes)
    for value in values { value.write(to: &encoder.bytes) }
    beginSegment()
  }

  /// A writer that writes nothing and uses no memory.
  static var idle: ArchiveWriter { ArchiveWriter(idleUnder: .init()) }

  private init(idleUnder limits: ArchiveLimits) {
    encoder = ObjectEncoder(limits: limits)
    segment = OpenSegment(capacity: 0)
  }

  /// The bytes that the record of the last object takes, with everything nested in it.
  package private(set) var lastObjectByteCount = 0

  /// The id that the next object has to have.
  public var nextObjectID: ArchiveObjectID { ArchiveObjectID(nextNumber) }

  /// Writes one object.
  ///
  /// If `body` throws, or wrote something that cannot be stored, nothing is written for the id and
  /// the caller may write the same id again.
  ///
  /// The id is one more than that of the object before, 1 for the first. The type name is stable and not empty, and the
  /// schema version is that of the type's set of keys. The name of the template that the object was made from is
  /// readable under ``ArchiveKey/template``. References to objects that are not yet written are allowed.
  ///
  /// - Throws: The error of `body`; otherwise ``ArchiveError`` for an id out of order, a key written
  ///   twice, a reserved key or an exceeded limit.
  public mutating func writeObject(
    _ id: ArchiveObjectID, typeName: String, schemaVersion: UInt32 = 0, template: String? = nil,
    _ body: (inout ObjectEncoder) throws -> Void
  ) throws {
    try checkOrder(of: id)
    let object = try beginObject(
      typeName: typeName, schemaVersion: schemaVersion, template: template)
    do {
      try body(&encoder)
    } catch {
      dropObject(object)
      throw error
    }
    try endObject(object)
  }

  /// Completes the archive with the object to start from when reading, and returns its bytes.
  ///
  /// - Throws: ``ArchiveError`` when the root or an object that is referred to was not written, or
  ///   the archive is larger than its limits allow.
  public consuming func finish(
    root: ArchiveObjectID = ArchiveObjectID(1)
  ) throws(ArchiveError) -> [UInt8] {
    try complete(root: root)
    return encoder.bytes.take()
  }

  /// True when shapes are not numbered in the order of their first use, so that the archive has to be written again.
  ///
  /// Only values that are encoded by `Codable` may lead to it.
  package var hasShapesOutOfOrder: Bool { encoder.hasShapesOutOfOrder }

  /// Reserves room for an archive that will not be much larger than a number of bytes.
  ///
  /// Reserved memory that is never written to costs nothing; growing step by step would take twice as much.
  package mutating func expect(byteCount: Int) {
    let expected = byteCount + byteCount / 8
    encoder.bytes.reserve(min(expected, encoder.limits.byteCount))
  }

  /// The archive offset at which a stored object first differs from the last object written; nil when they are equal.
  package mutating func firstDifference(from object: ByteView) -> Int? {
    let written = encoder.bytes.span(
      encoder.bytes.count - lastObjectByteCount..<encoder.bytes.count)
    let count = min(written.count, object.count)
    let place = object.firstDifference(from: written.extracting(0..<count), at: object.origin)
    if place == nil, written.count != object.count { return object.origin + count }
    return place
  }

  /// Appends what comes after the last object.
  package mutating func complete(root: ArchiveObjectID) throws(ArchiveError) {
    if let failure { throw failure }
    guard root.rawValue > 0, root.rawValue < nextNumber else {
      throw ArchiveError(.unwrittenReference, "the root, object \(root), was not written")
    }
    guard encoder.highestReference < nextNumber else {
      throw ArchiveError(
        .unwrittenReference,
        "object #\(encoder.highestReference) is referred to and was not written")
    }
    guard Int(encoder.highestConditional) <= conditionalObjects.count,
      conditionalObjects.allSatisfy({ $0.map { 1..<nextNumber ~= $0.rawValue } ?? true })
    else {
      throw ArchiveError(
        .unwrittenReference,
        "a conditional reference has no entry in the list of their objects, or one to an object "
          + "that was not written")
    }
    segment.writeDirectory(to: &encoder.bytes)
    endSegment(isLast: true)
    try appendFooter(root: root)
    try checkSize()
    encoder.giveCache()
  }

  private func checkSize() throws(ArchiveError) {
    let count = origin + encoder.bytes.count
    guard count <= encoder.limits.byteCount else {
      throw ArchiveError.tooLong(count, encoder.limits)
    }
  }

  /// The number of bytes of the archive that were handed to a sink.
  @inlinable
  package var handedOutByteCount: Int {
    @inline(__always)
    get { origin + handedOut }
  }

  /// Hands out the segments that are complete, if there are any.
  package mutating func handOutSegments(to body: (Span<UInt8>) throws -> Void) throws {
    if rows.count > 0, segment.start > handedOut { try handOut(segment.start, to: body) }
  }

  /// Hands out everything, when the archive is complete.
  package mutating func handOutAll(to body: (Span<UInt8>) throws -> Void) throws {
    try handOut(encoder.bytes.count, to: body)
  }

  /// Hands out the bytes up to one that were not handed out yet, and forgets them.
  private mutating func handOut(_ end: Int, to body: (Span<UInt8>) throws -> Void) throws {
    try checkSize()
    try body(encoder.bytes.span(handedOut..<end))
    handedOut = end & 7
    let distance = end - handedOut
    encoder.bytes.move(from: distance, to: 0)
    origin += distance
    segment.start -= distance
  }

  mutating func checkOrder(of id: ArchiveObjectID) throws(ArchiveError) {
    guard id.rawValue == nextNumber else {
      throw failure
        ?? ArchiveError(
          .objectOutOfOrder, "object \(id) was written where object #\(nextNumber) has to come")
    }
  }

  @inline(never)
  private func refuseNext(typeName: String) throws(ArchiveError) {
    if let failure { throw failure }
    guard nextNumber < .max else {
      throw ArchiveError.tooManyObjects
    }
    guard !typeName.isEmpty else {
      throw ArchiveError(
        .invalidTypeName, "the type name of object #\(nextNumber) is empty")
    }
  }

  /// Begins the next object, as ``writeObject(_:typeName:schemaVersion:template:_:)`` does.
  ///
  /// Its values go through the writer's encoder; then it is ended or dropped, before the next one begins. These parts
  /// are for an engine whose coder holds the writer from the first object to the last: an encoder that is passed to a
  /// coder for each object would be moved there and back each time.
  @usableFromInline
  package mutating func beginObject(
    typeName: String, schemaVersion: UInt32, template: String? = nil
  ) throws(ArchiveError) -> OpenObject {
    if hasFailed || nextNumber == .max || typeName.isEmpty {
      try refuseNext(typeName: typeName)
    }
    let object = encoder.beginObject(
      ArchiveObjectID(nextNumber), typeName: typeName, schemaVersion: schemaVersion)
    if let template { template.encode(to: &encoder, at: .key(.template)) }
    return object
  }

  /// Begins the object of an id, which has to be the next one.
  package mutating func beginObject(
    _ id: ArchiveObjectID, typeName: String, template: String?
  ) throws(ArchiveError) -> OpenObject {
    try checkOrder(of: id)
    return try beginObject(typeName: typeName, schemaVersion: 0, template: template)
  }

  /// Completes an object; when it cannot be written, nothing of it remains.
  @usableFromInline
  package mutating func endObject(_ object: OpenObject) throws(ArchiveError) {
    let step = encoder.plan.steps[try encoder.endObject(object)]
    let byteCount = encoder.bytes.count - object.start
    // The rule looks at bytes and objects only, so that the same input always gives the same segments.
    if segment.isFull(before: byteCount) { endSegment(before: object.start) }
    encoder.settleObject()
    segment.append(
      shape: step.shape, byteCount: byteCount,
      fixedByteCount: step.variableCount == 0 ? Int(step.byteCount) : 0)
    lastObjectByteCount = byteCount
    nextNumber += 1
  }

  /// Takes back what was written since an object began; its id may be used again.
  package mutating func dropObject(_ object: OpenObject) {
    encoder.drop(object)
  }

  /// Leaves room for the head of a segment, whose numbers are known at its end.
  private mutating func beginSegment() {
    segment.restart(at: encoder.bytes.count)
    encoder.bytes.appendZeros(SegmentHead.byteCount)
  }

  /// Ends the segment before an object that was written, whose body comes into the next one.
  private mutating func endSegment(before body: Int) {
    gap.truncate(to: 0)
    segment.writeDirectory(to: &gap)
    let counts = encoder.shapes.countsBeforeObject
    encoder.shapes.tables.write(from: declared, to: counts, to: &gap)
    declared = counts
    let next = body + gap.count
    gap.appendZeros(SegmentHead.byteCount)
    encoder.moveBytes(from: body, to: body + gap.count)
    encoder.bytes.overwrite(at: body) { $0.append(from: gap, 0..<gap.count) }
    endSegment(isLast: false)
    segment.restart(at: next)
  }

  /// Writes the head of the segment, and keeps its row.
  private mutating func endSegment(isLast: Bool) {
    rows.append(
      segment.writeHead(
        isLast: isLast, firstObject: nextNumber - UInt32(segment.objectCount),
        offset: origin + segment.start, to: &encoder.bytes))
  }

  private mutating func appendFooter(root: ArchiveObjectID) throws(ArchiveError) {
    let first = encoder.bytes.count
    let start = origin + first
    encoder.shapes.appendTables(
      conditionalCount: conditionalObjects.count, to: &encoder.bytes)
    // Their length and the number of conditional references have 32 bits (Spec/archive.md, 4).
    guard max(encoder.bytes.count - first, conditionalObjects.count) <= UInt32.max else {
      var error = ArchiveError(
        .limitExceeded,
        "the names of keys and types, or the conditional references, take more than the "
          + "\(UInt32.max) that the format has room for")
      error.remedy =
        "No limit can be raised for it: use shorter names, or split it over several archives."
      throw error
    }
    for id in conditionalObjects { encoder.bytes.append(id?.rawValue ?? 0) }
    for index in 0..<rows.count { rows[index].write(to: &encoder.bytes) }
    ArchiveTail(
      segmentCount: rows.count, objectCount: Int(nextNumber) - 1, root: root.rawValue,
      footerOffset: start
    ).write(to: &encoder.bytes)
  }
}

// Lists of values, one object for each.

extension ArchiveWriter {
  /// Writes values one after the other, each as an object of its own.
  ///
  /// The fastest way to write a list: nothing is copied or called between a value and its record.
  /// The objects get the ids from ``nextObjectID`` on. Read them with
  /// ``Archive/decodeObjects(_:)``.
  ///
  /// ```swift
  /// var writer = ArchiveWriter()
  /// try writer.writeObjects(entries, typeName: "Entry")
  /// let bytes = try writer.finish(root: ArchiveObjectID(1))
  /// ```
  ///
  /// The type name is stable and not empty. It has no default, since a value type needs no name of its own where it is
  /// nested in an object. The schema version is that of the type's set of keys.
  ///
  /// - Throws: ``ArchiveError`` for a key written twice, a reserved key or an exceeded limit; the
  ///   values before stay written.
  @inlinable
  public mutating func writeObjects<Value: ArchiveRecord>(
    _ values: [Value], typeName: String, schemaVersion: UInt32 = Value.archiveSchemaVersion
  ) throws(ArchiveError) {
    try values.forEachInPlace { value throws(ArchiveError) in
      let object = try beginObject(typeName: typeName, schemaVersion: schemaVersion)
      value.encode(to: &encoder)
      try endObject(object)
    }
  }
}

// Graphs of objects that keep their identity (Spec/archive.md, 4.4).

extension ArchiveWriter {
  /// Writes an object and all objects that it leads to.
  ///
  /// Several graphs may be written one after the other. Identity is kept within each: an object in two of them is
  /// stored twice, and is released with the graph that it was written in.
  ///
  /// - Returns: The id of the object; those that it leads to have the ids after it.
  /// - Throws: ``ArchiveError`` when an object writes a key twice, a reserved key, or more than the
  ///   limits allow. The archive then cannot be completed, since a part of the graph is missing.
  /// - Complexity: In proportion to the objects and their values; no recursion from object to object.
  @discardableResult
  public mutating func writeGraph(_ root: some ArchiveObject) throws -> ArchiveObjectID {
    try writeGraph(root) { _ in }
  }

  mutating func writeGraph(
    _ root: any ArchiveObject, afterEach body: (inout ArchiveWriter) throws -> Void
  ) throws -> ArchiveObjectID {
    var graph = GraphEncoding(firstID: nextObjectID, conditionalStart: conditionalObjects.count)
    let rootID = graph.id(of: root)
    encoder.graph = graph
    defer { encoder.graph = nil }
    do {
      var index = 0
      while let object = encoder.graph?.object(at: index) {
        let type = Swift.type(of: object)
        try writeObject(
          nextObjectID, typeName: type.archiveTypeName, schemaVersion: type.archiveSchemaVersion,
          template: object.archiveTemplate
        ) { coder in object.encode(to: &coder) }
        index += 1
        try body(&self)
      }
    } catch {
      if failure == nil {
        failure =
          error as? ArchiveError
          ?? ArchiveError(.unwrittenReference, "a graph of objects was not written to its end")
      }
      throw error
    }
    conditionalObjects += encoder.graph?.conditionalIDs ?? []
    return rootID
  }
}
