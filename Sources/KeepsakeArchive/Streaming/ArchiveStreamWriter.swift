/// Writes an archive of any size into a sink, in bounded memory.
///
/// Each segment is handed over when the next one begins, and the bytes are exactly those that
/// ``ArchiveWriter`` makes of the same values. One call writes one value record, which has no
/// identity, or one graph of objects, whose identities hold within the graph.
///
/// ```swift
/// var writer = ArchiveStreamWriter(to: file)
/// for entry in log { try writer.writeObject(entry) }
/// try writer.finish()
/// ```
///
/// The writer keeps in memory: one segment, that is 64 KiB of records or one longer record; the tables of
/// keys, types and shapes; 24 bytes for each segment; and a list of the objects of the graph that is written.
///
/// Once the sink threw, every further call throws the same error.
public struct ArchiveStreamWriter<Sink: ArchiveSink>: ~Copyable {
  private var writer: ArchiveWriter
  private var sink: Sink
  private var sinkFailure: (any Error)?

  /// Begins an archive; the sink is called first when the second segment begins.
  public init(
    to sink: Sink, reserved: ReservedValues = ReservedValues(), limits: ArchiveLimits = .init()
  ) {
    self.sink = sink
    writer = ArchiveWriter(reserved: reserved, limits: limits)
  }

  /// The id that the next record, or the root of the next graph, is going to have.
  package var nextObjectID: ArchiveObjectID { writer.nextObjectID }

  /// The objects that conditional references refer to, in the order of their numbers from 1; nil for an
  /// object that was not written.
  ///
  /// If you write such references with ``writeObject(typeName:schemaVersion:template:_:)``, set this before
  /// ``finish(root:)``; ``writeGraph(_:)`` adds those of its objects.
  public var conditionalObjects: [ArchiveObjectID?] {
    get { writer.conditionalObjects }
    set { writer.conditionalObjects = newValue }
  }

  /// The number of bytes that the sink has taken so far.
  package var byteCount: Int { writer.handedOutByteCount }

  /// Writes one value as a record without identity, and returns the id under which it is found.
  ///
  /// The value's type needs a name that is not empty. The name of the template that the value was made from is readable
  /// under ``ArchiveKey/template``.
  ///
  /// - Throws: ``ArchiveError`` as ``ArchiveWriter/writeObject(_:typeName:schemaVersion:template:_:)``
  ///   does, then nothing of the record is written; and what the sink throws.
  @discardableResult
  public mutating func writeObject<Record: ArchiveRecord>(
    _ value: Record, template: String? = nil
  ) throws -> ArchiveObjectID {
    try writeObject(
      typeName: Record.archiveTypeName, schemaVersion: Record.archiveSchemaVersion,
      template: template
    ) { coder in value.encode(to: &coder) }
  }

  /// Writes one record without identity, whose values `body` writes, and returns the id under which it is found.
  ///
  /// The type name is stable and not empty, and the schema version is that of the type's set of keys. The name of the
  /// template that the object was made from is readable under ``ArchiveKey/template``.
  ///
  /// - Throws: The error of `body`, or ``ArchiveError`` for a key written twice, a reserved key or an
  ///   exceeded limit, then nothing of the record is written; and what the sink throws.
  @discardableResult
  public mutating func writeObject(
    typeName: String, schemaVersion: UInt32 = 0, template: String? = nil,
    _ body: (inout ObjectEncoder) throws -> Void
  ) throws -> ArchiveObjectID {
    if let sinkFailure { throw sinkFailure }
    let id = writer.nextObjectID
    try writer.writeObject(
      id, typeName: typeName, schemaVersion: schemaVersion, template: template, body)
    try Self.handOutSegments(of: &writer, to: &sink, failure: &sinkFailure)
    return id
  }

  /// Writes an object with all objects that it leads to.
  ///
  /// Objects that are shared within the graph stay shared. The identity ends with the call: an
  /// object that a later graph leads to is stored again, and only the graph that is being written
  /// is kept in memory.
  ///
  /// - Returns: The id of the object; those that it leads to have the ids after it.
  /// - Throws: ``ArchiveError`` as ``ArchiveWriter/writeGraph(_:)`` does, then the archive cannot be
  ///   completed; and what the sink throws.
  @discardableResult
  public mutating func writeGraph(_ root: some ArchiveObject) throws -> ArchiveObjectID {
    if let sinkFailure { throw sinkFailure }
    return try Self.writeGraph(root, by: &writer, to: &sink, failure: &sinkFailure)
  }

  /// Completes the archive with the object to start from when reading.
  ///
  /// - Returns: The sink, which has taken all bytes. Close or finish it, if that is needed to make
  ///   them durable.
  /// - Throws: ``ArchiveError`` when the root or an object that is referred to was not written, or
  ///   the archive is larger than its limits allow; and what the sink throws.
  @discardableResult
  public consuming func finish(root: ArchiveObjectID = ArchiveObjectID(1)) throws -> Sink {
    if let sinkFailure { throw sinkFailure }
    try writer.complete(root: root)
    try writer.handOutAll { bytes in try sink.write(bytes) }
    return sink
  }

  // The parts are passed one by one, since the closures change the sink while the writer is borrowed.

  private static func writeGraph(
    _ root: any ArchiveObject, by writer: inout ArchiveWriter, to sink: inout Sink,
    failure: inout (any Error)?
  ) throws -> ArchiveObjectID {
    try writer.writeGraph(root) { writer in
      try handOutSegments(of: &writer, to: &sink, failure: &failure)
    }
  }

  private static func handOutSegments(
    of writer: inout ArchiveWriter, to sink: inout Sink, failure: inout (any Error)?
  ) throws {
    do {
      try writer.handOutSegments { bytes in try sink.write(bytes) }
    } catch {
      failure = error
      throw error
    }
  }
}
