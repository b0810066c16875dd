/// An opened archive, in memory or in a source that is read on demand.
///
/// Opening reads the header, the archive values, the tail and the tables of the footer, but no object. Each object is
/// found and checked when it is opened. An archive is a value of immutable bytes, and several threads may read it.
///
/// ```swift
/// let archive = try Archive(bytes)
/// let window = try archive.object(archive.rootID)
/// let title = try window.decode(String.self, forKey: "title")
/// ```
public struct Archive: Sendable {
  @usableFromInline package let storage: ArchiveStorage

  /// The facts that the archive states about itself: its writer, its date and the interface that it is for.
  public let reserved: ReservedValues

  /// Opens an archive.
  ///
  /// - Throws: ``ArchiveError`` when the bytes are not an archive, are cut short, or contradict the
  ///   format where opening looks (Spec/archive.md, section 7).
  /// - Complexity: In proportion to the footer's tables, not to the number of objects.
  public init(_ bytes: [UInt8], limits: ArchiveLimits = .init()) throws(ArchiveError) {
    storage = try ArchiveStorage(bytes, limits: limits)
    reserved = try ReservedValues(storage.index.values, of: ByteRegion(bytes))
  }

  /// Opens an archive that is not in memory.
  ///
  /// Opening reads the header, the archive values, the tail and the footer. For each requested object, the archive
  /// searches the segment directory, and reads two ends of the directory of a segment and the record. Small parts are
  /// read in blocks; 1 MiB of blocks, or four blocks, are kept. Everything else is as with an archive in memory.
  ///
  /// ```swift
  /// let archive = try Archive(
  ///   source: SealedFile.open(path, with: [.key(key)]))
  /// let window = try archive.object(archive.rootID)
  /// ```
  ///
  /// - Throws: ``ArchiveError`` as ``init(_:limits:)`` does; `sourceFailed` when the source throws,
  ///   also later whenever something is read.
  public init(
    source: some ArchivePositionedSource, limits: ArchiveLimits = .init()
  ) throws(ArchiveError) {
    let cache = BlockCache(source)
    let frame = try ArchiveFrame(byteCount: cache.byteCount, limits: limits) {
      (range) throws(ArchiveError) in try cache.read(range)
    }
    let offset = frame.footerOffset
    let values = try cache.read(0..<frame.valuesEnd)
    let rows = try ArchiveValueRow.read(values, to: frame.valuesEnd)
    reserved = try ReservedValues(rows, of: values)
    let tables = try ReaderTables(
      try cache.read(offset..<offset + frame.head.tablesByteCount), at: offset, frame.head,
      limits: limits)
    let index = ArchiveIndex(
      limits: limits, frame: frame, values: rows, tables: OpenedTables(tables), source: cache)
    let start = ArchiveStorage(values, index, start: nil)
    storage = ArchiveStorage(ByteRegion([]), index, start: start)
  }

  /// The number of objects; their ids are 1 to this number.
  public var objectCount: Int { storage.frame.objectCount }

  /// The object that the archive was written from.
  public var rootID: ArchiveObjectID { ArchiveObjectID(storage.frame.root) }

  /// The size of the archive in bytes.
  package var byteCount: Int { storage.frame.byteCount }

  /// The objects that conditional references stand for, in the order of their numbers from 1.
  ///
  /// Nil where the object is not part of the archive.
  ///
  /// - Throws: ``ArchiveError`` when the list names an object that does not exist.
  public var conditionalObjects: [ArchiveObjectID?] {
    get throws(ArchiveError) {
      var objects: [ArchiveObjectID?] = []
      objects.reserveCapacity(storage.frame.conditionalCount)
      for number in 0..<storage.frame.conditionalCount {
        objects.append(try storage.conditionalObject(UInt32(number + 1)))
      }
      return objects
    }
  }

  /// The archive values as they are stored: the reserved ones, and those that this version does not know.
  package var valueEntries: [ArchiveValueEntry] {
    let values = storage.values
    return storage.index.values.map { row in
      ArchiveValueEntry(number: row.number, tag: row.tag, bytes: values.view.copy(row.range))
    }
  }

  /// Opens one object.
  ///
  /// - Throws: ``ArchiveError`` when there is no such object, or its record contradicts the format.
  /// - Complexity: A binary search of the segment directory, then the keys of the object's shape.
  public func object(_ id: ArchiveObjectID) throws(ArchiveError) -> ObjectDecoder {
    try storage.requireObject(id)
    let (part, record) = try storage.openedObject(id.rawValue)
    return ObjectDecoder(record, id, keeping: part)
  }
}

// All objects, one after the other.

extension Archive {
  /// Opens the objects one after the other and passes each to a closure.
  ///
  /// This is the fastest way to read all objects, or one value of each: the decoder is borrowed for the call, so
  /// nothing is counted or allocated for it.
  ///
  /// - Throws: ``ArchiveError`` when a record contradicts the format; an error of `body`.
  /// - Complexity: In proportion to the number of objects. If the archive is in a source, one segment at a time is in
  ///   memory.
  @inlinable
  @inline(__always)
  public func forEachObject(
    _ body: (borrowing ObjectDecoder) throws -> Void
  ) throws {
    var cursor = try ObjectCursor(storage)
    // The decoder is borrowed and cannot be kept: the cursor keeps what it refers to.
    while let record = try cursor.next() { try body(cursor.lend(record)) }
  }

  /// Reads all objects, in their order, as values of one type.
  ///
  /// Use it for archives of a list, as ``ArchiveWriter/writeObjects(_:typeName:schemaVersion:)`` writes them, and
  /// ``forEachObject(_:)`` for objects of several types or to read a part of each.
  ///
  /// - Throws: ``ArchiveError`` when a record contradicts the format or is not as the type expects.
  /// - Complexity: In proportion to the bytes of the archive.
  @inlinable
  public func decodeObjects<Value: ArchiveDecodableRecord>(
    _ type: Value.Type = Value.self
  ) throws(ArchiveError) -> [Value] {
    // The loop is that of forEachObject without its closure.
    var cursor = try ObjectCursor(storage)
    var values: [Value] = []
    values.reserveCapacity(storage.initialCapacity(ofStride: MemoryLayout<Value>.stride))
    repeat {
      while cursor.rest > 0 {
        // Room beyond that is for no more values than were read, so that values pay for it.
        let room = max(values.capacity &- values.count, values.count, 1)
        try values.append(addingCapacity: min(cursor.rest, room)) { output throws(ArchiveError) in
          while !output.isFull, cursor.rest > 0, let record = try cursor.next() {
            output.append(try Value(from: cursor.lend(record)))
          }
        }
      }
    } while try cursor.nextSegment()
    return values
  }

  /// Reads all objects, in their order, as values of one type, on several threads.
  ///
  /// The values, or the error, are those of ``decodeObjects(_:)``. An archive of up to four segments, about 256 KiB,
  /// is read on the calling thread.
  ///
  /// How much a second thread helps depends on the values. On Linux with two cores, 400,000 records of five numbers were
  /// read twice as fast, and entries of a name, up to three tags and a note, which take memory, 1.1 to 1.3 times as fast.
  /// Measure with your own data before you give up a core.
  ///
  /// The closure `run` calls the work `count` times, on one thread each, and returns when all calls have returned. Each
  /// call does the parts that no other call has begun, so fewer calls have the same result, in more time. Dispatch can
  /// provide the threads:
  ///
  /// ```swift
  /// let entries = try archive.decodeObjects(
  ///   Entry.self, threads: 4
  /// ) { count, work in
  ///   DispatchQueue.concurrentPerform(iterations: count) { _ in
  ///     work()
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: ``ArchiveError`` for the first object that contradicts the format or is not as the type
  ///   expects; objects after it may have been read as well.
  /// - Complexity: In proportion to the bytes of the archive.
  @inlinable
  public func decodeObjects<Value: ArchiveDecodableRecord & Sendable>(
    _ type: Value.Type = Value.self, threads: Int,
    on run: (_ count: Int, _ work: @Sendable () -> Void) -> Void
  ) throws(ArchiveError) -> [Value] {
    let values = try storage.decodeObjects(type, threads: threads, on: run)
    if let values { return values }
    return try decodeObjects(type)
  }
}

// Objects that refer to each other.

extension Archive {
  /// Writes an object and all objects that it leads to; the same graph always gives the same bytes.
  ///
  /// - Throws: ``ArchiveError`` when an object writes a key twice, a reserved key, or more than the
  ///   limits allow.
  /// - Complexity: In proportion to the objects and their values; no recursion from object to object.
  public static func encode(
    _ root: some ArchiveObject, reserved: ReservedValues = ReservedValues(),
    limits: ArchiveLimits = .init()
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved, limits: limits)
    let rootID = try writer.writeGraph(root)
    return try writer.finish(root: rootID)
  }

  /// Reads the root and all objects that it leads to.
  ///
  /// - Throws: ``ArchiveError`` when a type is not registered or not allowed at its place, or when stored bytes
  ///   contradict the format; also the errors of the types' own initialisers.
  public func decodeRoot<T: ArchiveObject>(
    _ type: T.Type = T.self, registry: TypeRegistry
  ) throws -> T {
    try GraphDecoding(storage, registry: registry).root(type, rootID)
  }
}

/// A type that is read from an archive and never written: for programs that look at a few keys of
/// records which others write.
///
/// ```swift
/// struct Headline: ArchiveDecodableRecord {
///   var title: String
///   init(from coder: borrowing ObjectDecoder)
///     throws(ArchiveError)
///   {
///     title = try coder.decode(forKey: "title")
///   }
/// }
/// let headlines = try archive.decodeObjects(Headline.self)
/// ```
///
/// Every ``ArchiveRecord`` is one. Keys that the initialiser does not ask for are not looked at.
public protocol ArchiveDecodableRecord {
  /// Reads the parts by a coder of this value's own keys; throws when one is absent or is not what was expected.
  init(from coder: borrowing ObjectDecoder) throws(ArchiveError)
}

extension ReservedValues {
  /// Reads what an archive in a source says about itself, and nothing else of it.
  ///
  /// - Throws: ``ArchiveError`` as ``init(ofArchive:)`` does; `sourceFailed` when the source throws.
  public init(ofArchiveIn source: some ArchivePositionedSource) throws(ArchiveError) {
    let cache = BlockCache(source)
    let head = try cache.read(0..<min(max(cache.byteCount, 0), ArchiveHeader.byteCount))
    let end = try ArchiveHeader.read(head)
    guard end <= cache.byteCount else { throw ArchiveError.endsInValues(cache.byteCount) }
    let region = try cache.read(0..<end)
    self = try ReservedValues(ArchiveValueRow.read(region, to: end), of: region)
  }
}
