/// The coder that one object reads its values through.
///
/// Each key is looked up and checked when it is asked for, and reading one touches only its bytes.
/// An error in one key says nothing about the others: the decoder stays usable. Numbers convert
/// when the value fits the type asked for (Spec/archive.md, section 6); nothing is ever read as a
/// silent zero.
public struct ObjectDecoder: ~Copyable {
  /// The object whose record this is, or in whose record it is nested.
  public var objectID: ArchiveObjectID { number }

  @usableFromInline let number: ArchiveObjectID
  /// The bytes of the record and no others: of decoders that are lent for one element after the other, the
  /// one at hand.
  @usableFromInline var view: ByteView
  @usableFromInline var shapeReference: RawReference<ShapeRow>
  /// The bytes of each end of a payload as a power of two.
  @usableFromInline var endWidth: UInt32
  /// The entry of the scope in the key table, -1 at the top, -2 for one that was never written.
  @usableFromInline let scope: Int32
  @usableFromInline let depth: Int32
  /// What the scope adds to the number that is made of a name.
  @usableFromInline let scopeSalt: UInt64
  @usableFromInline let storage: BorrowedReference<ArchiveStorage>
  @usableFromInline let graph: BorrowedReference<GraphDecoding>?
  /// What keeps storage and graph alive, nil for a decoder that is borrowed.
  ///
  /// A storage, or a ``DecoderOwner`` where there is more to keep.
  @usableFromInline let owner: OwnedReference

  /// Opens a record that has been found and checked; without an owner it is borrowed, by someone who
  /// does not keep it.
  @inlinable
  @inline(__always)
  init(
    _ record: OpenedRecord, objectID: ArchiveObjectID, depth: Int32, view: ByteView,
    storage: BorrowedReference<ArchiveStorage>, graph: BorrowedReference<GraphDecoding>?,
    scope: Int32 = -1, owner: AnyObject? = nil
  ) {
    number = objectID
    self.view = view.part(from: record.start, to: record.end)
    shapeReference = record.shape
    endWidth = record.endWidth
    self.scope = scope
    scopeSalt = ShapeRow.salt(of: scope)
    self.depth = depth
    self.storage = storage
    self.graph = graph
    self.owner = OwnedReference(owner)
  }

  /// The part of a record that belongs to one scope.
  init(_ outer: borrowing ObjectDecoder, scope: Int32, named name: String) {
    let owner = DecoderOwner(
      storage: outer.storage.object, graph: outer.graph?.object,
      missingScopes: scope == -2 ? outer.path + [name] : nil)
    self.init(
      outer.record, objectID: outer.number, depth: outer.depth, view: outer.view,
      storage: outer.storage,
      graph: outer.graph, scope: scope, owner: owner)
  }

  /// The record.
  @inlinable
  @inline(__always)
  var record: OpenedRecord { OpenedRecord(shapeReference, of: view, endWidth: endWidth) }

  /// Lets the decoder read another record, of a view that has more bytes.
  @inlinable
  @inline(__always)
  mutating func move(to record: OpenedRecord, in view: ByteView) {
    self.view = view.part(from: record.start, to: record.end)
    shapeReference = record.shape
    endWidth = record.endWidth
  }

  @inlinable var shape: ShapeRow { shapeReference.row }

  /// Where the record begins.
  @inlinable var start: Int { view.origin }

  /// The names of the scopes that this one lies in, with its own.
  var path: [String] {
    if let missing = (owner.object as? DecoderOwner)?.missingScopes { return missing }
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
  @usableFromInline package var enumerationCase: ArchiveKey? {
    if shape.enumerationCase < 0 { return nil }
    return storage.with { ArchiveKey($0.tables.keys[Int(shape.enumerationCase)].name) }
  }

  /// The bytes that the record takes, with everything nested in it.
  public var byteCount: Int { view.count }

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
    let slot = slot(of: key)
    do throws(ArchiveError) {
      if let slot, let value = try T(from: self, at: slot) { return value }
    } catch {
      throw located(error, key)
    }
    return try decodeSlowly(type, forKey: key, slot: slot)
  }

  /// Reads a value of a slot through a decoder of its own, or a reserved value of the archive; any
  /// other key is absent.
  @inlinable
  @inline(never)
  func decodeSlowly<T: ArchiveValue>(
    _ type: T.Type, forKey key: ArchiveKey, slot: ArchiveSlot?
  ) throws(ArchiveError) -> T {
    do {
      if let slot, !isAbsent(slot.row) { return try T(from: value(of: slot)) }
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
  /// - Throws: ``ArchiveError`` when the stored value is not of the type; with the code `absentKey` when a key is
  ///   stored that differs from a name that is not ASCII in its Unicode form alone.
  @inlinable
  public func decodeIfPresent<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    let slot = slot(of: key)
    if let slot {
      do throws(ArchiveError) {
        if let value = try T(from: self, at: slot) { return value }
      } catch {
        throw located(error, key)
      }
      if isNil(slot.row) { return nil }
    } else if !key.isReserved || !contains(key) {
      // Most names are short and ASCII, and have one spelling.
      if scope == -2 || !StringIdentity(key.name).isASCIIContent { try checkSpelling(of: key) }
      return nil
    }
    return try decodeSlowly(Optional<T>.self, forKey: key, slot: slot)
  }

  @inline(never)
  @usableFromInline
  func located(_ error: ArchiveError, _ key: ArchiveKey) -> ArchiveError {
    var error = error.under(key.description)
    for name in path.reversed() { error = error.under(name) }
    return error.inObject(objectID)
  }
}

/// What a decoder keeps that is not borrowed, when it is more than the storage.
final class DecoderOwner {
  private let storage: ArchiveStorage
  private let graph: GraphDecoding?
  /// The scopes that were asked for below one that was never written.
  let missingScopes: [String]?

  init(storage: ArchiveStorage, graph: GraphDecoding?, missingScopes: [String]? = nil) {
    self.storage = storage
    self.graph = graph
    self.missingScopes = missingScopes
  }
}
