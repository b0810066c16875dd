import KeepsakeArchive

/// The `Decoder` that a type sees: it reads one value of the archive.
struct NodeDecoder: Decoder {
  let value: ArchivedValue
  let codingPath: [any CodingKey]
  let session: DecodingSession

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .record(let record) = value else {
      throw mismatch([String: Any].self, "a record with keys")
    }
    return KeyedDecodingContainer(KeyedArchiveContainer(record: record, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch([Any].self, "an array") }
    return UnkeyedArchiveContainer(elements: elements, decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SingleValueArchiveContainer(decoder: self)
  }

  /// A decoder of a value one level further down.
  func nested(_ value: ArchivedValue, at key: any CodingKey) -> NodeDecoder {
    NodeDecoder(value: value, codingPath: codingPath + [key], session: session)
  }

  /// Decodes this decoder's value.
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if let native = try nativeValue(as: type) { return native }
    return try Decoded(from: self)
  }

  /// The error for a value of another kind than the one asked for.
  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "The archive holds \(value.typeDescription) where \(expected) is expected.")
    return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error for a value of the right kind that its type does not allow.
  func corrupted(_ description: String, _ underlying: (any Error)? = nil) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: description, underlyingError: underlying))
  }
}
