import KeepsakeArchive

/// The `Decoder` that a type sees: it reads one value of the archive.
///
/// A class, since each decoder is handed out as an existential: the object is the box.
final class NodeDecoder: Decoder {
  let value: StoredValue
  let level: DecodingLevel
  /// The decoder of the container that the value lies in, and its key or its index there.
  private let parent: NodeDecoder?
  private let key: (any CodingKey)?
  private let index: Int
  /// Only of the first decoder, which the others lead to.
  private let firstSession: DecodingSession?

  /// The decoder of the one value of an archive.
  init(_ value: StoredValue, session: DecodingSession) {
    self.value = value
    firstSession = session
    parent = nil
    key = nil
    index = 0
    level = session.level
  }

  /// The decoder of a value in a container, under a key or at an index.
  private init(_ value: StoredValue, in parent: NodeDecoder, key: (any CodingKey)?, index: Int) {
    self.value = value
    self.parent = parent
    self.key = key
    self.index = index
    firstSession = nil
    level = parent.level.next
  }

  var userInfo: [CodingUserInfoKey: Any] { firstSession?.userInfo ?? parent?.userInfo ?? [:] }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var decoder: NodeDecoder? = self
    while let current = decoder {
      if let key = current.key {
        path.append(key)
      } else if current.parent != nil {
        path.append(PathKey(current.index))
      }
      decoder = current.parent
    }
    path.reverse()
    return path
  }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard value.tag == .record, !value.isNil else {
      throw mismatch([String: Any].self, "a record with keys")
    }
    let record: StoredRecord
    do {
      record = try value.record()
    } catch {
      throw damaged(error)
    }
    // The one line that returns the container looks its type up, which takes a while.
    if level.containerKeys == ObjectIdentifier(type), level.container.isFree,
      let source = level.source
    {
      source.record = record
      source.decoder = self
      return level.container.value(as: KeyedDecodingContainer<Key>.self)
    }
    return newContainer(type, record)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(
    _ type: Key.Type, _ record: StoredRecord
  ) -> KeyedDecodingContainer<Key> {
    let source = KeyedSource(record, self)
    let container = KeyedDecodingContainer(KeyedArchiveContainer<Key>(source: source))
    if KeyedSource.isContainerReference, !level.isFinished {
      level.container.keep(container)
      level.containerKeys = ObjectIdentifier(type)
      level.source = source
    }
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let isSet = value.tag == .set
    guard value.tag == .array || isSet, !value.isNil else {
      throw mismatch([Any].self, "an array")
    }
    do {
      let elements = isSet ? try value.members() : try value.elements()
      return UnkeyedArchiveContainer(elements: elements, decoder: self)
    } catch {
      throw damaged(error)
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValueArchiveContainer(decoder: self)
  }

  /// A decoder of a value one level further down, under a key.
  func nested(_ value: StoredValue, at key: any CodingKey) -> NodeDecoder {
    NodeDecoder(value, in: self, key: key, index: 0)
  }

  /// A decoder of a value one level further down, at an index.
  func nested(_ value: StoredValue, atIndex index: Int) -> NodeDecoder {
    NodeDecoder(value, in: self, key: nil, index: index)
  }

  /// Decodes this decoder's value.
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if level.plainType == ObjectIdentifier(type) { return try Decoded(from: self) }
    return try decodeOther(type)
  }

  /// Decodes a value of a type that may be known to the archive.
  @inline(never)
  private func decodeOther<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if let known = try known(type) { return known }
    if !(type is any StoredCollection.Type) { level.plainType = ObjectIdentifier(type) }
    return try Decoded(from: self)
  }

  /// Decodes this decoder's value in the place of another, which hands itself on.
  func decodeInner<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if level.plainInnerType == ObjectIdentifier(type) { return try Decoded(from: self) }
    return try decodeOtherInner(type)
  }

  @inline(never)
  private func decodeOtherInner<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if let known = try known(type) { return known }
    if !(type is any StoredCollection.Type) { level.plainInnerType = ObjectIdentifier(type) }
    return try Decoded(from: self)
  }

  private func known<Decoded>(_ type: Decoded.Type) throws -> Decoded? {
    if let collection = type as? any StoredCollection.Type {
      return try collection.decode(from: self) as? Decoded
    }
    return try reader.native(type) ?? row(type)
  }

  /// This decoder's value, with the place for errors.
  var reader: ValueReader { ValueReader(value: value, decoder: self, key: nil) }

  /// The error for a value of another kind than the one asked for.
  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    reader.mismatch(type, expected)
  }

  private func damaged(_ error: ArchiveError) -> DecodingError { reader.damaged(error) }
}
