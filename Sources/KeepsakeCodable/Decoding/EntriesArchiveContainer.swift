import KeepsakeArchive

/// A keyed container that reads a dictionary as if it were a record (Spec/archive.md, section 9).
///
/// A key is found by its string. In a dictionary with integer keys, it is found by the integer that its string
/// spells, or by its integer value.
struct EntriesArchiveContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let entries: StoredEntries
  let decoder: NodeDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] {
    (0..<entries.count).compactMap { index in
      entries.number(at: index).flatMap { Key(intValue: $0) }
        ?? Key(stringValue: entries.name(at: index))
    }
  }

  func contains(_ key: Key) -> Bool { value(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try stored(key).isNil }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try read(key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try read(key) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try read(key) }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try read(key)
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try find(key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try find(key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try find(key) }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try find(key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try find(key) }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try find(key) }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try find(key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try find(key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try find(key) }
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try find(key) }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try find(key) }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try find(key) }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try find(key) }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try find(key) }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try find(key) }
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try find(key) }

  func decodeIfPresent<Decoded: Decodable>(
    _ type: Decoded.Type, forKey key: Key
  ) throws -> Decoded? {
    try find(key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.nested(stored(key), at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.nested(stored(key), at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoderOrNull(PathKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoderOrNull(key) }

  private func value(_ key: some CodingKey) -> ValueView? {
    entries.value(forKey: key.stringValue, number: key.intValue)
  }

  private func stored(_ key: Key) throws -> ValueView {
    if let value = try storedIfPresent(key) ?? decoder.defaultValue(forKey: key.stringValue) {
      return value
    }
    throw DecodingError.absent(key, at: codingPath)
  }

  /// The value under a key, or nil; throws when the value is stored under another Unicode form of the key.
  private func storedIfPresent(_ key: some CodingKey) throws -> ValueView? {
    if let value = value(key) { return value }
    guard let other = entries.otherSpelling(of: key.stringValue) else { return nil }
    throw DecodingError.absent(key, at: codingPath, otherSpelling: other)
  }

  private func read<Decoded: Decodable>(_ key: Key) throws -> Decoded {
    try decoder.nested(stored(key), at: key).decode(Decoded.self)
  }

  private func find<Decoded: Decodable>(_ key: Key) throws -> Decoded? {
    guard let value = try storedIfPresent(key), !value.isNil else { return nil }
    return try decoder.nested(value, at: key).decode(Decoded.self)
  }

  private func decoderOrNull(_ key: some CodingKey) throws -> NodeDecoder {
    decoder.nested(try storedIfPresent(key) ?? entries.absent, at: key)
  }
}

extension DecodingError {
  /// The error for a key without a value; `otherSpelling` is the stored key that differs from it only in its Unicode
  /// form.
  static func absent(
    _ key: any CodingKey, at path: [any CodingKey], otherSpelling: String? = nil
  ) -> DecodingError {
    let description =
      if let otherSpelling {
        "There is no value under \(key.stringValue.spelledOut), but one under "
          + "\(otherSpelling.spelledOut), the same name in another Unicode form. Give the coding key the form "
          + "that is stored."
      } else {
        "There is no value under \(key.stringValue.displayed). If its key was renamed, add a migration; otherwise "
          + "read it with decodeIfPresent, or give its type defaults as a ValueWithDefaults."
      }
    return .keyNotFound(key, Context(codingPath: path, debugDescription: description))
  }
}
