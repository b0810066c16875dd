// A decoder refers to the storage that it reads from. A decoder that is kept keeps the storage alive itself; a
// borrowed one is used while its owner keeps it.

extension ObjectDecoder {
  /// A decoder of an object that can be kept.
  package init(_ record: OpenedRecord, _ id: ArchiveObjectID, keeping part: ArchiveStorage) {
    self.init(
      record, objectID: id, depth: 1, view: part.view, storage: unsafe BorrowedReference(part),
      graph: nil, owner: part)
  }

  /// A decoder of an archive value, whose storage is kept by that of this decoder.
  func archiveValue(_ row: ArchiveValueRow, in values: ArchiveStorage) -> ValueDecoder {
    ValueDecoder(
      ValueView(
        tag: row.tag, isNil: false, range: row.range, view: values.view,
        storage: unsafe BorrowedReference(values), depth: depth),
      graph: graph, objectID: objectID)
  }

  /// Passes a decoder of an object, or of a record in one, to a closure, which cannot keep it.
  package static func lend<Result>(
    _ record: OpenedRecord, _ id: ArchiveObjectID, in part: ArchiveStorage,
    graph: GraphDecoding? = nil, depth: Int32 = 1, scope: Int32 = ScopeNumber.top,
    to body: (borrowing ObjectDecoder) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime((part, graph)) {
      try body(
        ObjectDecoder(
          record, objectID: id, depth: depth, view: part.view,
          storage: unsafe BorrowedReference(part),
          graph: graph.map { unsafe BorrowedReference($0) },
          scope: scope))
    }
  }
}

extension ValueDecoder {
  /// Lends a decoder of a value to a body, which cannot keep it.
  package static func lend<Result, Failure: Error>(
    tag: ArchiveTag, isNil: Bool, range: Range<Int>, bit: UInt8, content: StatedContent,
    objectID: ArchiveObjectID, depth: Int32, in part: ArchiveStorage,
    to body: (borrowing ValueDecoder) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withExtendedLifetime(part) { () throws(Failure) in
      try body(
        ValueDecoder(
          ValueView(
            tag: tag, isNil: isNil, range: range, bit: bit, content: content, view: part.view,
            storage: unsafe BorrowedReference(part), depth: depth),
          objectID: objectID))
    }
  }
}

extension ObjectFinder {
  /// Borrows the decoder of an object, for as long as the caller keeps the archive.
  ///
  /// The decoder does not keep the archive, which for a small object would cost as much as reading it. It must not be
  /// passed to code that can keep it.
  package mutating func lentObject(_ id: ArchiveObjectID) throws(ArchiveError) -> ObjectDecoder {
    try storage.requireObject(id)
    if let record = known?[Int(id.rawValue)] {
      return ObjectDecoder(
        record, objectID: id, depth: 1, view: storage.view,
        storage: unsafe BorrowedReference(storage), graph: nil, owner: nil)
    }
    let (part, record) = try openedObject(id.rawValue)
    known?[Int(id.rawValue)] = record
    return ObjectDecoder(
      record, objectID: id, depth: 1, view: part.view, storage: unsafe BorrowedReference(part),
      graph: nil, owner: part === storage ? nil : part)
  }
}

/// Bytes of an archive that are lent for a call, for types that copy bytes from any sequence.
package struct LentBytes: RandomAccessCollection {
  private let view: ByteView
  private let range: Range<Int>

  package var startIndex: Int { range.lowerBound }
  package var endIndex: Int { range.upperBound }

  package subscript(index: Int) -> UInt8 { view.load(UInt8.self, at: index) }

  fileprivate init(_ view: ByteView, _ range: Range<Int>) {
    self.view = view
    self.range = range
  }

  package func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result? {
    try unsafe body(view.buffer(range))
  }
}

extension ValueDecoder {
  /// Lends a run of bytes to a closure, which must not keep them.
  package func withLentBytes<Result>(
    _ body: (LentBytes) -> Result
  ) throws(ArchiveError) -> Result {
    try value.require(.bytes, for: "a run of bytes")
    return body(LentBytes(value.view, value.range))
  }

  /// Lends the UTF-8 bytes of a string to a closure, which must not keep them.
  package func withLentText(_ body: (Span<UInt8>) -> Void) throws(ArchiveError) {
    try value.require(.string, for: "a string")
    guard value.view.isUTF8(value.range) else { throw ArchiveError.badText(value.range) }
    body(unsafe Span(_unsafeElements: value.view.buffer(value.range)))
  }
}
