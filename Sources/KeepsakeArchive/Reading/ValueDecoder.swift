/// One stored value, not yet read.
///
/// An ``ArchiveValue`` gets one and hands it on to a type that conforms.
public struct ValueDecoder: ~Copyable {
  @usableFromInline package let value: ValueView
  @usableFromInline let graph: BorrowedReference<GraphDecoding>?
  @usableFromInline package let objectID: ArchiveObjectID

  @inlinable
  @inline(__always)
  package init(
    _ value: ValueView, graph: BorrowedReference<GraphDecoding>? = nil,
    objectID: ArchiveObjectID = ArchiveObjectID(1)
  ) {
    self.value = value
    self.graph = graph
    self.objectID = objectID
  }

  package func text() throws(ArchiveError) -> String {
    guard let text = value.view.string(value.range) else { throw ArchiveError.badText(value.range) }
    return text
  }

  /// The keys of a nested record, or of a case of an enumeration, borrowed for as long as this value is.
  @usableFromInline
  package func lentRecord(_ expected: ArchiveTag = .record) throws(ArchiveError) -> ObjectDecoder {
    ObjectDecoder(
      try value.openedRecord(tag: expected), objectID: objectID, depth: value.depth + 1,
      view: value.view, storage: value.storage, graph: graph)
  }
}

/// The objects that a decoder keeps alive, for a decoder that needs more than the storage.
final class DecoderOwner {
  private let storage: ArchiveStorage
  private let graph: GraphDecoding?
  /// The names of the scopes that lead to a requested scope that was never written.
  let missingScopes: [String]?

  init(storage: ArchiveStorage, graph: GraphDecoding?, missingScopes: [String]? = nil) {
    self.storage = storage
    self.graph = graph
    self.missingScopes = missingScopes
  }
}

extension ArchiveError {
  @inline(never)
  package static func badText(_ range: Range<Int>) -> ArchiveError {
    ArchiveError(
      .invalidUTF8, "a string is not well-formed UTF-8", offset: range.lowerBound)
  }
}

// Arrays, sets and dictionaries (Spec/archive.md, 5.5 to 5.7).

extension ValueDecoder {
  @usableFromInline
  package func element(_ index: Int, of elements: StoredElements) -> ValueDecoder {
    ValueDecoder(value.element(index, of: elements), graph: graph, objectID: objectID)
  }
}

extension ValueDecoder {
  /// A decoder for the records of an array of one shape, one after the other; nil for any other array, and for
  /// records that are nested too deep.
  @inline(never)
  @usableFromInline
  func lentElements(_ elements: StoredElements) -> ObjectDecoder? {
    guard elements.tag == .record, elements.content.isStated,
      Int(value.depth) + 1 < value.storage.with({ $0.nestingDepth })
    else { return nil }
    return ObjectDecoder(
      OpenedRecord(
        cell: value.shapes.reference(elements.content.shape), at: elements.slots, byteCount: 0),
      objectID: objectID, depth: value.depth + 2, view: value.view, storage: value.storage,
      graph: graph)
  }

  /// Reads the elements of an array one after the other; an error names the element.
  @inlinable
  @inline(__always)
  func values<Value: ArchiveValue>(of elements: StoredElements) throws(ArchiveError) -> [Value] {
    try elements.map { index throws(ArchiveError) in
      try Value(from: element(index, of: elements))
    }
  }
}

// How stored scalars become Swift values (Spec/archive.md, section 6).

extension ValueDecoder {
  /// The little-endian word in the slot.
  @inlinable
  func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type = Word.self) -> Word {
    value.view.load(Word.self, at: value.offset)
  }

  @usableFromInline package var scalar: StoredScalar {
    // References are narrower in arrays.
    value.tag.isReference
      ? StoredScalar(value.tag, low: UInt64(value.view.reference(value.range)))
      : StoredScalar(value.tag, in: value.view, at: value.offset, bit: value.bit)
  }

  /// An integer with any tag; inlinable, since code that is not specialised for the type takes ten times as long.
  @inlinable
  @inline(never)
  func convertedInteger<Integer: FixedWidthInteger>(
    _ type: Integer.Type = Integer.self
  ) throws(ArchiveError) -> Integer {
    let scalar = scalar
    guard !value.isNil, scalar.isInteger else { throw value.mismatch("an integer") }
    guard let integer = scalar.integer(as: type) else {
      throw ArchiveError(
        .valueOutOfRange, "a stored \(value.tag) does not fit the type \(Integer.self)",
        offset: value.offset)
    }
    return integer
  }

  /// A floating-point number in full precision, or an integer that a `Double` represents exactly.
  @usableFromInline
  func double() throws(ArchiveError) -> Double {
    if !value.isNil, let number = scalar.double { return number }
    return try wholeNumber()
  }

  /// An integer as a floating-point number, which has to be the same number (Spec/archive.md, 6.2).
  @inline(never)
  func wholeNumber<Number: BinaryFloatingPoint>(
    _ type: Number.Type = Number.self
  ) throws(ArchiveError) -> Number {
    let scalar = scalar
    guard !value.isNil, scalar.isInteger else { throw value.mismatch("a floating-point number") }
    guard let number = scalar.wholeNumber(as: type) else {
      throw ArchiveError(
        .valueOutOfRange, "a stored \(value.tag) is not exactly a \(type)", offset: value.offset)
    }
    return number
  }

  /// A number rounded to the nearest `Float`: a finite number must stay finite, and an integer must be exact.
  @usableFromInline
  func float() throws(ArchiveError) -> Float {
    guard !value.isNil, value.tag.kind == .floatingPoint else { return try wholeNumber() }
    guard let number = scalar.float else {
      throw ArchiveError(
        .valueOutOfRange, "a stored Double is too large for a Float", offset: value.offset)
    }
    return number
  }

  @usableFromInline
  func bool() throws(ArchiveError) -> Bool {
    try value.require(.bool, for: "a truth value")
    return scalar.low != 0
  }

  /// The number of a conditional reference; when an archive is read forward, only the end shows whether it is
  /// listed.
  package func conditionalNumber() throws(ArchiveError) -> UInt32 {
    try value.require(.conditionalReference, for: "a conditional reference")
    let number = value.view.reference(value.range)
    try value.storage.with { storage throws(ArchiveError) in
      try storage.checkConditional(number)
    }
    return number
  }

  /// A reference to an object that exists, or to none; a conditional one to an object that was
  /// stored.
  package func reference() throws(ArchiveError) -> ArchiveObjectID? {
    if value.tag == .conditionalReference, !value.isNil {
      let number = value.view.reference(value.range)
      if number == 0 { return nil }
      return try value.storage.with { storage throws(ArchiveError) in
        try storage.conditionalObject(number)
      }
    }
    try value.require(.reference, for: "a reference")
    let number = value.view.reference(value.range)
    return try value.storage.with { storage throws(ArchiveError) in
      try storage.object(number, at: value.offset)
    }
  }

  /// The numbers of an array, copied at once; nil when they are not stored as they are in memory.
  @usableFromInline
  func packed<Scalar: BitwiseCopyable>(
    _ type: Scalar.Type, tag: ArchiveTag, _ elements: StoredElements
  ) -> [Scalar]? {
    guard elements.tag == tag, elements.nilBits == 0,
      tag.byteCount == MemoryLayout<Scalar>.stride
    else { return nil }
    return value.view.scalars(Scalar.self, elements.slotRange)
  }
}

// Rows of numbers (Spec/archive.md, 5.5), where a decoder for each would cost as much as the array itself.

extension ValueDecoder {
  /// The elements of an array of rows of numbers of exactly this type; nil for other arrays, and for short ones,
  /// which are read faster one by one.
  @inline(never)
  @usableFromInline
  func rows<Number>(_ elements: StoredElements, of type: Number.Type) -> [[Number]]? {
    guard elements.areRows, elements.count > 8,
      Int(value.depth) + 1 < value.storage.with({ $0.nestingDepth })
    else { return nil }
    switch elements.content.numbers {
    case .double: return rows(elements, Double.self, of: type)
    case .float: return rows(elements, Float.self, of: type)
    case .int8: return rows(elements, Int8.self, of: type)
    case .int16: return rows(elements, Int16.self, of: type)
    case .int32: return rows(elements, Int32.self, of: type)
    case .int64: return rows(elements, Int64.self, of: type)
    case .uint8: return rows(elements, UInt8.self, of: type)
    case .uint16: return rows(elements, UInt16.self, of: type)
    case .uint32: return rows(elements, UInt32.self, of: type)
    case .uint64: return rows(elements, UInt64.self, of: type)
    default: return nil
    }
  }

  /// Inlined into the caller, so that code is made for each type of numbers.
  @inline(__always)
  private func rows<Stored: BitwiseCopyable, Number>(
    _ elements: StoredElements, _ stored: Stored.Type, of type: Number.Type
  ) -> [[Number]]? {
    guard type == stored else { return nil }
    let rows = value.view.rows(stored, in: elements.slotRange, byteCount: elements.stride)
    return identical(rows, as: [[Number]].self)
  }
}

extension ValueDecoder {
  func scalarRange<Scalar: ArchiveScalar>(
    of type: Scalar.Type
  ) throws(ArchiveError) -> Range<Int> {
    // A type without a witness of its own traps here, before it reads bits of another type.
    _ = type.scalarWitness
    let elements = try value.storedElements()
    if elements.count == 0 { return elements.start..<elements.start }
    guard elements.tag == Scalar.archiveTag, elements.nilBits == 0 else {
      throw ArchiveError(
        .typeMismatch,
        "an array of \(elements.tag) is stored where one of \(Scalar.archiveTag) was asked for",
        offset: value.offset)
    }
    return elements.slotRange
  }
}
