import KeepsakeArchive

/// The values that a keyed container reads from; they change when the container is reused.
final class KeyedSource: LevelPlace {
  /// The record; nil when ``fields`` are read instead.
  var record: RecordView?
  /// A dictionary, or a record whose keys are noted; nil for most records.
  private let fields: (any KeyedFields)?
  /// Notes the keys that are asked for; nil unless the caller wants to know which were not.
  private let askedKeys: AskedKeys.Names?
  var attachedLevel: DecodingLevel?
  /// The decoder of the values; nil when the decoder of the level is used.
  var kept: NodeDecoder?

  init(
    _ record: RecordView?, fields: (any KeyedFields)? = nil,
    noting askedKeys: AskedKeys.Names? = nil,
    _ level: DecodingLevel, kept: NodeDecoder?
  ) {
    self.record = record
    self.fields = fields
    self.askedKeys = askedKeys
    attachedLevel = level
    self.kept = kept
  }

  /// The attached level; for a free container, a new level without values.
  var level: DecodingLevel { attachedLevel ?? DecodingLevel.fresh() }

  var codingPath: [any CodingKey] { kept?.codingPath ?? level.codingPath }

  @inline(__always)
  func nested(_ value: ValueView, at key: some CodingKey) -> NodeDecoder {
    kept?.nested(value, at: key) ?? level.next.decoder(of: value, at: key)
  }
}

extension KeyedSource {
  /// A scalar that is stored in a record as most of its type are; nil for any other.
  @inline(__always)
  func scalar<Scalar: CodableScalar>(_ key: some CodingKey) -> Scalar? {
    guard let record else { return nil }
    return Scalar.find { record.bits($0, forKey: key.stringValue) }
  }

  @inline(__always)
  func value(_ key: some CodingKey) -> ValueView? {
    guard let record else { return notedValue(key) }
    return record.value(forKey: key.stringValue)
  }

  @inline(never)
  private func notedValue(_ key: some CodingKey) -> ValueView? {
    askedKeys?.keys.insert(ArchiveKey(key.stringValue))
    return fields?.value(forKey: key.stringValue, number: key.intValue)
  }

  /// The value under a key, or its default.
  @inline(__always)
  func stored(_ key: some CodingKey) throws -> ValueView {
    try value(key) ?? defaultValue(key)
  }

  /// The value under a key; nil for an absent key or a stored nil.
  ///
  /// It throws when the value is stored under another Unicode form of the key.
  @inline(__always)
  func valueIfPresent(_ key: some CodingKey) throws -> ValueView? {
    if let value = value(key) { return value.isNil ? nil : value }
    try checkSpelling(key)
    return nil
  }

  /// A decoder of nil where the superclass wrote nothing, as JSON's and property lists' have it.
  func decoderOrNull(_ key: some CodingKey) throws -> NodeDecoder {
    guard let value = try valueIfPresent(key) ?? record?.absent ?? fields?.absent else {
      throw DecodingError.absent(key, at: codingPath)
    }
    return nested(value, at: key)
  }

  /// Calls a body with the name of each key, and with the key as a number if it is one.
  func forEachKey(_ body: (String, Int?) -> Void) {
    askedKeys?.isListRead = true
    if let record { record.forEachKey(body) } else { fields?.forEachKey(body) }
  }

  @inline(never)
  private func defaultValue(_ key: some CodingKey) throws -> ValueView {
    try checkSpelling(key)
    if kept?.keptPath == nil,
      let value = try level.session.missingKeys.value(forKey: key.stringValue, at: level)
    {
      return value
    }
    throw DecodingError.absent(key, at: codingPath)
  }

  /// Checks of a key that was not found that none differs from it in its Unicode form alone.
  @inline(never)
  private func checkSpelling(_ key: some CodingKey) throws {
    let name = key.stringValue
    if let other = record?.otherSpelling(of: name) ?? fields?.otherSpelling(of: name) {
      throw DecodingError.absent(key, at: codingPath, otherSpelling: other)
    }
  }
}

/// A record, or a dictionary whose keys are all strings or all integers of one width.
protocol KeyedFields {
  var count: Int { get }
  /// A nil in the same archive, for an absent value.
  var absent: ValueView { get }

  /// The value under a name, or in a dictionary with integer keys under a number.
  func value(forKey name: String, number: Int?) -> ValueView?
  func forEachKey(_ body: (String, Int?) -> Void)
  /// The stored key that differs from a name only in its Unicode form.
  func otherSpelling(of name: String) -> String?
}

extension RecordView: KeyedFields {
  var count: Int { keyCount }
  func value(forKey name: String, number: Int?) -> ValueView? { value(forKey: name) }
  func forEachKey(_ body: (String, Int?) -> Void) { forEachKeyName { body($0, nil) } }
}

extension StoredEntries: KeyedFields {
  func forEachKey(_ body: (String, Int?) -> Void) {
    for index in 0..<count { body(name(at: index), number(at: index)) }
  }
}

extension KeyedSource {
  /// True when a `KeyedDecodingContainer` of the standard library is a single reference; tested once with an unused
  /// container.
  static let isContainerReference: Bool = {
    let source = KeyedSource(nil, DecodingLevel.fresh(), kept: nil)
    return ReusableReference.isReference(
      KeyedDecodingContainer(KeyedArchiveContainer<PathKey>(source: source)))
  }()
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
