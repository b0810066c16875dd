/// The coder that one object writes its values through.
///
/// Each object has its own, so equal keys of two objects do not collide. Errors are kept and thrown when the object's
/// record is complete, so that `encode(to:)` needs no `try`: a key written twice, a reserved key, a value nested too
/// deep or too large.
///
/// ```swift
/// coder.encode(name, forKey: "name")
/// coder.encode(scrollOffset, forKey: "scrollOffset")
/// ```
public struct ObjectEncoder: ~Copyable {
  // Functions that are called for each value or record are mutating or inlined, even if they only read: the compiler
  // copies the thousand bytes of the encoder to borrow it for a call.

  var objectID = ArchiveObjectID(0)

  @usableFromInline let limits: ArchiveLimits
  @usableFromInline var plan = EncodingPlan()
  /// The archive, or the part of it that was not handed out yet.
  @usableFromInline var bytes = ByteBuffer(capacity: 0)
  @usableFromInline var frame = RecordFrame()
  @usableFromInline var elements = ElementsFrame()
  /// The ends of the payloads of the open records, those of the innermost last.
  @usableFromInline var ends = RawTable<UInt32>(capacity: 0)
  /// The order of the members of the open dictionaries and sets, the innermost last.
  @usableFromInline var order = RawTable<OrderedMember>(capacity: 0)
  /// The members that are being sorted, as they were written.
  var stagedMembers = RawTable<StagedEntry>(capacity: 0)
  var numberArrays = NumberArrays()
  /// The records around the open one up to the next array or the object, the innermost last.
  @usableFromInline var outerFrames = RawTable<RecordFrame>(capacity: 0)
  var shapes = ShapeBook()
  /// The cache that the plan and the shapes came from, and go back to when the archive is complete.
  var cache: EncodingCache?
  /// True when shapes are not numbered by their first use, so that the archive has to be written again.
  var hasShapesOutOfOrder = false
  var failure: ArchiveError?
  /// True when there is a failure: reading the error itself for each element would copy it.
  @usableFromInline var hasFailed = false
  @usableFromInline var highestReference: UInt32 = 0
  var highestConditional: UInt32 = 0
  var graph: GraphEncoding?

  /// An encoder without a cache, which writes nothing before it is prepared.
  init(limits: ArchiveLimits) {
    self.limits = limits
  }

  /// Stores a value under a key.
  ///
  /// An optional that is nil is stored as nil; leave the key out to store nothing.
  @inlinable
  @inline(__always)
  public mutating func encode<T: ArchiveValue>(_ value: T, forKey key: ArchiveKey) {
    if key.isReserved { failReserved(key) }
    value.encode(to: &self, at: .key(key))
  }

  /// Stores a value under a key unless it is nil.
  ///
  /// For values that only some objects have: a reader finds the key of a nil, also of a nested one, absent, as if it
  /// had not been written. A key that is omitted by hand makes another shape of the object. This does not, so an
  /// archive of many optional values stays small and fast to read (Spec/archive.md, 5.3).
  @inlinable
  public mutating func encodeIfPresent<T: ArchiveValue>(_ value: T?, forKey key: ArchiveKey) {
    if key.isReserved { failReserved(key) }
    let place = ArchivePlace.key(key).omittingNil
    if let value {
      value.encode(to: &self, at: place)
    } else {
      encodeNil(tag: T.archiveTag, at: place)
    }
  }

  /// Opens a scope with a stable name for a group of keys, such as those of a superclass.
  ///
  /// Equal keys in different scopes do not collide. Scopes nest, and a scope that is opened again continues.
  ///
  /// ```swift
  /// override func encode(to coder: inout ObjectEncoder) {
  ///   coder.withScope("Base") { super.encode(to: &$0) }
  ///   coder.encode(title, forKey: "title")
  /// }
  /// ```
  ///
  /// - Throws: The error of `body`.
  public mutating func withScope(
    _ name: String, _ body: (inout ObjectEncoder) throws -> Void
  ) rethrows {
    guard let outer = enterScope(name) else { return }
    defer { leaveScope(to: outer) }
    try body(&self)
  }

  @inline(never)
  @usableFromInline
  package mutating func failReserved(_ key: ArchiveKey) {
    fail(
      .reservedKey, "the key \"\(key.name)\" is reserved and cannot be written here",
      under: key.description)
  }

  /// Keeps the first error; later ones are usually its consequences.
  package mutating func fail(
    _ code: ArchiveError.Code, _ message: String, under step: String? = nil
  ) {
    fail(ArchiveError(code, message), under: step)
  }

  @inline(never)
  package mutating func fail(_ error: ArchiveError, under step: String? = nil) {
    if hasFailed { return }
    hasFailed = true
    var error = error.inObject(objectID)
    if let step { error = error.under(step) }
    failure = error
  }
}

// References to objects of a graph (Spec/archive.md, 4.4).

extension ObjectEncoder {
  /// Stores a reference to an object, which is then written too; nil is stored as an empty reference.
  ///
  /// It works in the coders that ``Archive/encode(_:reserved:limits:)`` hands out.
  public mutating func encodeReference(_ object: (any ArchiveObject)?, forKey key: ArchiveKey) {
    encode(reference(to: object, for: key), forKey: key)
  }

  /// Stores references to objects in their order.
  public mutating func encodeReferences(_ objects: [any ArchiveObject], forKey key: ArchiveKey) {
    if key.isReserved { failReserved(key) }
    let place = ArchivePlace.key(key)
    guard enters(.array, at: place) else { return }
    if objects.isEmpty { return encodeNoElements(at: place) }
    let outer = beginElements(count: objects.count, at: place)
    for object in objects {
      encodeReference(reference(to: object, for: key).objectID, at: .element)
    }
    endElements(outer, at: place)
  }

  /// Stores a reference to an object that is stored only if another reference leads to it.
  ///
  /// Use it for the reference back to a parent or an owner: it is read as nil when no other reference led to the
  /// object.
  public mutating func encodeConditionalReference(
    _ object: (any ArchiveObject)?, forKey key: ArchiveKey
  ) {
    var number: UInt32 = 0
    if let object {
      if let known = graph?.conditionalNumber(of: object) {
        number = known
      } else {
        failOutsideGraph(key)
      }
    }
    encode(ArchiveConditionalReference(number), forKey: key)
  }

  private mutating func reference(
    to object: (any ArchiveObject)?, for key: ArchiveKey
  ) -> ArchiveReference {
    guard let object else { return ArchiveReference(nil) }
    guard let id = graph?.id(of: object) else {
      failOutsideGraph(key)
      return ArchiveReference(nil)
    }
    return ArchiveReference(id)
  }

  private mutating func failOutsideGraph(_ key: ArchiveKey) {
    fail(
      .outsideGraph, "an object was encoded by a coder that serves no object graph",
      under: key.description)
  }
}

// Scopes.

extension ObjectEncoder {
  /// Opens a scope, and returns the one to go back to; nil, with the error kept, when scopes would be nested too deep.
  package mutating func enterScope(_ name: String) -> Int32? {
    let outer = frame.scope
    let inner = plan.scope(named: name, in: outer)
    if plan.scopes.entries[Int(inner)].depth > limits.nestingDepth {
      fail(ArchiveError(nesting: "scopes", limits), under: name)
      return nil
    }
    frame.scope = inner
    return outer
  }

  @inlinable
  package mutating func leaveScope(to outer: Int32) {
    frame.scope = outer
  }

  @inlinable
  package var scope: Int32 {
    @inline(__always)
    get { frame.scope }
  }

  /// Opens scopes, the outermost first.
  package mutating func enter(scopes: [String]) {
    for name in scopes {
      guard enterScope(name) != nil else { return }
    }
  }
}

// The record of the object itself.

/// Where the record of an object begins, and the highest numbers that were referred to before it.
@usableFromInline
package struct OpenObject {
  let start: Int
  fileprivate let highestReference: UInt32
  fileprivate let highestConditional: UInt32
}

extension ObjectEncoder {
  /// Begins an object's record at the end of the bytes.
  @usableFromInline
  mutating func beginObject(
    _ id: ArchiveObjectID, typeName: String, schemaVersion: UInt32
  ) -> OpenObject {
    objectID = id
    if hasFailed { (failure, hasFailed) = (nil, false) }
    frame = RecordFrame()
    outerFrames.truncate(to: 0)
    order.truncate(to: 0)
    ends.truncate(to: 0)
    numberArrays.clear()
    let object = OpenObject(
      start: bytes.count, highestReference: highestReference,
      highestConditional: highestConditional)
    beginRecord(typeName: typeName, schemaVersion: schemaVersion)
    return object
  }

  /// Completes an object's record, and returns its last step in the plan; nothing remains of a record that is refused.
  ///
  /// The tables know what the object added until it is settled.
  mutating func endObject(_ object: OpenObject) throws(ArchiveError) -> Int {
    let step = closeRecord()
    frame = RecordFrame()
    let length = bytes.count &- object.start
    if hasFailed || length > min(limits.recordByteCount, Int(UInt32.max)) {
      try refuse(object, length: length)
    }
    return step
  }

  /// Takes back an object that has an error or is too long, and throws.
  @inline(never)
  private mutating func refuse(_ object: OpenObject, length: Int) throws(ArchiveError) {
    if length > min(limits.recordByteCount, Int(UInt32.max)) {
      failLimit("a record has \(length) bytes", .recordByteCount, limits.recordByteCount)
    }
    drop(object)
    if let failure { throw failure }
  }

  /// Does what is left to do for an object when its body is where it stays.
  @inline(__always)
  mutating func settleObject() {
    numberArrays.align(in: &bytes)
    shapes.settleObject()
  }

  /// Takes back what an object wrote, so that the same archive always gives the same bytes.
  mutating func drop(_ object: OpenObject) {
    bytes.truncate(to: object.start)
    frame = RecordFrame()
    elements = ElementsFrame()
    highestReference = object.highestReference
    highestConditional = object.highestConditional
    shapes.dropObject(&plan)
  }
}

// The cache, which one archive leaves to the next.

extension ObjectEncoder {
  mutating func takeCache() {
    bytes = ByteBuffer(capacity: 4096)
    let cache = EncodingCache.take(limits)
    exchange(with: &cache.content)
    elements.root = cache.root
    self.cache = cache
    // The archive is expected to have the entries of the previous one.
    shapes.tables.expecting = TableCounts()
  }

  /// Gives the cache back when the archive is complete; nothing can be written after it.
  mutating func giveCache() {
    shapes.endArchive(&plan)
    guard let cache else { return }
    self.cache = nil
    cache.root = elements.root
    exchange(with: &cache.content)
    cache.give()
  }

  private mutating func exchange(with content: inout EncodingCache.Content) {
    swap(&plan, &content.plan)
    swap(&ends, &content.ends)
    swap(&outerFrames, &content.outerFrames)
    swap(&shapes, &content.shapes)
  }
}
