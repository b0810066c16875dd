/// The coder that one object writes its values through.
///
/// Each object has its own, so equal keys of two objects do not collide. Errors are kept and thrown when the object's
/// record is complete, so that `encode(with:)` needs no `try`: a key written twice, a reserved key, a value nested too
/// deep or too large.
///
/// ```swift
/// coder.encode(name, forKey: "name")
/// coder.encode(scrollOffset, forKey: "scrollOffset")
/// ```
public struct ObjectEncoder: ~Copyable {
  // Functions that are called for each value or record are mutating or inlined, even if they only read: the compiler
  // copies the thousand bytes of the encoder to borrow it for a call.

  /// The id of the object that is being written.
  public internal(set) var objectID = ArchiveObjectID(0)

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
  /// The cache that the plan and the shapes came from.
  ///
  /// They go back there when the archive is complete.
  var cache: EncodingCache?
  /// True when shapes are not numbered by their first use, so that the archive has to be written again.
  var hasShapesOutOfOrder = false
  var failure: ArchiveError?
  /// True when there is a failure: to look at an error itself for each element would copy it.
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
  /// For values that only some objects have: a reader finds the key absent, as if it had not been written. A key that is
  /// omitted by hand makes another shape of the object. This does not, so an archive of many optional values stays small
  /// and fast to read (Spec/archive.md, 5.3).
  ///
  /// - Parameters:
  ///   - value: The value. A nil, also a nested one, leaves the key absent.
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
  /// Equal keys in different scopes do not collide. Scopes nest, and a scope that is opened again continues.
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

  /// Keeps the first error.
  ///
  /// Later errors are mostly its consequences.
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
