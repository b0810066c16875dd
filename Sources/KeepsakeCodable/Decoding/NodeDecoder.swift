import KeepsakeArchive

/// The `Decoder` that a type sees: it reads one value of the archive.
///
/// A class, since each decoder is handed out as an existential: the object is the box.
final class NodeDecoder: Decoder {
  let value: StoredValue
  let session: DecodingSession
  /// The decoder of the container that the value lies in, and its key there.
  private let parent: NodeDecoder?
  private let key: (any CodingKey)?

  init(
    _ value: StoredValue, parent: NodeDecoder?, key: (any CodingKey)?, session: DecodingSession
  ) {
    self.value = value
    self.parent = parent
    self.key = key
    self.session = session
  }

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var decoder: NodeDecoder? = self
    while let current = decoder {
      if let key = current.key { path.append(key) }
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
    do {
      return KeyedDecodingContainer(
        KeyedArchiveContainer(record: try value.record(), decoder: self))
    } catch {
      throw damaged(error)
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard value.tag == .array, !value.isNil else { throw mismatch([Any].self, "an array") }
    do {
      return UnkeyedArchiveContainer(elements: try value.elements(), decoder: self)
    } catch {
      throw damaged(error)
    }
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValueArchiveContainer(decoder: self)
  }

  /// A decoder of a value one level further down.
  func nested(_ value: StoredValue, at key: any CodingKey) -> NodeDecoder {
    NodeDecoder(value, parent: self, key: key, session: session)
  }

  /// Decodes this decoder's value.
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if let native = try reader.native(type) { return native }
    return try Decoded(from: self)
  }

  /// This decoder's value, with the place for errors.
  var reader: ValueReader { ValueReader(value: value, decoder: self, key: nil) }

  /// The error for a value of another kind than the one asked for.
  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    reader.mismatch(type, expected)
  }

  private func damaged(_ error: ArchiveError) -> DecodingError { reader.damaged(error) }
}
