/// One row of a table that no longer changes, without a copy of it.
///
/// It does not keep the table alive: ``ArchiveStorage`` does.
@safe
@usableFromInline
struct RawReference<Row: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafePointer<Row>

  @inlinable
  init(_ pointer: UnsafePointer<Row>) {
    unsafe self.pointer = pointer
  }

  @inlinable var row: Row { unsafe pointer.pointee }
}

/// A counted reference to an object, or to none, of which nobody makes a copy.
///
/// To let go of none takes one comparison in place, where a property of the language takes a call:
/// decoders that are borrowed for each object have none.
@safe
@usableFromInline
struct OwnedReference: ~Copyable {
  @usableFromInline let pointer: UnsafeRawPointer?

  @inlinable
  init(_ object: AnyObject?) {
    guard let object else {
      unsafe pointer = nil
      return
    }
    unsafe pointer = UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
  }

  @inlinable
  deinit {
    if let pointer = unsafe pointer { unsafe OwnedReference.release(pointer) }
  }

  @usableFromInline
  static func release(_ pointer: UnsafeRawPointer) {
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  /// The object.
  var object: AnyObject? {
    unsafe pointer.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }
}

/// A reference to an object that somebody else keeps alive.
///
/// Decoders that are borrowed for the length of a call refer by it to what they share; the one who
/// lends holds it. Decoders that are given away hold a counted reference beside this one.
@safe
@usableFromInline
struct BorrowedReference<Object: AnyObject>: BitwiseCopyable {
  @usableFromInline let reference: Unmanaged<Object>

  /// Refers to an object that the caller keeps alive for as long as anything uses the reference.
  @unsafe
  init(_ object: Object) {
    unsafe reference = Unmanaged.passUnretained(object)
  }

  /// The object, counted from now on.
  var object: Object {
    unsafe reference.takeUnretainedValue()
  }

  /// Looks into the object without counting the reference.
  @inlinable
  @inline(__always)
  func with<Result: ~Copyable, Failure: Error>(
    _ body: (Object) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(reference._withUnsafeGuaranteedRef { $0 })
  }
}

// Decoders, each of which refers to what it reads. One that is kept keeps that alive itself; one
// that is borrowed is used while its owner does.

extension ObjectDecoder {
  /// A decoder of an object that may be kept for as long as it is wanted.
  init(_ record: OpenedRecord, _ id: ArchiveObjectID, keeping part: ArchiveStorage) {
    self.init(
      record, objectID: id, depth: 1, view: part.view, storage: unsafe BorrowedReference(part),
      graph: nil, owner: part)
  }

  /// An archive value, which lies in a storage that this decoder's own keeps.
  func archiveValue(_ row: ArchiveValueRow, in values: ArchiveStorage) -> ValueDecoder {
    ValueDecoder(
      tag: row.tag, isNil: false, range: row.range, view: values.view,
      storage: unsafe BorrowedReference(values), graph: graph, objectID: objectID, depth: depth)
  }

  /// Passes a decoder of an object to a closure, which cannot keep it.
  static func lend<Result>(
    _ record: OpenedRecord, _ id: ArchiveObjectID, in part: ArchiveStorage,
    graph: GraphDecoding? = nil, to body: (borrowing ObjectDecoder) throws -> Result
  ) rethrows -> Result {
    try withExtendedLifetime((part, graph)) {
      try body(
        ObjectDecoder(
          record, objectID: id, depth: 1, view: part.view, storage: unsafe BorrowedReference(part),
          graph: graph.map { unsafe BorrowedReference($0) }))
    }
  }
}

extension ValueDecoder {
  /// Lends a decoder of a value to a body, which cannot keep it.
  static func lend<Result>(
    _ place: ValuePlace, in part: ArchiveStorage,
    to body: (borrowing ValueDecoder) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try withExtendedLifetime(part) { () throws(ArchiveError) in
      try body(
        ValueDecoder(
          tag: place.tag, isNil: place.isNil, range: place.range, bit: place.bit,
          content: place.content, view: part.view, storage: unsafe BorrowedReference(part),
          graph: nil, objectID: place.objectID, depth: place.depth))
    }
  }
}
