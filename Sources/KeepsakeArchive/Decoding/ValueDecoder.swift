/// One stored value, not yet read.
///
/// An ``ArchiveValue`` gets one and hands it on to a type that conforms.
public struct ValueDecoder: ~Copyable {
  /// How the value was written.
  public let tag: ArchiveTag

  /// Whether a nil is stored.
  public let isNil: Bool

  let storage: ArchiveStorage
  let graph: GraphDecoding?
  let objectID: ArchiveObjectID
  /// The bytes of the record or the array that the value is part of.
  let container: Range<Int>
  /// Where the slot lies in the archive.
  @usableFromInline let offset: Int
  /// The bits of a slot of up to eight bytes, or the lower half of one of sixteen.
  let bits: UInt64
  let highBits: UInt64
  let depth: Int

  init(
    _ storage: ArchiveStorage, container: Range<Int>, offset: Int, tag: ArchiveTag, isNil: Bool,
    graph: GraphDecoding?, objectID: ArchiveObjectID, depth: Int
  ) throws(ArchiveError) {
    var low: UInt64? = 0
    var high: UInt64? = 0
    let bytes = storage.bytes
    switch tag.width {
    case .one: low = bytes.load(UInt8.self, at: offset).map { UInt64($0) }
    case .two: low = bytes.load(UInt16.self, at: offset).map { UInt64($0) }
    case .four: low = bytes.load(UInt32.self, at: offset).map { UInt64($0) }
    case .eight, .variable: low = bytes.load(UInt64.self, at: offset)
    case .sixteen:
      low = bytes.load(UInt64.self, at: offset)
      high = bytes.load(UInt64.self, at: offset + 8)
    case .some(.none), nil: break
    }
    guard let low, let high else {
      throw ArchiveError(.truncated, "a slot lies beyond the end", offset: offset)
    }
    // A nil leaves its slot zero (Spec/archive.md, 5.3).
    guard !isNil || low | high == 0 else {
      throw ArchiveError(.nonCanonical, "the slot of a nil is not zero", offset: offset)
    }
    self.init(
      storage, container: container, offset: offset, tag: tag, bits: low, high: high,
      isNil: isNil || tag == .null, graph: graph, objectID: objectID, depth: depth)
  }

  init(
    _ storage: ArchiveStorage, container: Range<Int>, offset: Int, tag: ArchiveTag, bits: UInt64,
    high: UInt64, isNil: Bool, graph: GraphDecoding?, objectID: ArchiveObjectID, depth: Int
  ) {
    self.storage = storage
    self.container = container
    self.offset = offset
    self.tag = tag
    self.bits = bits
    highBits = high
    self.isNil = isNil
    self.graph = graph
    self.objectID = objectID
    self.depth = depth
  }

  /// Checks that a value of one tag is stored.
  func require(_ expected: ArchiveTag, for what: String) throws(ArchiveError) {
    if tag != expected || isNil { throw mismatch(what) }
  }

  /// The error of a value that is not what was asked for.
  func mismatch(_ expected: String) -> ArchiveError {
    if isNil {
      return ArchiveError(
        .nullValue, "a nil is stored where \(expected) was asked for", offset: offset)
    }
    return ArchiveError(
      .typeMismatch, "a value of type \(tag) is stored where \(expected) was asked for",
      offset: offset)
  }

  /// The bytes of a variable payload: behind the length in the slot itself, or in the tail.
  func payload() throws(ArchiveError) -> Range<Int> {
    if bits & 1 == 0 {
      let length = Int(bits & 0xFF) / 2
      // Shifting by 64 gives zero, as it must for a slot that is full.
      guard length <= FormatConstants.inlineByteCount, bits >> UInt64(8 * (length + 1)) == 0 else {
        throw ArchiveError(.nonCanonical, "an inline payload is not as it must be", offset: offset)
      }
      return offset + 1..<offset + 1 + length
    }
    let length = bits >> 32
    let word = bits >> 1 & 0x7FFF_FFFF
    guard word <= UInt64(container.count / 8) else {
      throw ArchiveError(.damaged, "a payload lies outside its record", offset: offset)
    }
    let start = container.lowerBound + Int(word) * 8
    guard length <= UInt64(container.upperBound - start) else {
      throw ArchiveError(.damaged, "a payload reaches out of its record", offset: offset)
    }
    guard length > UInt64(FormatConstants.inlineByteCount) else {
      throw ArchiveError(
        .nonCanonical, "a payload lies in the tail that belongs in its slot", offset: offset)
    }
    let end = start + Int(length)
    guard storage.bytes.isZero(in: end..<min((end + 7) & ~7, container.upperBound)) else {
      throw ArchiveError(.nonCanonical, "the padding of a payload is not zero", offset: end)
    }
    return start..<end
  }

  /// The payload as bytes.
  func payloadBytes() throws(ArchiveError) -> [UInt8] {
    Array(storage.bytes[try payload()])
  }

  /// The payload as UTF-8.
  func text() throws(ArchiveError) -> String {
    let range = try payload()
    let text =
      bits & 1 == 0
      ? inlineString(bits: bits, count: range.count) : storage.bytes.string(in: range)
    guard let text else {
      throw ArchiveError(
        .invalidUTF8, "a string is not well-formed UTF-8", offset: range.lowerBound)
    }
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
  public func record() throws(ArchiveError) -> ObjectDecoder {
    try require(.record, for: "a record")
    let range = try payload()
    try checkDepth()
    return try ObjectDecoder(
      storage, range: range, graph: graph, objectID: objectID, depth: depth + 1)
  }

  func checkDepth() throws(ArchiveError) {
    guard depth <= storage.limits.nestingDepth else {
      throw ArchiveError(
        .limitExceeded, "values are nested more than \(storage.limits.nestingDepth) deep",
        offset: offset)
    }
  }
}
