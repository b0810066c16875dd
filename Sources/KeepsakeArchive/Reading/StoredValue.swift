/// One stored value that can be kept: for decoders whose interface hands decoders out by value.
///
/// It is plain bytes: whoever keeps one keeps the ``Archive`` too.
package struct StoredValue {
  let storage: BorrowedReference<ArchiveStorage>
  package let tag: ArchiveTag
  package let isNil: Bool
  private let range: Range<Int>
  private let bit: UInt8
  private let content: Int32
  private let depth: Int32

  init(_ value: borrowing ValueDecoder) {
    storage = value.storage
    tag = value.tag
    isNil = value.isNil
    range = value.range
    bit = value.bit
    content = value.content
    depth = value.depth
  }

  /// A nil, for where nothing is stored.
  fileprivate init(_ storage: BorrowedReference<ArchiveStorage>, depth: Int32) {
    self.storage = storage
    tag = .null
    isNil = true
    range = 0..<0
    bit = 0
    content = -1
    self.depth = depth
  }

  /// An element of an array.
  fileprivate init(_ array: StoredArray, _ index: Int, _ view: ByteView, depth: Int32) {
    let elements = array.elements
    storage = array.storage
    tag = elements.tag(of: index, view)
    isNil = tag == .null || elements.isNil(index, view)
    range = elements.range(of: index, view)
    bit = elements.bit(of: index, tag)
    content = elements.content
    self.depth = depth
  }

  /// The value as the keyed coders see it, for as long as this one is there.
  func lend<Result, Failure: Error>(
    _ body: (borrowing ValueDecoder) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(
      ValueDecoder(
        tag: tag, isNil: isNil, range: range, bit: bit, content: content,
        view: storage.with { $0.view },
        storage: storage, graph: nil,
        objectID: ArchiveObjectID(1), depth: depth))
  }

  /// The bits of a value of fixed width, nil for a nil and for any other value.
  package var scalar: StoredScalar? {
    isNil || !tag.isFixed
      ? nil : storage.with { $0.view.scalar(tag, at: range.lowerBound, bit: bit) }
  }

  /// Reads the value as a type of this module.
  package func read<Value: ArchiveValue>(
    _ type: Value.Type = Value.self
  ) throws(ArchiveError) -> Value {
    try lend { value throws(ArchiveError) in try Value(from: value) }
  }

  /// The string that is stored, or nil when another kind is, or one that is not well-formed.
  package var text: String? {
    if isNil || tag != .string { return nil }
    return lend { $0.view.string($0.range) }
  }

  /// Reads a string.
  package func string() throws(ArchiveError) -> String {
    try lend { value throws(ArchiveError) in try String(from: value) }
  }

  /// Opens a nested record.
  package func record() throws(ArchiveError) -> StoredRecord {
    guard tag == .record, !isNil else {
      throw lend { $0.mismatch("a record") }
    }
    return try storage.with { storage throws(ArchiveError) in
      let record = try OpenedRecord(
        storage, record: range, shape: content, tag: .record, depth: depth)
      try record.checkValueCount(storage.index.limits.valueCount)
      return StoredRecord(self.storage, record, depth: depth + 1)
    }
  }

  /// Opens an array.
  package func elements() throws(ArchiveError) -> StoredArray {
    try lend { value throws(ArchiveError) in
      StoredArray(storage, try value.elements(), depth: value.depth)
    }
  }
}

extension StoredValue {
  /// Opens a set: its members.
  package func members() throws(ArchiveError) -> StoredArray {
    try lend { value throws(ArchiveError) in
      StoredArray(storage, try value.members(), depth: value.depth)
    }
  }

  /// Opens a dictionary: its keys and its values, as many of each.
  package func entries() throws(ArchiveError) -> (keys: StoredArray, values: StoredArray) {
    try lend { value throws(ArchiveError) in
      let entries = try value.dictionaryEntries()
      return (
        StoredArray(storage, entries.keys, depth: value.depth),
        StoredArray(storage, entries.values, depth: value.depth)
      )
    }
  }
}

/// A nested record that can be kept, as long as the ``Archive`` is.
package struct StoredRecord {
  let storage: BorrowedReference<ArchiveStorage>
  let record: OpenedRecord
  private let depth: Int32

  fileprivate init(
    _ storage: BorrowedReference<ArchiveStorage>, _ record: OpenedRecord, depth: Int32
  ) {
    self.storage = storage
    self.record = record
    self.depth = depth
  }

  /// A nil in the same archive, for where nothing is stored.
  package var absent: StoredValue { StoredValue(storage, depth: depth) }

  @inline(__always)
  func lend<Result>(_ body: (borrowing ObjectDecoder) -> Result) -> Result {
    body(
      ObjectDecoder(
        record, objectID: ArchiveObjectID(1), depth: depth, view: storage.with { $0.view },
        storage: storage, graph: nil))
  }

  /// The value under an ordinary key that is declared at the top of the record.
  package func value(forKey name: String) -> StoredValue? {
    lend { record in
      record.presentSlot(of: ArchiveKey(name)).map { StoredValue(record.value(of: $0)) }
    }
  }

  /// Calls a body with the names of those keys, sorted by their bytes.
  package func forEachKeyName(_ body: (String) -> Void) { lend { $0.forEachKeyName(body) } }

  /// The number of those keys.
  package var keyCount: Int { lend { $0.keyCount } }
}

/// An array that can be kept, as long as the ``Archive`` is.
@usableFromInline
package struct StoredArray {
  let storage: BorrowedReference<ArchiveStorage>
  let elements: StoredElements
  private let depth: Int32

  init(
    _ storage: BorrowedReference<ArchiveStorage>, _ elements: StoredElements, depth: Int32
  ) {
    self.storage = storage
    self.elements = elements
    self.depth = depth
  }

  /// The number of elements.
  package var count: Int { elements.count }

  /// A nil in the same archive, for where nothing is stored.
  package var absent: StoredValue { StoredValue(storage, depth: depth) }

  /// For how many elements of a type to have room at first: the archive may be anybody's, and elements
  /// may be much larger in memory than in it.
  package func initialCapacity<Element>(of type: Element.Type) -> Int {
    min(count, 1 << 20 / max(1, MemoryLayout<Element>.stride))
  }

  /// One element; the index has to be smaller than the count.
  package subscript(index: Int) -> StoredValue {
    StoredValue(self, index, storage.with { $0.view }, depth: depth + 1)
  }
}

extension ObjectDecoder {
  /// The value under an ordinary key, to be kept.
  package func storedValue(forKey name: String) -> StoredValue? {
    presentSlot(of: ArchiveKey(name)).map { StoredValue(value(of: $0)) }
  }
}

// Single values of exactly the kind that is asked for, which most are: others are read as a
// ``StoredValue`` and converted.

extension StoredRecord {
  /// The bits of a value of up to 64 bits; nil when there is none under the key or one of another
  /// tag.
  package func bits(_ tag: ArchiveTag, forKey name: String) -> UInt64? {
    guard let row = slot(forKey: name)?.row, row.tag == tag, !isNil(row) else { return nil }
    return storage.with {
      $0.view.scalar(tag, at: record.start &+ Int(row.placement.offset), bit: row.placement.bit).low
    }
  }

  /// The string under a key; nil when there is none, or one that is not well-formed.
  package func text(forKey name: String) -> String? {
    guard let row = slot(forKey: name)?.row, row.tag == .string, !isNil(row) else { return nil }
    return storage.with { storage in
      let view = storage.view
      return view.string(record.payload(row.placement, view))
    }
  }

  /// Whether there is a value or a nil under a key.
  package func contains(_ name: String) -> Bool { presentSlot(forKey: name) != nil }

  /// Whether a nil is stored under a key; nil when there is nothing.
  package func isNil(forKey name: String) -> Bool? {
    presentSlot(forKey: name).map { $0.row.tag == .null || isNil($0.row) }
  }

  @inline(__always)
  private func presentSlot(forKey name: String) -> ArchiveSlot? {
    lend { $0.presentSlot(of: ArchiveKey(name)) }
  }

  @inline(__always)
  private func slot(forKey name: String) -> ArchiveSlot? {
    lend { $0.slot(of: ArchiveKey(name)) }
  }

  @inline(__always)
  private func isNil(_ row: SlotRow) -> Bool {
    storage.with { row.isNil($0.view, recordAt: record.start) }
  }
}

extension StoredArray {
  /// The bits of an element of up to 64 bits; nil for one of another tag.
  ///
  /// The index has to be smaller than the count.
  package func bits(_ tag: ArchiveTag, at index: Int) -> UInt64? {
    elements.tag == tag ? scalar(at: index)?.low : nil
  }

  /// The bits of an element of fixed width; nil for a nil and for any other element.
  ///
  /// The index has to be smaller than the count.
  @inline(__always)
  package func scalar(at index: Int) -> StoredScalar? {
    let tag = elements.tag
    guard tag.isFixed, !isNil(at: index) else { return nil }
    return storage.with {
      $0.view.scalar(
        tag, at: elements.range(of: index, $0.view).lowerBound, bit: elements.bit(of: index, tag))
    }
  }

  /// Whether an element is nil.
  ///
  /// The index has to be smaller than the count.
  package func isNil(at index: Int) -> Bool {
    if elements.tag == .any { return storage.with { elements.tag(of: index, $0.view) == .null } }
    return storage.with { elements.isNil(index, $0.view) }
  }

  /// The string at an index; nil for an element of another tag, or one that is not well-formed.
  package func text(at index: Int) -> String? {
    guard elements.tag == .string, !isNil(at: index) else { return nil }
    return storage.with { $0.view.string(elements.range(of: index, $0.view)) }
  }

  /// All elements, if they are such numbers as they lie in memory.
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
    return (storage.with { $0.view }, elements.slotRange)
  }

  @usableFromInline var isEmpty: Bool { elements.count == 0 }

  /// All elements, if they are integers without nils, and fit.
  package func integers<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type
  ) -> [Integer]? {
    storage.with { $0.view.integers(type, elements) }
  }

  /// All elements, if they are well-formed strings.
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

extension ByteView {
  /// The elements of an array as integers of 64 bits; nil unless all are of one kind and of up to 64 bits,
  /// and fit.
  func integers<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type, _ elements: StoredElements
  ) -> [Integer]? {
    guard elements.nilBits == 0, elements.stride == elements.tag.byteCount else {
      return elements.count == 0 ? [] : nil
    }
    let range = elements.slotRange
    return switch elements.tag {
    case .int8: integers(Int8.self, range)
    case .int16: integers(Int16.self, range)
    case .int32: integers(Int32.self, range)
    case .int64: integers(Int64.self, range)
    case .uint8: integers(UInt8.self, range)
    case .uint16: integers(UInt16.self, range)
    case .uint32: integers(UInt32.self, range)
    case .uint64: integers(UInt64.self, range)
    default: nil
    }
  }
}
