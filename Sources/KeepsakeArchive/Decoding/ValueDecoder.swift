/// One stored value, not yet read.
///
/// An ``ArchiveValue`` gets one and hands it on to a type that conforms.
public struct ValueDecoder: ~Copyable {
  /// How the value was written.
  @usableFromInline package let tag: ArchiveTag

  /// Whether a nil is stored.
  @usableFromInline package let isNil: Bool

  /// Where the slot or the payload lies in the archive.
  ///
  /// It lies in its record or array, as was checked when that was opened.
  @usableFromInline let range: Range<Int>
  @usableFromInline let view: ByteView
  @usableFromInline let storage: BorrowedReference<ArchiveStorage>
  @usableFromInline let graph: BorrowedReference<GraphDecoding>?
  @usableFromInline let objectID: ArchiveObjectID
  @usableFromInline let depth: Int32
  /// Which bit of its byte the value is, or 0 where it takes bytes of its own.
  @usableFromInline let bit: UInt8
  /// Of a record whose shape is stated elsewhere its number, of a row the tag of its numbers; else -1.
  @usableFromInline let content: Int32

  @inlinable
  init(
    tag: ArchiveTag, isNil: Bool, range: Range<Int>, bit: UInt8 = 0, content: Int32 = -1,
    view: ByteView,
    storage: BorrowedReference<ArchiveStorage>, graph: BorrowedReference<GraphDecoding>?,
    objectID: ArchiveObjectID, depth: Int32
  ) {
    self.tag = tag
    self.isNil = isNil || tag == .null
    self.range = range
    self.view = view
    self.storage = storage
    self.graph = graph
    self.objectID = objectID
    self.depth = depth
    self.bit = bit
    self.content = content
  }

  /// Where the value begins.
  @inlinable var offset: Int { range.lowerBound }

  /// Checks that a value of one tag is stored.
  func require(_ expected: ArchiveTag, for what: String) throws(ArchiveError) {
    if tag != expected || isNil { throw mismatch(what) }
  }

  /// The error of a value that is not what was asked for.
  @inline(never)
  @usableFromInline func mismatch(_ expected: String) -> ArchiveError {
    if isNil || tag == .null {
      return ArchiveError(
        .nullValue, "a nil is stored where \(expected) was asked for", offset: offset)
    }
    if tag.kind == nil {
      return ArchiveError(
        .unsupportedFeature,
        "a \(tag), which this library does not know, is stored where \(expected) was asked for",
        offset: offset)
    }
    return ArchiveError(
      .typeMismatch, "a value of type \(tag) is stored where \(expected) was asked for",
      offset: offset)
  }

  /// The payload as UTF-8.
  func text() throws(ArchiveError) -> String {
    let range = range
    guard let text = view.string(range) else { throw ArchiveError.badText(range) }
    return text
  }

  /// The keys of a nested record.
  ///
  /// For value types whose parts are known only when they are read; others conform to
  /// ``ArchiveRecord``.
  ///
  /// - Returns: A decoder of the record's own keys.
  /// - Throws: ``ArchiveError`` when what is stored is no record, or its bytes contradict the
  ///   format.
  package func record() throws(ArchiveError) -> ObjectDecoder {
    try nestedRecord(tag: .record, owned: true)
  }

  /// The keys of a nested record, borrowed for as long as this value is.
  @usableFromInline
  func lentRecord() throws(ArchiveError) -> ObjectDecoder {
    try nestedRecord(tag: .record, owned: false)
  }

  /// The values of a case of an enumeration, borrowed for as long as this value is.
  @usableFromInline
  func lentEnumeration() throws(ArchiveError) -> ObjectDecoder {
    try nestedRecord(tag: .enumeration, owned: false)
  }

  @inline(__always)
  func nestedRecord(
    tag expected: ArchiveTag, owned: Bool
  ) throws(ArchiveError) -> ObjectDecoder {
    try require(expected, for: expected == .record ? "a record" : "an enumeration")
    let record = try storage.with { storage throws(ArchiveError) in
      try OpenedRecord(storage, record: range, shape: content, tag: expected, depth: depth)
    }
    let owner =
      owned ? DecoderOwner(storage: storage.object, graph: graph?.object) : nil
    return ObjectDecoder(
      record, objectID: objectID, depth: depth + 1, view: view, storage: storage, graph: graph,
      owner: owner)
  }

  @usableFromInline var shapes: RawSlice<ShapeRow> { storage.with { $0.shapes } }

  func checkDepth() throws(ArchiveError) {
    guard Int(depth) < storage.with({ $0.nestingDepth }) else {
      throw ArchiveError.nestedTooDeep(storage.with { $0.limits }, offset: offset)
    }
  }
}

extension ArchiveError {
  @inline(never)
  static func badText(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .invalidUTF8, "a string is not well-formed UTF-8", offset: range.lowerBound)
  }

  @inline(never)
  static func nestedTooDeep(_ limits: ArchiveLimits, offset: Int) -> ArchiveError {
    ArchiveError(nesting: "values", limits, offset: offset)
  }
}

// Arrays, sets and dictionaries (Spec/archive.md, 5.5 to 5.7).

extension ValueDecoder {
  /// The elements of a stored array, their extents checked.
  @usableFromInline
  func elements() throws(ArchiveError) -> StoredElements {
    try require(.array, for: "an array")
    try checkDepth()
    if content >= 0 {
      return StoredElements(
        row: range, of: ArchiveTag(rawValue: UInt8(truncatingIfNeeded: content)))
    }
    return try StoredElements(view, shapes, range)
  }

  /// The members of a stored set: an array in strictly increasing order.
  @usableFromInline
  func members() throws(ArchiveError) -> StoredElements {
    try require(.set, for: "a set")
    try checkDepth()
    return try SortedElements(view, shapes).members(range)
  }

  /// The keys and the values of a stored dictionary: two arrays, one after the other.
  @usableFromInline
  func dictionaryEntries() throws(ArchiveError) -> (keys: StoredElements, values: StoredElements) {
    try require(.dictionary, for: "a dictionary")
    try checkDepth()
    return try SortedElements(view, shapes).entries(range)
  }

  /// One element of an array.
  @usableFromInline
  func element(_ index: Int, of elements: StoredElements) -> ValueDecoder {
    let tag = elements.tag(of: index, view)
    return ValueDecoder(
      tag: tag, isNil: elements.isNil(index, view), range: elements.range(of: index, view),
      bit: elements.bit(of: index, tag), content: elements.content, view: view, storage: storage,
      graph: graph, objectID: objectID, depth: depth + 1)
  }
}

extension ValueDecoder {
  /// A decoder for the records of an array of one shape, one after the other; nil for any other array, and for
  /// records that are nested too deep.
  @inline(never)
  @usableFromInline
  func lentElements(_ elements: StoredElements) -> ObjectDecoder? {
    let depth = depth + 1
    guard elements.tag == .record, elements.content >= 0,
      Int(depth) < storage.with({ $0.nestingDepth })
    else { return nil }
    return ObjectDecoder(
      OpenedRecord(
        cell: shapes.reference(Int(elements.content)), at: elements.slots, byteCount: 0),
      objectID: objectID, depth: depth + 1, view: view, storage: storage, graph: graph)
  }

  /// Reads the elements of an array one after the other; an error names the element.
  @inlinable
  @inline(__always)
  func values<Value>(
    of elements: StoredElements,
    _ read: (borrowing ValueDecoder) throws(ArchiveError) -> Value
  ) throws(ArchiveError) -> [Value] {
    try elements.map { index throws(ArchiveError) in
      try read(element(index, of: elements))
    }
  }
}
