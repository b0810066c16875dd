/// One stored value that was found but has not been read yet; it is a plain value that can be copied.
///
/// ``ValueDecoder`` lends it to types that conform to ``ArchiveValue``. The decoders of `Codable` use it directly,
/// because they return decoders by value; they keep the ``Archive`` as well.
@usableFromInline
package struct ValueView {
  @usableFromInline package let tag: ArchiveTag
  @usableFromInline package let isNil: Bool
  /// The range of the slot or the payload in the archive, which was checked when the record or array was opened.
  @usableFromInline package let range: Range<Int>
  @usableFromInline package let view: ByteView
  @usableFromInline package let storage: BorrowedReference<ArchiveStorage>
  @usableFromInline package let depth: Int32
  /// The mask of a value that is a bit, in its byte; 0 for other values.
  @usableFromInline let bit: UInt8
  @usableFromInline package let content: StatedContent

  @inlinable
  @inline(__always)
  init(
    tag: ArchiveTag, isNil: Bool, range: Range<Int>, bit: UInt8 = 0, content: StatedContent = .none,
    view: ByteView, storage: BorrowedReference<ArchiveStorage>, depth: Int32
  ) {
    self.tag = tag
    self.isNil = isNil || tag == .null
    self.range = range
    self.view = view
    self.storage = storage
    self.depth = depth
    self.bit = bit
    self.content = content
  }

  /// A nil in the same archive, for an absent value.
  package var absent: ValueView {
    ValueView(tag: .null, isNil: true, range: 0..<0, view: view, storage: storage, depth: depth)
  }

  @inlinable var offset: Int { range.lowerBound }

  @usableFromInline package var shapes: RawSlice<ShapeRow> { storage.with { $0.shapes } }

  func require(_ expected: ArchiveTag, for what: String) throws(ArchiveError) {
    if tag != expected || isNil { throw mismatch(what) }
  }

  /// The error for a value that is not of the expected kind.
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

  package func checkDepth() throws(ArchiveError) {
    guard Int(depth) < storage.with({ $0.nestingDepth }) else {
      throw ArchiveError(nesting: "values", storage.with { $0.limits }, offset: offset)
    }
  }
}

// Values that contain others (Spec/archive.md, 5.4 to 5.7).

extension ValueView {
  /// The elements of a stored array, their extents checked.
  @usableFromInline
  package func storedElements() throws(ArchiveError) -> StoredElements {
    try require(.array, for: "an array")
    try checkDepth()
    if content.isStated { return StoredElements(row: range, of: content.numbers) }
    return try StoredElements(view, shapes, range)
  }

  /// The members of a stored set: an array in strictly increasing order.
  @usableFromInline
  package func storedMembers() throws(ArchiveError) -> StoredElements {
    try require(.set, for: "a set")
    try checkDepth()
    return try SortedElements(view, shapes).members(range)
  }

  /// The keys and the values of a stored dictionary: two arrays, one after the other.
  @usableFromInline
  package func storedEntries() throws(ArchiveError) -> (
    keys: StoredElements, values: StoredElements
  ) {
    try require(.dictionary, for: "a dictionary")
    try checkDepth()
    return try SortedElements(view, shapes).entries(range)
  }

  @inline(__always)
  package func element(_ index: Int, of elements: StoredElements) -> ValueView {
    let tag = elements.tag(of: index, view)
    return ValueView(
      tag: tag, isNil: elements.isNil(index, view), range: elements.range(of: index, view),
      bit: elements.bit(of: index, tag), content: elements.content, view: view, storage: storage,
      depth: depth + 1)
  }

  @inline(__always)
  package func openedRecord(tag expected: ArchiveTag) throws(ArchiveError) -> OpenedRecord {
    try require(expected, for: expected == .record ? "a record" : "an enumeration")
    return try storage.with { storage throws(ArchiveError) in
      try OpenedRecord(storage, record: range, content, tag: expected, depth: depth)
    }
  }
}

// Methods by which `Codable` reads values.

extension ValueView {
  /// The bits of a value of fixed width; nil for a nil, a reference and any other value.
  package var scalar: StoredScalar? {
    isNil || !tag.isScalar ? nil : StoredScalar(tag, in: view, at: range.lowerBound, bit: bit)
  }

  package func read<Value: ArchiveValue>(
    _ type: Value.Type = Value.self
  ) throws(ArchiveError) -> Value {
    try Value(from: ValueDecoder(self))
  }

  /// The string; nil when another kind of value is stored, or a string that is not well-formed.
  package var text: String? { isNil || tag != .string ? nil : view.string(range) }

  package func string() throws(ArchiveError) -> String { try read() }

  package func record() throws(ArchiveError) -> RecordView {
    let record = try openedRecord(tag: .record)
    try record.checkValueCount(storage.with { $0.index.limits.valueCount })
    return RecordView(record, view: view, storage: storage, depth: depth + 1)
  }

  package func elements() throws(ArchiveError) -> ArrayView {
    ArrayView(try storedElements(), of: self)
  }

  package func members() throws(ArchiveError) -> ArrayView {
    ArrayView(try storedMembers(), of: self)
  }

  /// Opens a dictionary: its keys and its values, as many of each.
  package func entries() throws(ArchiveError) -> (keys: ArrayView, values: ArrayView) {
    let entries = try storedEntries()
    return (ArrayView(entries.keys, of: self), ArrayView(entries.values, of: self))
  }
}

/// A stored array that was opened; it is a plain value that can be copied, like a ``ValueView``.
@usableFromInline
package struct ArrayView {
  let elements: StoredElements
  let value: ValueView

  init(_ elements: StoredElements, of value: ValueView) {
    self.elements = elements
    self.value = value
  }

  package var count: Int { elements.count }

  /// A nil in the same archive, for an absent value.
  package var absent: ValueView { value.absent }

  /// The number of elements to reserve memory for at first.
  ///
  /// It is bounded, because a forged archive may claim many elements, and elements may be much larger in memory than
  /// in the archive.
  package func initialCapacity<Element>(of type: Element.Type) -> Int {
    min(count, 1 << 20 / max(1, MemoryLayout<Element>.stride))
  }

  /// One element; the index has to be smaller than the count.
  package subscript(index: Int) -> ValueView { value.element(index, of: elements) }
}

extension ArrayView {
  /// The bits of an element of up to 64 bits, at an index below the count; nil for one of another tag.
  package func bits(_ tag: ArchiveTag, at index: Int) -> UInt64? {
    elements.tag == tag ? scalar(at: index)?.low : nil
  }

  /// The bits of an element of fixed width, at an index below the count; nil for a nil, a reference and any other.
  @inline(__always)
  package func scalar(at index: Int) -> StoredScalar? {
    let tag = elements.tag
    guard tag.isScalar, !isNil(at: index) else { return nil }
    let offset = elements.range(of: index, value.view).lowerBound
    return StoredScalar(tag, in: value.view, at: offset, bit: elements.bit(of: index, tag))
  }

  /// Whether the element at an index, which has to be smaller than the count, is nil.
  package func isNil(at index: Int) -> Bool {
    if elements.tag == .any { return elements.tag(of: index, value.view) == .null }
    return elements.isNil(index, value.view)
  }

  /// The string at an index; nil for an element of another tag, or one that is not well-formed.
  package func text(at index: Int) -> String? {
    guard elements.tag == .string, !isNil(at: index) else { return nil }
    return value.view.string(elements.range(of: index, value.view))
  }

  /// All elements; nil unless they are numbers with this tag and are stored as they are in memory.
  @inlinable
  package func scalars<Scalar: BitwiseCopyable>(
    _ type: Scalar.Type, _ tag: ArchiveTag
  ) -> [Scalar]? {
    guard let (view, range) = numbers(tag) else { return isEmpty ? [] : nil }
    return view.scalars(type, range)
  }

  @usableFromInline
  func numbers(_ tag: ArchiveTag) -> (view: ByteView, range: Range<Int>)? {
    guard elements.tag == tag, elements.nilBits == 0, tag.byteCount == elements.stride
    else { return nil }
    return (value.view, elements.slotRange)
  }

  @usableFromInline var isEmpty: Bool { elements.count == 0 }

  // Not generic, since another module would call it without knowing the type.
  /// All elements as integers; nil when one is nil, is not an integer or does not fit.
  package func integers() -> [Int]? { elements.integers(Int.self, in: value.view) }

  /// All elements as unsigned integers; nil when one is nil, is not an integer or does not fit.
  package func unsignedIntegers() -> [UInt]? { elements.integers(UInt.self, in: value.view) }

  /// All elements as strings; nil when one is not a well-formed string.
  package func texts() -> [String]? {
    var texts: [String] = []
    texts.reserveCapacity(elements.initialCapacity)
    for index in 0..<count {
      guard let text = text(at: index) else { return nil }
      texts.append(text)
    }
    return texts
  }
}

extension StoredElements {
  /// The elements as integers; nil unless all have one integer tag of up to 64 bits, and fit.
  func integers<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type, in view: ByteView
  ) -> [Integer]? {
    if count == 0 { return [] }
    guard nilBits == 0, stride == tag.byteCount else { return nil }
    let range = slotRange
    return switch tag {
    case .int8: view.integers(Int8.self, range)
    case .int16: view.integers(Int16.self, range)
    case .int32: view.integers(Int32.self, range)
    case .int64: view.integers(Int64.self, range)
    case .uint8: view.integers(UInt8.self, range)
    case .uint16: view.integers(UInt16.self, range)
    case .uint32: view.integers(UInt32.self, range)
    case .uint64: view.integers(UInt64.self, range)
    default: nil
    }
  }
}
