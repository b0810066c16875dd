import KeepsakeArchive

struct KeyedArchiveContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let source: KeyedSource

  var record: RecordView { source.record }

  var codingPath: [any CodingKey] { source.codingPath }

  /// The keys at the top of the record; those in scopes and reserved ones belong to no `Codable` type.
  var allKeys: [Key] {
    var keys: [Key] = []
    record.forEachKeyName { if let key = Key(stringValue: $0) { keys.append(key) } }
    return keys
  }

  /// Compares names byte for byte, and never throws the error of another Unicode form.
  func contains(_ key: Key) -> Bool { record.contains(key.stringValue) }

  func decodeNil(forKey key: Key) throws -> Bool {
    try record.isNil(forKey: key.stringValue) ?? stored(key).isNil
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try reader(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try string(key) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    if let bits = record.bits(.double, forKey: key.stringValue) { return Double(bitPattern: bits) }
    return try reader(key).double()
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    if let bits = record.bits(.float, forKey: key.stringValue) {
      return Float(bitPattern: UInt32(truncatingIfNeeded: bits))
    }
    return try reader(key).float()
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try narrowInt(key) ?? integer(key, .int64)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key, .int8) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key, .int16) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key, .int32) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key, .int64) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try narrowUInt(key) ?? integer(key, .uint64)
  }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key, .uint8) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key, .uint16) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key, .uint32) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key, .uint64) }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try nested(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoderOrNull(PathKey.super) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoderOrNull(key) }

  private func nested(_ key: Key) throws -> NodeDecoder {
    source.nested(try stored(key), at: key)
  }

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    _ key: Key, _ tag: ArchiveTag
  ) throws -> Integer {
    if let bits = record.bits(tag, forKey: key.stringValue) {
      return Integer(truncatingIfNeeded: bits)
    }
    return try reader(key).integer()
  }

  /// An `Int` that is stored in 32 bits, as most are (Spec/archive.md, 5.1); nil for any other.
  @inline(__always)
  func narrowInt(_ key: Key) -> Int? {
    record.bits(.int32, forKey: key.stringValue).map { Int(Int32(truncatingIfNeeded: $0)) }
  }

  /// A `UInt` that is stored in 32 bits; nil for any other.
  @inline(__always)
  func narrowUInt(_ key: Key) -> UInt? {
    record.bits(.uint32, forKey: key.stringValue).map { UInt($0) }
  }

  private func string(_ key: Key) throws -> String {
    if let text = record.text(forKey: key.stringValue) { return text }
    return try reader(key).string()
  }

  private func reader(_ key: Key) throws -> ValueReader {
    source.reader(try stored(key), key)
  }

  private func stored(_ key: Key) throws -> ValueView {
    try record.value(forKey: key.stringValue) ?? defaultValue(key)
  }

  /// A default for a key under which nothing is stored.
  @inline(never)
  private func defaultValue(_ key: Key) throws -> ValueView {
    try checkSpelling(key)
    if let value = try source.defaultValue(forKey: key.stringValue) { return value }
    throw DecodingError.absent(key, at: codingPath)
  }

  /// Throws when the record has an absent key in another Unicode form.
  @inline(never)
  func checkSpelling(_ key: some CodingKey) throws {
    guard let other = record.otherSpelling(of: key.stringValue) else { return }
    throw DecodingError.absent(key, at: codingPath, otherSpelling: other)
  }

  /// A decoder of nil where the superclass wrote nothing, as in the decoders of JSON and of property lists.
  private func decoderOrNull(_ key: some CodingKey) throws -> NodeDecoder {
    if let value = record.value(forKey: key.stringValue) { return source.nested(value, at: key) }
    try checkSpelling(key)
    return source.nested(record.absent, at: key)
  }
}

extension KeyedSource {
  /// True when a `KeyedDecodingContainer` of the standard library is a single reference; tested once with an empty
  /// record.
  static let isContainerReference: Bool = {
    guard let data = try? ArchiveEncoder().encode(ValueWithoutKeys()),
      let archive = try? Archive(Array(data)), let root = try? archive.object(archive.rootID),
      let value = root.storedValue(forKey: CodableArchive.rootKey.name),
      let record = try? value.record()
    else { return false }
    let source = KeyedSource(record, DecodingLevel.fresh(), kept: nil)
    return ReusableReference.isReference(
      KeyedDecodingContainer(KeyedArchiveContainer<PathKey>(source: source)))
  }()
}

/// A value that is stored as an empty record.
private struct ValueWithoutKeys: Encodable {
  func encode(to encoder: any Encoder) { _ = encoder.container(keyedBy: PathKey.self) }
}

// Integers of 128 bits. The protocol's default methods refuse them. These methods call the generic one, which
// knows the kinds of the archive.

extension KeyedArchiveContainer {
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decodeAny(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decodeAny(key) }

  private func decodeAny<Decoded: Decodable>(_ key: Key) throws -> Decoded {
    try decode(Decoded.self, forKey: key)
  }
}
