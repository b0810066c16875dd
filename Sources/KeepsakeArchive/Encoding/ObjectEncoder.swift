/// The coder that one object writes its values through.
///
/// An object gets one for itself: its keys meet no other object's. Errors are kept and thrown when
/// the object's record is complete, so that `encode(with:)` needs no `try`: a key written twice,
/// a reserved key, a value nested too deep or too large.
///
/// ```swift
/// coder.encode(name, forKey: "name")
/// coder.encode(scrollOffset, forKey: "scrollOffset")
/// ```
public struct ObjectEncoder: ~Copyable {
  // What is called for a value or a record is mutating or inlined, though it only reads: to lend the encoder to a
  // call, the compiler copies its thousand bytes.

  /// The id of the object that is being written.
  public internal(set) var objectID = ArchiveObjectID(0)

  @usableFromInline let limits: ArchiveLimits
  @usableFromInline var plan = EncodingPlan()
  /// The archive from its beginning, or from what has not been handed out yet.
  @usableFromInline var bytes = ByteBuffer(capacity: 0)
  @usableFromInline var frame = RecordFrame()
  @usableFromInline var elements = ElementsFrame()
  /// Where the payloads end of the records that are open, those of the innermost last.
  @usableFromInline var ends = RawTable<UInt32>(capacity: 0)
  /// The order of the members of the dictionaries and sets that are open, the innermost last.
  @usableFromInline var order = RawTable<OrderedMember>(capacity: 0)
  /// The members that are being sorted, as they were written.
  var stagedMembers = RawTable<StagedEntry>(capacity: 0)
  var numberArrays = NumberArrays()
  /// The records around the open one up to the next array or the object, the innermost last.
  @usableFromInline var outerFrames = RawTable<RecordFrame>(capacity: 0)
  var tables = ArchiveTables()
  var keyNumbers = KeyNumbers()
  /// The tables before this object's record, once it added to them, and the nodes that got shapes.
  var tablesMark: TableCounts?
  var shapedSteps: [Int] = []
  /// The tables as the archive before had them, or this one.
  var writtenTables = WrittenTables()
  /// The shapes of this archive, and after them those that the archive before had next.
  var madeShapes = RawTable<MadeShape>(capacity: 0)
  /// How many of them are of this archive.
  var madeShapeCount = 0
  /// The cache that the plan and the tables came from.
  ///
  /// They go back there when the archive is complete.
  var cache: EncodingCache?
  /// Whether shapes are not numbered by their first use, so that the archive has to be written again.
  var hasShapesOutOfOrder = false
  var failure: ArchiveError?
  /// Whether there is a failure: to look at an error itself for each element would copy it.
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
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: A key that this scope of the object has not used yet.
  @inlinable
  @inline(__always)
  public mutating func encode<T: ArchiveValue>(_ value: T, forKey key: ArchiveKey) {
    if key.isReserved { failReserved(key) }
    value.encode(to: &self, at: .key(key))
  }

  /// Stores a value under a key unless it is nil.
  ///
  /// For values that are there in some objects only: what reads the key finds it absent, as if it had
  /// not been written. Unlike keys that are left out by hand, it does not make another shape of the
  /// objects that lack the value, so that an archive of many optional values stays small and is read as
  /// fast (Spec/archive.md, 5.3).
  ///
  /// - Parameters:
  ///   - value: The value; a nil, also one within, leaves the key absent.
  ///   - key: A key that this scope of the object has not used yet.
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

  /// Opens a scope of its own for a group of keys, such as those of a superclass.
  ///
  /// Equal keys in different scopes do not meet. Scopes nest, and a scope that is opened again
  /// continues.
  ///
  /// ```swift
  /// override func encode(with coder: inout ObjectEncoder) {
  ///   coder.withScope("Base") { super.encode(with: &$0) }
  ///   coder.encode(title, forKey: "title")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: A stable name, such as that of the class whose keys these are.
  ///   - body: Writes the values.
  /// - Throws: What `body` throws.
  public mutating func withScope(
    _ name: String, _ body: (inout ObjectEncoder) throws -> Void
  ) rethrows {
    guard let outer = enterScope(name) else { return }
    defer { leaveScope(to: outer) }
    try body(&self)
  }

  @inline(never)
  @usableFromInline
  mutating func failReserved(_ key: ArchiveKey) {
    fail(
      .reservedKey, "the key \"\(key.name)\" is reserved and cannot be written here",
      under: key.description)
  }

  /// Keeps the first error; the ones after it are mostly its consequences.
  mutating func fail(_ code: ArchiveError.Code, _ message: String, under step: String? = nil) {
    fail(ArchiveError(code, message), under: step)
  }

  @inline(never)
  mutating func fail(_ error: ArchiveError, under step: String? = nil) {
    if hasFailed { return }
    hasFailed = true
    var error = error.inObject(objectID)
    if let step { error = error.under(step) }
    failure = error
  }
}
