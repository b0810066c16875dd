/// Writes an archive of any size into a sink, in bounded memory.
///
/// Each segment is handed over when the next one begins, and the bytes are exactly those that
/// ``ArchiveWriter`` makes of the same values. Value records are written one by one and have no
/// identity; graphs of objects are written one by one too, each with an identity of its own.
///
/// ```swift
/// var writer = ArchiveStreamWriter(to: file)
/// for entry in log { try writer.write(entry) }
/// try writer.finish()
/// ```
///
/// Memory: one segment, that is 64 KiB of records or one that is longer; the tables of keys, types and
/// shapes; 24 bytes for each segment; and while a graph is written, a list of its objects.
///
/// Once the sink threw, every further call throws the same error.
public struct ArchiveStreamWriter<Sink: ArchiveSink>: ~Copyable {
  private var writer: ArchiveWriter
  private var sink: Sink
  private var sinkFailure: (any Error)?

  /// Begins an archive; the sink is called first when the second segment begins.
  ///
  /// - Parameters:
  ///   - sink: Where the bytes go.
  ///   - reserved: The facts that the archive states about itself: its writer, its date and its interface.
  ///   - limits: How large the archive and its parts may become.
  public init(
    to sink: Sink, reserved: ReservedValues = ReservedValues(), limits: ArchiveLimits = .default
  ) {
    self.sink = sink
    writer = ArchiveWriter(reserved: reserved, limits: limits)
  }

  /// The id that the next record, or the root of the next graph, is going to have.
  public var nextObjectID: ArchiveObjectID { writer.nextObjectID }

  /// The objects that conditional references stand for, in the order of their numbers from 1.
  ///
  /// Nil where the object was not written. To be set before ``finish(root:)`` by whoever writes such
  /// references with ``write(typeName:schemaVersion:template:_:)``; ``writeGraph(_:)`` adds those of
  /// its objects.
  public var conditionalObjects: [ArchiveObjectID?] {
    get { writer.conditionalObjects }
    set { writer.conditionalObjects = newValue }
  }

  /// How many bytes the sink has taken so far.
  public var byteCount: Int { writer.handedOutByteCount }

  /// Writes one value as a record without identity.
  ///
  /// - Parameters:
  ///   - value: The value; its type needs a name that is not empty.
  ///   - template: The name of the template that the value was made from, readable under
  ///     ``ArchiveKey/template``.
  /// - Returns: The id under which the record is found.
  /// - Throws: ``ArchiveError`` as ``ArchiveWriter/writeObject(_:typeName:schemaVersion:template:_:)``
  ///   does, then nothing of the record is written; and what the sink throws.
  @discardableResult
  public mutating func write<Record: ArchiveRecord>(
    _ value: Record, template: String? = nil
  ) throws -> ArchiveObjectID {
    try write(
      typeName: Record.archiveTypeName, schemaVersion: Record.archiveSchemaVersion,
      template: template
    ) { coder in value.encode(with: &coder) }
  }

  /// Writes one record without identity, whose values a body gives.
  ///
  /// - Parameters:
  ///   - typeName: The stable name of the record's type; not empty.
  ///   - schemaVersion: The version of the type's set of keys.
  ///   - template: The name of the template that the object was made from, readable under
  ///     ``ArchiveKey/template``.
  ///   - body: Writes the values.
  /// - Returns: The id under which the record is found.
  /// - Throws: The error of `body`, or ``ArchiveError`` for a key written twice, a reserved key or an
  ///   exceeded limit, then nothing of the record is written; and what the sink throws.
  @discardableResult
  public mutating func write(
    typeName: String, schemaVersion: UInt32 = 0, template: String? = nil,
    _ body: (inout ObjectEncoder) throws -> Void
  ) throws -> ArchiveObjectID {
    if let sinkFailure { throw sinkFailure }
    let id = writer.nextObjectID
    try writer.writeObject(
      id, typeName: typeName, schemaVersion: schemaVersion, template: template, body)
    try writer.handOutSegments(to: &sink, failure: &sinkFailure)
    return id
  }

  /// Writes an object with all objects that it leads to.
  ///
  /// Objects that are shared within the graph stay shared. The identity ends with the call: an
  /// object that a later graph leads to is stored again, and only the graph that is being written
  /// is kept in memory.
  ///
  /// - Parameter root: The object to start from.
  /// - Returns: The id of the object; those that it leads to have the ids after it.
  /// - Throws: ``ArchiveError`` as ``ArchiveWriter/writeGraph(_:)`` does, then the archive cannot be
  ///   completed; and what the sink throws.
  @discardableResult
  public mutating func writeGraph(_ root: some ArchivableObject) throws -> ArchiveObjectID {
    if let sinkFailure { throw sinkFailure }
    return try writer.writeGraph(root, to: &sink, failure: &sinkFailure)
  }

  /// Completes the archive.
  ///
  /// - Parameter root: The object to start from when reading; the first one unless another is
  ///   given.
  /// - Returns: The sink, when it has taken all bytes. Whether they are safe there is its affair:
  ///   close or finish it.
  /// - Throws: ``ArchiveError`` when the root or an object that is referred to was not written, or
  ///   the archive is larger than its limits allow; and what the sink throws.
  @discardableResult
  public consuming func finish(root: ArchiveObjectID = ArchiveObjectID(1)) throws -> Sink {
    if let sinkFailure { throw sinkFailure }
    try writer.complete(root: root)
    try writer.handOutAll { bytes in try sink.write(bytes) }
    return sink
  }
}

extension ArchiveWriter {
  fileprivate mutating func writeGraph<Sink: ArchiveSink>(
    _ root: any ArchivableObject, to sink: inout Sink, failure: inout (any Error)?
  ) throws -> ArchiveObjectID {
    try writeGraph(root) { writer in
      try writer.handOutSegments(to: &sink, failure: &failure)
    }
  }

  /// Hands over the segments that are complete.
  fileprivate mutating func handOutSegments<Sink: ArchiveSink>(
    to sink: inout Sink, failure: inout (any Error)?
  ) throws {
    do {
      try handOutSegments { bytes in try sink.write(bytes) }
    } catch {
      failure = error
      throw error
    }
  }
}
