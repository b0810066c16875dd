/// The coder that one object reads its values through.
///
/// Each key is looked up and checked when it is asked for, and reading one touches only its bytes.
/// An error in one key says nothing about the others: the decoder stays usable. Numbers convert
/// when the value fits the type asked for (Spec/archive.md, section 6); nothing is ever read as a
/// silent zero.
public struct ObjectDecoder: ~Copyable {
  /// The object whose record this is, or in whose record it is nested.
  public var objectID: ArchiveObjectID { number }

  @usableFromInline var number: ArchiveObjectID

  @usableFromInline var view: ByteView
  @usableFromInline var shapeReference: RawReference<ShapeRow>
  /// Where the record begins and ends.
  @usableFromInline var start: Int
  @usableFromInline var end: Int
  /// The entry of the scope in the key table, -1 at the top, -2 for one that was never written.
  @usableFromInline let scope: Int32
  @usableFromInline let depth: Int32
  @usableFromInline var storage: BorrowedReference<ArchiveStorage>
  @usableFromInline let graph: BorrowedReference<GraphDecoding>?
  /// What keeps storage and graph alive, when this decoder does not stand under another one.
  private let storageOwner: ArchiveStorage?
  private let graphOwner: GraphDecoding?
  /// The scopes that were asked for below one that was never written.
  private let missingScopes: [String]?

  /// Opens a record that has been found and checked.
  init(
    _ record: OpenedRecord, objectID: ArchiveObjectID, depth: Int32, owned: Bool,
    storage: BorrowedReference<ArchiveStorage>, graph: BorrowedReference<GraphDecoding>?
  ) {
    number = objectID
    view = storage.with { $0.view }
    shapeReference = record.shape
    start = record.start
    end = record.end
    scope = -1
    self.depth = depth
    self.storage = storage
    self.graph = graph
    storageOwner = owned ? storage.object : nil
    graphOwner = owned ? graph?.object : nil
    missingScopes = nil
  }

  /// Opens the record of an object.
  init(
    _ storage: ArchiveStorage, record number: UInt32, graph: GraphDecoding?
  ) throws(ArchiveError) {
    let id = ArchiveObjectID(number)
    do {
      let (storage, range) = try storage.located(number)
      let record = try storage.openedRecord(range)
      self.init(
        record, objectID: id, depth: 1, owned: true, storage: BorrowedReference(storage),
        graph: graph.map { BorrowedReference($0) })
    } catch {
      throw error.inObject(id)
    }
  }

  /// The part of a record that belongs to one scope.
  init(_ outer: borrowing ObjectDecoder, scope: Int32, named name: String) {
    number = outer.number
    view = outer.view
    shapeReference = outer.shapeReference
    start = outer.start
    end = outer.end
    self.scope = scope
    depth = outer.depth
    storage = outer.storage
    graph = outer.graph
    storageOwner = outer.storage.object
    graphOwner = outer.graph?.object
    missingScopes = scope == -2 ? outer.path + [name] : nil
  }

  @inlinable var shape: ShapeRow { shapeReference.row }

  /// The names of the scopes that this one lies in, with its own.
  var path: [String] {
    if let missingScopes { return missingScopes }
    var names: [String] = []
    var entry = Int(scope)
    storage.with { storage in
      while entry >= 0 {
        names.append(storage.tables.keys[entry].name)
        entry = storage.tables.keys[entry].scope
      }
    }
    names.reverse()
    return names
  }

  /// The name of the type that the record was written as; empty for a nested value without one.
  public var typeName: String { storage.with { $0.tables.types[Int(shape.type)].name } }

  /// The schema version that the record was written with.
  public var schemaVersion: UInt32 {
    storage.with { $0.tables.types[Int(shape.type)].schemaVersion }
  }

  /// The name of the case that was written, or nil for a record that is no enumeration.
  public var enumerationCase: ArchiveKey? {
    if shape.enumerationCase < 0 { return nil }
    return storage.with { ArchiveKey($0.tables.keys[Int(shape.enumerationCase)].name) }
  }

  /// The bytes that the record takes, with everything nested in it.
  public var byteCount: Int { end - start }

  /// Where the record begins in the archive.
  var offset: Int { start }

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
  @inline(__always)
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T {
    let slot = slotIndex(of: key)
    if slot < 0 { return try decodeReserved(type, forKey: key) }
    do {
      return try T(from: value(ofSlot: slot))
    } catch {
      throw located(error, key)
    }
  }

  /// Reads a reserved value of the archive; any other key is absent.
  @inlinable
  @inline(never)
  func decodeReserved<T: ArchiveValue>(
    _ type: T.Type, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T {
    do {
      return try T(from: reservedValue(forKey: key))
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
    let slot = slotIndex(of: key)
    if slot < 0 {
      return contains(key) ? try decodeReserved(Optional<T>.self, forKey: key) : nil
    }
    do {
      return try Optional<T>(from: value(ofSlot: slot))
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
    try decode(ArchivedValue.self, forKey: key)
  }

  @inline(never)
  @usableFromInline
  func located(_ error: ArchiveError, _ key: ArchiveKey) -> ArchiveError {
    var error = error.under(key.description)
    for name in path.reversed() { error = error.under(name) }
    return error.inObject(objectID)
  }
}
