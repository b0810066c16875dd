import KeepsakeArchive

/// The `Decoder` that a type sees: it reads one value of the archive.
///
/// It is a class, because types get it as an existential, for which a struct would need a box.
final class NodeDecoder: Decoder {
  /// The value; it changes when the decoder is reused.
  var value: ValueView
  private let level: DecodingLevel
  /// The path of a decoder that a type kept; nil for the decoder that is used at its level now.
  private(set) var keptPath: [any CodingKey]?

  /// Makes the decoder that is used at a level, or one that a type keeps, with the path to its value.
  init(_ value: ValueView, at level: DecodingLevel, keptPath: [any CodingKey]? = nil) {
    self.value = value
    self.level = level
    self.keptPath = keptPath
  }

  /// Records the path of a decoder that is no longer used at its level.
  func keep(_ path: [any CodingKey]) { keptPath = path }

  var userInfo: [CodingUserInfoKey: Any] { level.session.call.userInfo }

  var codingPath: [any CodingKey] { keptPath ?? level.codingPath }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard tag == .record, level.session.call.askedKeys == nil else {
      return try fieldsContainer()
    }
    let record = try opened(try value.record())
    if keptPath == nil,
      let container = level.container(of: ObjectIdentifier(type), reading: record)
    {
      return container.value(as: KeyedDecodingContainer<Key>.self)
    }
    return newContainer(type, record)
  }

  /// A container of a dictionary, or of a record whose keys are noted (Spec/archive.md, section 9).
  @inline(never)
  private func fieldsContainer<Key: CodingKey>() throws -> KeyedDecodingContainer<Key> {
    guard let fields = try fields() else {
      throw mismatch([String: Any].self, "a record with keys")
    }
    let names = level.session.call.askedKeys?.opened(value)
    let source = KeyedSource(nil, fields: fields, noting: names, level, kept: self)
    return KeyedDecodingContainer(KeyedArchiveContainer<Key>(source: source))
  }

  /// The values of a record, or of a dictionary whose keys are all strings or all integers of one width; nil for other
  /// values.
  func fields() throws -> (any KeyedFields)? {
    switch tag {
    case .record: try opened(try value.record())
    case .dictionary: try opened(try StoredEntries(value.entries()))
    default: nil
    }
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    _ type: Key.Type, _ record: RecordView
  ) -> KeyedDecodingContainer<Key> {
    let isReusable = keptPath == nil && KeyedSource.isContainerReference
    let source = KeyedSource(record, level, kept: isReusable ? nil : self)
    let container = KeyedDecodingContainer(KeyedArchiveContainer<Key>(source: source))
    if isReusable {
      level.keepOpened(
        KeptContainer(container, keys: ObjectIdentifier(type), place: source))
    }
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let isSet = tag == .set
    guard tag == .array || isSet else { throw mismatch([Any].self, "an array") }
    let elements = try opened(try isSet ? value.members() : value.elements())
    return UnkeyedArchiveContainer(elements: elements, decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValueArchiveContainer(decoder: self)
  }

  /// A decoder of a value one level further down, under a key.
  func nested(_ value: ValueView, at key: some CodingKey) -> NodeDecoder {
    if let keptPath { return NodeDecoder(value, at: level, keptPath: keptPath + [key]) }
    return level.next.decoder(of: value, at: key)
  }

  /// A decoder of a value one level further down, at an index.
  @inline(__always)
  func nested(_ value: ValueView, atIndex index: Int) -> NodeDecoder {
    keptPath == nil
      ? level.next.decoder(of: value, atIndex: index) : nested(value, at: PathKey(index))
  }

  @inline(__always)
  func reading<Decoded: Decodable>(of type: Decoded.Type) -> Reading {
    level.session.reading(of: type)
  }

  @inline(__always)
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try decode(type, reading(of: type))
  }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, _ reading: Reading) throws -> Decoded {
    switch reading {
    case .itself: if keptPath == nil { level.decodedType = type }
    case .text: return identical(try value.text ?? string(), as: type)
    case .scalar(let kind):
      if let scalar = value.scalar {
        return try kind.value(scalar, as: type) { try Decoded(from: self) }
      }
    case .native(let kind): return try native(kind, as: type)
    // Numbers or texts are read at once if the archive holds exactly such.
    case .texts:
      if let texts = elements?.texts() { return identical(texts, as: type) }
    case .row(let kind):
      if let elements {
        return try kind.row(elements, of: value, as: type) { try Decoded(from: self) }
      }
    case .kind(let kind): return try decode(kind, as: type)
    }
    // The type's own `init(from:)` converts the value, or throws the error.
    return try Decoded(from: self)
  }

  private func decode<Kind: LibraryDecodable, Decoded>(
    _ kind: Kind.Type, as type: Decoded.Type
  ) throws -> Decoded {
    identical(try Kind.decode(from: self), as: type)
  }

  /// The elements of an array, nil if another kind is stored.
  private var elements: ArrayView? { tag == .array ? try? value.elements() : nil }
}
