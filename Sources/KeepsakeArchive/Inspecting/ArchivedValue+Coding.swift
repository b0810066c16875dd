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
    case .signed(let value, let width):
      encoder.encodeInteger(value, bitWidth: width, at: place)
    case .unsigned(let value, let width):
      encoder.encodeInteger(value, bitWidth: width, at: place)
    case .int128(let value): value.encode(to: &encoder, at: place)
    case .uint128(let value): value.encode(to: &encoder, at: place)
    case .float16(let bits): encoder.encodeFixed(bits, tag: .float16, at: place)
    case .float(let value): value.encode(to: &encoder, at: place)
    case .double(let value): value.encode(to: &encoder, at: place)
    case .string(let value): value.encode(to: &encoder, at: place)
    case .bytes(let value): ArchiveBytes(value).encode(to: &encoder, at: place)
    case .date(let value): value.encode(to: &encoder, at: place)
    case .uuid(let value): value.encode(to: &encoder, at: place)
    case .url(let value): value.encode(to: &encoder, at: place)
    case .array(let values): values.encode(to: &encoder, at: place)
    case .dictionary(let entries): encoder.encodeEntries(entries, at: place)
    case .set(let values):
      encoder.encodeSet(count: values.count, at: place) { index, coder in
        values[index].encode(to: &coder, at: .element)
      }
    case .record(let record): encoder.encodeRecord(record, at: place)
    case .enumeration(let name, let record):
      encoder.encodeEnumeration(
        name, typeName: record.typeName, schemaVersion: record.schemaVersion, at: place
      ) { $0.encodeFields(of: record) }
    case .reference(let id): encoder.encodeReference(id, at: place)
    case .conditionalReference(let reference): reference.encode(to: &encoder, at: place)
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
    _ value: some FixedWidthInteger, bitWidth: Int, at place: ArchivePlace
  ) {
    let isSigned = type(of: value).isSigned
    switch (isSigned, bitWidth) {
    case (true, 8): encodeInteger(Int8(exactly: value), at: place)
    case (true, 16): encodeInteger(Int16(exactly: value), at: place)
    case (true, 32): encodeInteger(Int32(exactly: value), at: place)
    case (true, _): encodeInteger(Int64(exactly: value), at: place)
    case (false, 8): encodeInteger(UInt8(exactly: value), at: place)
    case (false, 16): encodeInteger(UInt16(exactly: value), at: place)
    case (false, 32): encodeInteger(UInt32(exactly: value), at: place)
    case (false, _): encodeInteger(UInt64(exactly: value), at: place)
    }
  }

  private mutating func encodeInteger<Integer: FixedWidthInteger & BitwiseCopyable & ArchiveValue>(
    _ value: Integer?, at place: ArchivePlace
  ) {
    if value == nil {
      fail(.valueOutOfRange, "an integer does not fit the width it is given", under: place.step)
    }
    encodeFixed(value ?? 0, tag: Integer.archiveTag, at: place)
  }

  fileprivate mutating func encodeEntries(_ entries: [ArchivedEntry], at place: ArchivePlace) {
    encodeDictionary(
      count: entries.count, at: place,
      key: { index, coder in entries[index].key.encode(to: &coder, at: .element) },
      value: { index, coder in entries[index].value.encode(to: &coder, at: .element) })
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
    enter(scopes: field.scope)
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

  /// Goes into scopes, from the outermost.
  mutating func enter(scopes: [String]) {
    for name in scopes {
      frame.scope = plan.scope(named: name, in: frame.scope)
      if plan.scopes[Int(frame.scope)].depth > limits.nestingDepth {
        fail(
          .limitExceeded, "scopes are nested more than \(limits.nestingDepth) deep", under: name)
        break
      }
    }
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
    func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type) -> Word {
      bytes.load(Word.self, at: 0) ?? 0
    }
    switch width {
    case .one: encodeFixed(word(UInt8.self), tag: tag, at: place)
    case .two: encodeFixed(word(UInt16.self), tag: tag, at: place)
    case .four: encodeFixed(word(UInt32.self), tag: tag, at: place)
    case .eight: encodeFixed(word(UInt64.self), tag: tag, at: place)
    case .sixteen: encodeFixed(word(UInt128.self), tag: tag, at: place)
    case .none, .variable: encodeEmpty(tag: tag, at: place)
    }
  }
}
