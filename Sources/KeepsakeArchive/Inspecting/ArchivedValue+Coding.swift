extension ArchivedValue: ArchiveValue {
  /// The tag of a nil, since the kind is known only of each single value.
  public static var archiveTag: ArchiveTag { .null }

  /// Writes the value as its own kind.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .null: encoder.encodeNil(tag: .null, at: place)
    case .bool(let value): value.encode(to: &encoder, at: place)
    case .signed(let value, _):
      let shift = Int64(64 - 8 * (storedTag.width?.byteCount ?? 8))
      encoder.encodeInteger(
        UInt64(bitPattern: value), fits: (value << shift) >> shift == value, tag: storedTag,
        at: place)
    case .unsigned(let value, _):
      let shift = UInt64(64 - 8 * (storedTag.width?.byteCount ?? 8))
      encoder.encodeInteger(
        value, fits: (value << shift) >> shift == value, tag: storedTag, at: place)
    case .float(let value): value.encode(to: &encoder, at: place)
    case .double(let value): value.encode(to: &encoder, at: place)
    case .string(let value): value.encode(to: &encoder, at: place)
    case .bytes(let value): ArchiveBytes(value).encode(to: &encoder, at: place)
    case .date(let value): value.encode(to: &encoder, at: place)
    case .uuid(let value): value.encode(to: &encoder, at: place)
    case .url(let value): value.encode(to: &encoder, at: place)
    case .array(let values): values.encode(to: &encoder, at: place)
    case .dictionary(let entries): encoder.encodeEntries(entries, at: place)
    case .record(let record): encoder.encodeRecord(record, at: place)
    case .reference(let id): encoder.encodeReference(id, at: place)
    case .unknown(let tag, let bytes): encoder.encodeUnknown(tag, bytes, at: place)
    }
  }

  /// Reads a value of any kind.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when the stored bytes contradict the format.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try decoder.dynamicValue()
  }
}

extension ObjectEncoder {
  /// Writes an integer in a width that it may turn out not to fit.
  fileprivate mutating func encodeInteger(
    _ bits: UInt64, fits: Bool, tag: ArchiveTag, at place: ArchivePlace
  ) {
    if !fits {
      fail(.valueOutOfRange, "an integer does not fit the width it is given", under: place.step)
    }
    encodeBits(bits, tag: tag, at: place)
  }

  fileprivate mutating func encodeEntries(_ entries: [ArchivedEntry], at place: ArchivePlace) {
    let strings = entries.map { entry -> (String, ArchivedValue)? in
      if case .string(let key) = entry.key { (key, entry.value) } else { nil }
    }
    let sorted = strings.compactMap(\.self).sorted { $0.0.bytesPrecede($1.0) }
    if sorted.count != entries.count {
      fail(.invalidValue, "the keys of a dictionary have to be strings", under: place.step)
    }
    for (left, right) in zip(sorted, sorted.dropFirst()) where left.0.hasSameBytes(as: right.0) {
      fail(.duplicateKey, "a dictionary has one key twice", under: place.step)
    }
    encodeDictionary(
      count: sorted.count, at: place,
      keys: { coder in for entry in sorted { entry.0.encode(to: &coder, at: .element) } },
      values: { coder in for entry in sorted { entry.1.encode(to: &coder, at: .element) } })
  }

  fileprivate mutating func encodeRecord(_ record: ArchivedRecord, at place: ArchivePlace) {
    encodeRecord(typeName: record.typeName, schemaVersion: record.schemaVersion, at: place) {
      $0.encodeFields(of: record)
    }
  }

  /// Writes the fields of a record, each in its scope.
  ///
  /// This is how a record that was read with ``ObjectDecoder/dynamicRecord()`` is written again,
  /// changed or not. The reserved fields are left out: they are given to the writer.
  ///
  /// - Parameter record: The fields; its type name and its schema version are the writer's matter.
  public mutating func encodeFields(of record: ArchivedRecord) {
    let fields = record.fields.span
    for index in fields.indices where !fields[index].key.isReserved { encode(fields[index]) }
  }

  /// Writes a field that was read, in its scope; a reserved one too.
  mutating func encode(_ field: ArchivedRecord.Field) {
    let outer = frame.scope
    for name in field.scope {
      frame.scope = plan.scope(named: name, in: frame.scope)
      if plan.scopes[Int(frame.scope)].depth > limits.nestingDepth {
        fail(
          .limitExceeded, "scopes are nested more than \(limits.nestingDepth) deep", under: name)
        break
      }
    }
    let place = ArchivePlace.key(field.key)
    if let tag = field.optionalTag {
      if case .null = field.value {
        encodeNil(tag: tag, at: place)
      } else {
        field.value.encode(to: &self, at: place.nullable)
      }
    } else {
      field.value.encode(to: &self, at: place)
    }
    frame.scope = outer
  }

  fileprivate mutating func encodeUnknown(
    _ tag: ArchiveTag, _ bytes: [UInt8], at place: ArchivePlace
  ) {
    guard tag.kind == nil, let width = tag.width, tag.isVariable || bytes.count == width.byteCount
    else {
      fail(.invalidValue, "a value of unknown kind is not as wide as its tag", under: place.step)
      encodeNil(tag: .null, at: place)
      return
    }
    if tag.isVariable { return encodePayload(bytes, tag: tag, at: place) }
    let padded = bytes + [UInt8](repeating: 0, count: 16 - bytes.count)
    encodeBits(
      low: padded.load(UInt64.self, at: 0) ?? 0, high: padded.load(UInt64.self, at: 8) ?? 0,
      tag: tag, at: place)
  }
}
