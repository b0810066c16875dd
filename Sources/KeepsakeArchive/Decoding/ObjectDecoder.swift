/// The coder that one object reads its values through.
///
/// Each key is looked up and checked when it is asked for, and reading one touches only its bytes.
/// An error in one key says nothing about the others: the decoder stays usable. Numbers convert
/// when the value fits the type asked for (Spec/archive.md, section 6); nothing is ever read as a
/// silent zero.
public struct ObjectDecoder: ~Copyable {
  /// The object whose record this is, or in whose record it is nested.
  public let objectID: ArchiveObjectID

  let storage: ArchiveStorage
  let graph: GraphDecoding?
  /// The bytes of the record.
  let range: Range<Int>
  let shape: ReaderTables.Shape
  /// The slots of this scope and of those inside it.
  let slots: Range<Int>
  /// The entry of the scope in the key table, or -1 at the top.
  let scope: Int
  let path: [String]
  let depth: Int

  /// Opens the record of an object.
  init(
    _ storage: ArchiveStorage, record number: UInt32, graph: GraphDecoding?
  ) throws(ArchiveError) {
    let id = ArchiveObjectID(number)
    do {
      try self.init(
        storage, range: storage.recordRange(number), graph: graph, objectID: id, depth: 1)
    } catch {
      throw error.inObject(id)
    }
  }

  /// Opens a record, and checks that its payloads lie one after the other to its very end
  /// (Spec/archive.md, 4.4): so nothing in it can be contained twice.
  init(
    _ storage: ArchiveStorage, range: Range<Int>, graph: GraphDecoding?,
    objectID: ArchiveObjectID, depth: Int
  ) throws(ArchiveError) {
    guard let number = storage.bytes.load(UInt32.self, at: range.lowerBound),
      Int(number) < storage.tables.shapes.count,
      storage.bytes.load(UInt32.self, at: range.lowerBound + 4) == 0
    else {
      throw ArchiveError(
        .damaged, "a record names a shape that is not declared", offset: range.lowerBound)
    }
    let shape = storage.tables.shapes[Int(number)]
    guard range.count >= shape.fixedByteCount, range.count.isMultiple(of: 8) else {
      throw ArchiveError(
        .damaged, "a record is shorter than its shape", offset: range.lowerBound)
    }
    var tail = PayloadTail(container: range, start: range.lowerBound + shape.fixedByteCount)
    for index in shape.slots where storage.tables.slots[index].tag.isVariable {
      try tail.take(storage.bytes, slotAt: range.lowerBound + storage.tables.slots[index].offset)
    }
    try tail.finish()
    self.storage = storage
    self.range = range
    self.graph = graph
    self.objectID = objectID
    self.shape = shape
    self.depth = depth
    slots = shape.slots
    scope = -1
    path = []
  }

  /// The part of a record that belongs to one scope.
  init(_ outer: borrowing ObjectDecoder, scope: Int, slots: Range<Int>, name: String) {
    storage = outer.storage
    graph = outer.graph
    range = outer.range
    shape = outer.shape
    objectID = outer.objectID
    depth = outer.depth
    path = outer.path + [name]
    self.scope = scope
    self.slots = slots
  }

  /// The name of the type that the record was written as; empty for a nested value without one.
  public var typeName: String { storage.tables.types[shape.type].name }

  /// The schema version that the record was written with.
  public var schemaVersion: UInt32 { storage.tables.types[shape.type].schemaVersion }

  /// The bytes that the record takes, with everything nested in it.
  public var byteCount: Int { range.count }

  /// Where the record begins in the archive.
  var offset: Int { range.lowerBound }

  /// Reads the value under a key.
  ///
  /// Reserved keys are read by their constants from every object's decoder.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - key: The key.
  /// - Returns: The value.
  /// - Throws: ``ArchiveError`` when the key is absent, or the stored value is none of the type.
  @inlinable
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T {
    do {
      return try T(from: value(forKey: key))
    } catch {
      throw located(error, key)
    }
  }

  /// Reads the value under a key that may be absent.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - key: The key.
  /// - Returns: The value, or nil when the key is absent or a nil is stored under it.
  /// - Throws: ``ArchiveError`` when the stored value is none of the type.
  @inlinable
  public func decodeIfPresent<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    do {
      guard contains(key) else { return nil }
      return try Optional<T>(from: value(forKey: key))
    } catch {
      throw located(error, key)
    }
  }

  /// Reads the value under a key without knowing its type.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value with everything nested in it.
  /// - Throws: ``ArchiveError`` when the key is absent or the stored bytes contradict the format.
  public func dynamicValue(forKey key: ArchiveKey) throws(ArchiveError) -> ArchivedValue {
    do {
      return try value(forKey: key).dynamicValue()
    } catch {
      throw located(error, key)
    }
  }

  @usableFromInline
  func located(_ error: ArchiveError, _ key: ArchiveKey) -> ArchiveError {
    var error = error.under(key.description)
    for name in path.reversed() { error = error.under(name) }
    return error.inObject(objectID)
  }
}
