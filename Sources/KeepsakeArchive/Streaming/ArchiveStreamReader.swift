/// Reads an archive of any size forward from a source, in bounded memory.
///
/// Each segment is checked whole before any of its objects is handed out; what can be known only at the
/// end is checked there: that objects referred to exist, and that the footer agrees with the
/// segments. So treat what was read as provisional until nil is returned.
///
/// ```swift
/// var reader = try ArchiveStreamReader(file)
/// while let entry = try reader.next(LogEntry.self) {
///   show(entry)
/// }
/// ```
///
/// When an archive is cut short, the objects of all complete segments are handed out, and then an error
/// is thrown. Once a call has thrown an error of the stream, all further ones throw it.
///
/// Memory: one segment, that is 64 KiB of records or one that is longer, the tables of keys, types and
/// shapes so far, and 24 bytes for each segment.
public struct ArchiveStreamReader: ~Copyable {
  /// The facts that the archive states about itself: its writer, its date and the interface that it is for.
  public var reserved: ReservedValues { stream.reserved }

  /// The object that the archive was written from; nil before the end of the archive.
  public var rootID: ArchiveObjectID? { summary?.rootID }

  /// The objects that conditional references stand for, in the order of their numbers from 1.
  ///
  /// Nil where the object is not part of the archive. The list is empty before the end of the archive.
  public var conditionalObjects: [ArchiveObjectID?] { summary?.conditionalObjects ?? [] }

  package private(set) var summary: ArchiveStreamSummary?

  private var stream: SegmentStream
  private var failure: (any Error)?

  /// Begins to read, up to the first segment.
  ///
  /// - Throws: ``ArchiveError`` when the bytes are not an archive, are cut short or contradict the
  ///   format (Spec/archive.md, 7.7); and what the source throws.
  public init(_ source: some ArchiveSource, limits: ArchiveLimits = .init()) throws {
    stream = try SegmentStream(source, limits: limits)
  }

  /// Passes the next object to a closure.
  ///
  /// References are read as ids. A conditional reference cannot be followed before the end: its
  /// object is looked up in ``conditionalObjects`` by its number.
  ///
  /// - Returns: The result of `body`; nil when there is no further object and the end of the archive
  ///   was found to agree with what was read.
  /// - Throws: The error of `body`, then the next call continues with the next object; otherwise
  ///   ``ArchiveError`` for what contradicts the format, and what the source throws.
  public mutating func withNextObject<Result>(
    _ body: (borrowing ObjectDecoder) throws -> Result
  ) throws -> Result? {
    guard let (segment, record, id) = try nextRecord() else { return nil }
    return try ObjectDecoder.lend(record, id, in: segment, to: body)
  }

  /// Reads the next object as a value; nil when there is no further object.
  ///
  /// - Throws: ``ArchiveError`` as ``withNextObject(_:)`` does, and when the record is not as the
  ///   type expects; and what the source throws.
  public mutating func next<Record: ArchiveDecodableRecord>(
    _ type: Record.Type = Record.self
  ) throws -> Record? {
    try withNextObject { decoder in try Record(from: decoder) }
  }

  /// Finds the next record, reading the next segment when one has been gone through.
  private mutating func nextRecord() throws -> (ArchiveStorage, OpenedRecord, ArchiveObjectID)? {
    if let failure { throw failure }
    do {
      while true {
        if stream.objects.rest > 0, let segment = stream.segment {
          let record = try stream.objects.next()
          return (segment, record, ArchiveObjectID(stream.objects.number - 1))
        }
        if summary == nil { summary = try stream.next() }
        if summary != nil { return nil }
      }
    } catch {
      failure = error
      throw error
    }
  }
}

/// The facts that are known of an archive when it has been read forward to its end.
package struct ArchiveStreamSummary: Sendable {
  package var byteCount: Int
  package var objectCount: Int
  package var rootID: ArchiveObjectID
  package var conditionalObjects: [ArchiveObjectID?]
}
