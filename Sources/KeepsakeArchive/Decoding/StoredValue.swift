/// One stored value that can be kept: for decoders whose interface hands decoders out by value.
///
/// It is plain bytes: whoever keeps one keeps the ``Archive`` too.
package struct StoredValue {
  let storage: BorrowedReference<ArchiveStorage>
  package let tag: ArchiveTag
  package let isNil: Bool
  private let range: Range<Int>
  private let depth: Int32

  init(_ value: borrowing ValueDecoder) {
    storage = value.storage
    tag = value.tag
    isNil = value.isNil
    range = value.range
    depth = value.depth
  }

  /// A nil in the same archive, for where nothing is stored.
  package var absent: StoredValue { StoredValue(storage, depth: depth) }

  private init(_ storage: BorrowedReference<ArchiveStorage>, depth: Int32) {
    self.storage = storage
    tag = .null
    isNil = true
    range = 0..<0
    self.depth = depth
  }

  /// The value as the keyed coders see it, for as long as this one is there.
  func lend<Result, Failure: Error>(
    _ body: (borrowing ValueDecoder) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(
      ValueDecoder(
        tag: tag, isNil: isNil, range: range, view: storage.with { $0.view }, storage: storage,
        graph: nil,
        objectID: ArchiveObjectID(1), depth: depth))
  }

  /// The bits of a value of fixed width, nil for a nil and for any other value.
  package var scalar: StoredScalar? {
    isNil || !tag.isFixed ? nil : storage.with { $0.view.scalar(tag, at: range.lowerBound) }
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
    try lend { value throws(ArchiveError) in
      let record = try value.lentRecord()
      try storage.with { $0.limits }.checkValueCount(of: record.record)
      return StoredRecord(storage, record)
    }
  }

  /// Opens an array.
  package func elements() throws(ArchiveError) -> StoredArray {
    try lend { value throws(ArchiveError) in
      StoredArray(storage, try value.elements(), depth: value.depth)
    }
  }
}

/// A nested record that can be kept, as long as the ``Archive`` is.
package struct StoredRecord {
  let storage: BorrowedReference<ArchiveStorage>
  let record: OpenedRecord
  private let depth: Int32

  init(_ storage: BorrowedReference<ArchiveStorage>, _ record: borrowing ObjectDecoder) {
    self.storage = storage
    self.record = record.record
    depth = record.depth
  }

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
      record.slot(of: ArchiveKey(name)).map { StoredValue(record.value(of: $0)) }
    }
  }

  /// The names of those keys, sorted by their bytes.
  package var keyNames: [String] { lend { $0.keys.map(\.name) } }
}

/// An array that can be kept, as long as the ``Archive`` is.
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

  /// One element; the index has to be smaller than the count.
  package subscript(index: Int) -> StoredValue {
    let array = ValueDecoder(
      tag: .array, isNil: false, range: elements.start..<elements.end,
      view: storage.with { $0.view }, storage: storage, graph: nil,
      objectID: ArchiveObjectID(1), depth: depth)
    return StoredValue(array.element(index, of: elements))
  }
}

extension ObjectDecoder {
  /// The value under an ordinary key, to be kept.
  package func storedValue(forKey name: String) -> StoredValue? {
    slot(of: ArchiveKey(name)).map { StoredValue(value(of: $0)) }
  }
}
