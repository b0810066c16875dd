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
  @usableFromInline package var fields: RecordView
  @usableFromInline let graph: BorrowedReference<GraphDecoding>?
  /// The object that keeps storage and graph alive; nil for a decoder that is borrowed.
  ///
  /// The owner is a storage, or a ``DecoderOwner`` when more than the storage has to stay alive.
  @usableFromInline let owner: OwnedReference

  /// Makes a decoder of a record that was found and checked; without an owner it is borrowed for a call.
  @inlinable
  @inline(__always)
  package init(
    _ record: OpenedRecord, objectID: ArchiveObjectID, depth: Int32, view: ByteView,
    storage: BorrowedReference<ArchiveStorage>, graph: BorrowedReference<GraphDecoding>?,
    scope: Int32 = ScopeNumber.top, owner: AnyObject? = nil
  ) {
    number = objectID
    fields = RecordView(record, view: view, storage: storage, depth: depth, scope: scope)
    self.graph = graph
    self.owner = OwnedReference(owner)
  }

  init(_ outer: borrowing ObjectDecoder, scope: Int32, named name: String) {
    let owner = DecoderOwner(
      storage: outer.storage.object, graph: outer.graph?.object,
      missingScopes: scope == ScopeNumber.missing ? outer.path + [name] : nil)
    self.init(
      outer.record, objectID: outer.number, depth: outer.depth, view: outer.view,
      storage: outer.storage,
      graph: outer.graph, scope: scope, owner: owner)
  }

  /// Moves the decoder to another record, in a view that contains that record.
  @inlinable
  @inline(__always)
  mutating func move(to record: OpenedRecord, in view: ByteView) {
    fields.view = view.part(from: record.start, to: record.end)
    fields.shapeReference = record.shape
    fields.endWidth = record.endWidth
  }

  @inlinable package var view: ByteView { fields.view }
  @inlinable package var storage: BorrowedReference<ArchiveStorage> { fields.storage }
  @inlinable package var shapeReference: RawReference<ShapeRow> { fields.shapeReference }
  @inlinable package var shape: ShapeRow { fields.shape }
  @inlinable package var record: OpenedRecord { fields.record }
  @inlinable package var scope: Int32 { fields.scope }
  @inlinable package var depth: Int32 { fields.depth }
  /// The offset of the record in the archive.
  @inlinable package var start: Int { fields.start }

  /// The names of the scopes around this one and its own name, the outermost first.
  package var path: [String] {
    (owner.object as? DecoderOwner)?.missingScopes
      ?? storage.with { $0.tables.scopeNames(scope) }
  }

  /// The name of the type that the record was written as; empty for a nested value without one.
  public var typeName: String { storage.with { $0.tables.types[Int(shape.type)].name } }

  /// The schema version that the record was written with.
  public var schemaVersion: UInt32 {
    storage.with { $0.tables.types[Int(shape.type)].schemaVersion }
  }

  /// The name of the case that was written, or nil for a record that is not an enumeration.
  @usableFromInline package var enumerationCase: ArchiveKey? {
    if !shape.isEnumeration { return nil }
    return storage.with { ArchiveKey($0.tables.keys[Int(shape.enumerationCase)].name) }
  }

  /// The bytes that the record takes, with everything nested in it.
  package var byteCount: Int { view.count }

  /// Reads the value under a key.
  ///
  /// Reserved keys are read by their constants from every object's decoder.
  ///
  /// - Throws: ``ArchiveError`` when the key is absent, or the stored value does not fit the type.
  @inlinable
  @inline(__always)
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T {
    let slot = fields.slot(of: key)
    do throws(ArchiveError) {
      if let slot, let value = try T(asWrittenIn: self, at: slot) { return value }
    } catch {
      throw located(error, key)
    }
    return try decodeSlowly(type, forKey: key, slot: slot)
  }

  /// Reads a value that needs a decoder of its own, or a reserved value of the archive; any other key is absent.
  @inlinable
  @inline(never)
  func decodeSlowly<T: ArchiveValue>(
    _ type: T.Type, forKey key: ArchiveKey, slot: ArchiveSlot?
  ) throws(ArchiveError) -> T {
    do {
      if let slot, !fields.isAbsent(slot.row) { return try T(from: value(of: slot)) }
      return try T(from: reservedValue(forKey: key))
    } catch {
      throw located(error, key)
    }
  }

  /// Reads the value under a key that may be absent.
  ///
  /// - Returns: The value, or nil when the key is absent or a nil is stored under it.
  /// - Throws: ``ArchiveError`` when the stored value is not of the type. The code is `absentKey` when the key is not
  ///   found, but is stored in another Unicode form.
  @inlinable
  @inline(__always)
  public func decodeIfPresent<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    guard let slot = fields.slot(of: key) else {
      // Most names are short and ASCII, and have one spelling. The compiler knows that of a literal.
      if StringIdentity(key.name).isASCIIContent, !key.isReserved, scope != ScopeNumber.missing {
        return nil
      }
      return try decodeWithoutSlot(type, forKey: key)
    }
    do throws(ArchiveError) {
      if let value = try T(asWrittenIn: self, at: slot) { return value }
    } catch {
      throw located(error, key)
    }
    if fields.isNil(slot.row) { return nil }
    return try decodeSlowly(Optional<T>.self, forKey: key, slot: slot)
  }

  /// Reads a reserved value of the archive; any other key without a slot is absent, if it is not stored in another
  /// Unicode form.
  @inlinable
  @inline(never)
  func decodeWithoutSlot<T: ArchiveValue>(
    _ type: T.Type, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    if key.isReserved, contains(key) {
      return try decodeSlowly(Optional<T>.self, forKey: key, slot: nil)
    }
    try checkSpelling(of: key)
    return nil
  }

  @inline(never)
  @usableFromInline
  func located(_ error: ArchiveError, _ key: ArchiveKey) -> ArchiveError {
    path.reversed().reduce(error.under(key.description)) { $0.under($1) }.inObject(objectID)
  }
}

// Functions that read part of a record, or borrow values.

extension ObjectDecoder {
  /// Reads the value under a key, or takes a default when the key is absent or a nil is stored under it.
  ///
  /// - Throws: ``ArchiveError`` when the stored value does not fit the type.
  @inlinable
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey, default fallback: @autoclosure () -> T
  ) throws(ArchiveError) -> T {
    try decodeIfPresent(type, forKey: key) ?? fallback()
  }

  /// Reads a nested record as a type that is never written.
  ///
  /// - Throws: ``ArchiveError`` when the key is absent, no record is stored, or a part of it is not as
  ///   expected.
  public func decodeRecord<Record: ArchiveDecodableRecord>(
    _ type: Record.Type = Record.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> Record {
    do {
      return try Record(from: storedValue(under: key).lentRecord())
    } catch {
      throw located(error, key)
    }
  }

  /// Opens the records of a stored array one after the other and passes each to a closure.
  ///
  /// No array of values is made, and of each record only what `body` asks for is read.
  ///
  /// - Throws: ``ArchiveError`` when the key is absent, or the value is not an array of records or contains a nil. An
  ///   error of `body` is passed on; an ``ArchiveError`` gets the index of the record.
  /// - Complexity: O(n) for n records, beside the work of `body`.
  public func forEachRecord(
    forKey key: ArchiveKey, _ body: (borrowing ObjectDecoder) throws -> Void
  ) throws {
    do {
      let array = try storedValue(under: key)
      let elements = try array.value.storedElements()
      for index in 0..<elements.count {
        do {
          try body(array.element(index, of: elements).lentRecord())
        } catch let error as ArchiveError {
          throw error.atElement(index)
        }
      }
    } catch let error as ArchiveError {
      throw located(error, key)
    }
  }

  /// The value under a key, or a reserved value of the archive.
  private func storedValue(under key: ArchiveKey) throws(ArchiveError) -> ValueDecoder {
    if let slot = fields.presentSlot(of: key) { return value(of: slot) }
    return try reservedValue(forKey: key)
  }

  /// Passes the numbers of a stored array to a closure, without copying them.
  ///
  /// The array has to be stored in exactly this type, without nils. Use ``decode(_:forKey:)`` where numbers have to
  /// be converted. Arrays of 256 bytes and more are aligned and are passed in place. A smaller array may be copied.
  ///
  /// - Throws: ``ArchiveError`` when the key is absent or another value is stored; an error of `body`.
  /// - Complexity: O(1) for an array of 256 bytes or more, however long it is.
  public func withSpan<Scalar: ArchiveScalar, Result>(
    of type: Scalar.Type = Scalar.self, forKey key: ArchiveKey,
    _ body: (Span<Scalar>) throws -> Result
  ) throws -> Result {
    let (view, range) = try located(key) { value throws(ArchiveError) in
      try value.scalarRange(of: type)
    }
    return try view.withSpan(of: type, range, body)
  }

  /// The bytes of a run of bytes, a string or a URL, without a copy or a check of them.
  ///
  /// - Returns: The bytes, which are valid as long as the decoder; for a string, its unchecked UTF-8.
  /// - Throws: ``ArchiveError`` when the key is absent or another kind of value is stored.
  /// - Complexity: O(1), however many bytes there are.
  @inlinable
  @inline(__always)
  @_lifetime(borrow self)
  public func bytes(forKey key: ArchiveKey) throws(ArchiveError) -> Span<UInt8> {
    let (view, range) = try text(key)
    return view.bytes(range, of: self)
  }

  /// The range of the bytes of a value that contains no other values.
  @inlinable
  @inline(__always)
  func text(_ key: ArchiveKey) throws(ArchiveError) -> (view: ByteView, range: Range<Int>) {
    if let slot = fields.slot(of: key) {
      let row = slot.row
      if row.traits & (SlotRow.text | SlotRow.nullable) == SlotRow.text {
        return (view, fields.payload(row))
      }
    }
    return try slowText(key)
  }

  @inline(never)
  @usableFromInline
  func slowText(
    _ key: ArchiveKey
  ) throws(ArchiveError) -> (view: ByteView, range: Range<Int>) {
    try located(key) { coder throws(ArchiveError) in
      guard coder.value.tag.isText, !coder.value.isNil else {
        throw coder.value.mismatch("a run of bytes or a string")
      }
      return coder.value.range
    }
  }

  /// The range that a closure selects in a value, and its view: the archive's own values are not in the object's view.
  @inline(never)
  private func located(
    _ key: ArchiveKey,
    _ body: (borrowing ValueDecoder) throws(ArchiveError) -> Range<Int>
  ) throws(ArchiveError) -> (view: ByteView, range: Range<Int>) {
    do {
      if let slot = fields.presentSlot(of: key) { return (view, try body(value(of: slot))) }
      let coder = try reservedValue(forKey: key)
      return (coder.value.view, try body(coder))
    } catch {
      throw located(error, key)
    }
  }
}

// Keys and scopes.

extension ObjectDecoder {
  /// The keys of this scope that the application chose, sorted by their bytes.
  public var keys: [ArchiveKey] {
    var keys: [ArchiveKey] = []
    fields.forEachKeyName { keys.append(ArchiveKey($0)) }
    return keys
  }

  /// The scopes that were opened inside this one and are not empty, sorted by their bytes.
  public var scopeNames: [String] {
    var names: [String] = []
    var last: Int?
    for slot in fields.slotsInKeyOrder {
      let child = childScope(of: slot)
      if let child, child != last {
        names.append(storage.with { $0.tables.keys[child].name })
      }
      last = child
    }
    return names
  }

  /// Whether a value, or a nil, is stored under a key.
  ///
  /// Names are compared by their bytes: the same text in another Unicode form is another key.
  public func contains(_ key: ArchiveKey) -> Bool {
    if fields.presentSlot(of: key) != nil { return true }
    guard key.isReserved else { return false }
    return (try? reservedValue(forKey: key)) != nil
  }

  /// A decoder of the keys in one scope of this object; it has no keys when the scope was never written.
  public borrowing func scope(_ name: String) -> ObjectDecoder {
    for slot in 0..<shape.slots.count {
      if let child = childScope(of: slot),
        storage.with({ $0.tables.keys[child].name.hasSameBytes(as: name) })
      {
        return ObjectDecoder(self, scope: Int32(child), named: name)
      }
    }
    return ObjectDecoder(self, scope: ScopeNumber.missing, named: name)
  }

  /// The scope directly inside this one that a slot belongs to; nil when the slot belongs to this scope or to
  /// another one.
  private func childScope(of slot: Int) -> Int? {
    var entry = Int(shape.slots[slot].scope)
    return storage.with { storage in
      while entry != KeyEntry.topScope {
        let outer = storage.tables.keys[entry].scope
        if outer == Int(scope) { return entry }
        entry = outer
      }
      return nil
    }
  }
}

// Access to the slots of a record, for the types of this module.

extension ObjectDecoder {
  /// The nested record of a slot that holds one, borrowed for as long as this decoder is.
  @inlinable
  @inline(__always)
  package func lentRecord(_ slot: ArchiveSlot) throws(ArchiveError) -> ObjectDecoder {
    ObjectDecoder(
      try fields.openedRecord(slot), objectID: objectID, depth: depth &+ 1, view: view,
      storage: storage, graph: graph)
  }

  @inlinable
  @inline(__always)
  func value(of slot: ArchiveSlot) -> ValueDecoder {
    ValueDecoder(fields.value(of: slot), graph: graph, objectID: objectID)
  }

  package func value(ofSlot index: Int) -> ValueDecoder {
    value(of: ArchiveSlot(shape.slots.reference(index)))
  }

  package var typeNumber: Int { Int(shape.type) }

  /// The value under an ordinary key, as a view that the caller may keep.
  package func storedValue(forKey name: String) -> ValueView? { fields.value(forKey: name) }

  @inline(never)
  @usableFromInline
  func reservedValue(forKey key: ArchiveKey) throws(ArchiveError) -> ValueDecoder {
    if key.isReserved {
      let storage = storage.object
      let number = ReservedValues.keys.firstIndex(of: key).map { $0 + 1 }
      if let row = storage.index.values.first(where: { Int($0.number) == number }) {
        return archiveValue(row, in: storage.values)
      }
    }
    throw otherSpellingError(key)
      ?? ArchiveError(.absentKey, "there is no value under the key \"\(key)\"", offset: start)
  }
}

// Names are compared by their bytes (Spec/archive.md, 1). A name that has the same text as a stored one, in another
// Unicode form, is most likely a mistake. The error of such a miss says so (6.4).

extension ObjectDecoder {
  /// Throws when a key that was not found is stored in another Unicode form.
  @inline(never)
  @usableFromInline
  package func checkSpelling(of key: ArchiveKey) throws(ArchiveError) {
    if let error = otherSpellingError(key) { throw located(error, key) }
  }

  /// The error of a key that was not found, if it is stored in another Unicode form.
  func otherSpellingError(_ key: ArchiveKey) -> ArchiveError? {
    if key.isReserved { return nil }
    let names: (asked: String, stored: String)
    if scope == ScopeNumber.missing {
      guard let scopes = otherSpellingOfScopes() else { return nil }
      names = scopes
    } else if let stored = fields.otherSpelling(of: key.name) {
      names = (key.name, stored)
    } else {
      return nil
    }
    return .otherSpelling(
      of: names.asked, stored: names.stored, isScope: scope == ScopeNumber.missing, offset: start)
  }

  /// The path of this missing scope and the stored path with the same text, if one is stored in another Unicode form.
  private func otherSpellingOfScopes() -> (asked: String, stored: String)? {
    let asked = path
    if asked.allSatisfy({ $0.isASCII }) { return nil }
    for index in 0..<shape.slots.count where !fields.isAbsent(shape.slots[index]) {
      let names = storage.with { $0.tables.scopeNames(shape.slots[index].scope) }
      if names.count >= asked.count, Array(names.prefix(asked.count)) == asked {
        let stored = names.prefix(asked.count).joined(separator: ".")
        return (asked.joined(separator: "."), stored)
      }
    }
    return nil
  }
}

extension ObjectDecoder {
  /// Reads a reference to an object.
  ///
  /// Works in `decode(from:)` of an object that ``Archive/decodeRoot(_:registry:)`` reads. The
  /// object may still be a shell: keep it, and use it when the graph is complete.
  ///
  /// - Returns: The object, or nil when the stored reference is empty.
  /// - Throws: ``ArchiveError`` when the key is absent, no reference is stored, or the object is of
  ///   another type or one that is not registered.
  @inlinable
  public func decodeReference<T: ArchiveObject>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    guard let id = try decode(ArchiveReference.self, forKey: key).objectID, !isAbandoned else {
      return nil
    }
    return try object(id, type, key)
  }

  /// True when reading the graph failed: every reference is then read as nil, so that the objects release each other.
  @usableFromInline
  var isAbandoned: Bool { graph.map { graph in graph.with { $0.isAbandoned } } ?? false }

  /// Reads references to objects, in their order.
  ///
  /// - Throws: ``ArchiveError`` as ``decodeReference(_:forKey:)`` does, and when one of the references is empty.
  @inlinable
  public func decodeReferences<T: ArchiveObject>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> [T] {
    let references = try objectReferences(forKey: key)
    var objects: [T] = []
    objects.reserveCapacity(references.count)
    for reference in references {
      if let id = reference.objectID { objects.append(try object(id, type, key)) }
    }
    return objects
  }

  /// Reads a reference into a property of an object that is being made or filled.
  ///
  /// It lets a class that reads everything in its initialiser refer to other objects, also in cycles. The property is
  /// assigned when its object exists; an empty reference leaves it as it is. Such a class needs no `decode(from:)`.
  ///
  /// ```swift
  /// init(from coder: borrowing ObjectDecoder) throws {
  ///   name = try coder.decode(forKey: "name")
  ///   try coder.decodeReference(
  ///     forKey: "partner", into: self, \.partner)
  /// }
  /// ```
  ///
  /// - Throws: ``ArchiveError`` when the key is absent or no reference is stored. When the
  ///   object has another type, the reading of the whole graph fails.
  public func decodeReference<Owner: AnyObject, T: ArchiveObject>(
    forKey key: ArchiveKey, into owner: Owner, _ property: ReferenceWritableKeyPath<Owner, T?>
  ) throws(ArchiveError) {
    guard let id = try decode(ArchiveReference.self, forKey: key).objectID else { return }
    guard let graph = graph?.object else { throw located(ObjectDecoder.outsideGraph, key) }
    let place = located(ArchiveError(.typeNotAllowed, ""), key)
    if graph.isAbandoned { return owner[keyPath: property] = nil }
    graph.assignLater(id) { object throws(ArchiveError) in
      guard let object else { return owner[keyPath: property] = nil }
      do throws(ArchiveError) {
        owner[keyPath: property] = try GraphDecoding.require(T.self, object, id)
      } catch {
        var error = error
        error.keyPath = place.keyPath
        error.objectID = place.objectID
        throw error
      }
    }
  }

  private static var outsideGraph: ArchiveError {
    ArchiveError(.outsideGraph, "an object was decoded by a coder that serves no object graph")
  }

  /// The references in an array; throws when one of them is empty.
  @usableFromInline
  func objectReferences(
    forKey key: ArchiveKey
  ) throws(ArchiveError) -> [ArchiveReference] {
    if isAbandoned { return [] }
    let references = try decode([ArchiveReference].self, forKey: key)
    for reference in references where reference.objectID == nil {
      throw located(
        ArchiveError(.nullValue, "one of the references refers to no object"), key)
    }
    return references
  }

  @inlinable
  func object<T: ArchiveObject>(
    _ id: ArchiveObjectID, _ type: T.Type, _ key: ArchiveKey
  ) throws(ArchiveError) -> T {
    let object = try anyObject(id, key)
    if let typed = object as? T { return typed }
    throw wrongType(type, object, id, key)
  }

  /// The object of an id; a new shell if the object does not exist yet.
  @usableFromInline
  func anyObject(
    _ id: ArchiveObjectID, _ key: ArchiveKey
  ) throws(ArchiveError) -> any ArchiveObject {
    do {
      guard let graph else { throw ObjectDecoder.outsideGraph }
      return try graph.with { graph in
        guard !graph.isMakingShell else {
          throw ArchiveError(
            .outsideGraph, "an object was asked for while another one was being created")
        }
        return try graph.object(id)
      }
    } catch let error as ArchiveError {
      throw ofOtherObject(error, key)
    } catch {
      throw located(
        ArchiveError(.invalidValue, "object \(id) could not be created: \(error)"), key)
    }
  }

  @usableFromInline
  func wrongType<T: ArchiveObject>(
    _ type: T.Type, _ object: any ArchiveObject, _ id: ArchiveObjectID, _ key: ArchiveKey
  ) -> ArchiveError {
    ofOtherObject(GraphDecoding.wrongType(type, object, id), key)
  }

  /// Adds the key to an error; an error inside another object keeps the id and the key path of that object.
  private func ofOtherObject(_ error: ArchiveError, _ key: ArchiveKey) -> ArchiveError {
    guard error.objectID != nil else { return located(error, key) }
    var error = error
    error.isOfOtherObject = true
    return error
  }
}
