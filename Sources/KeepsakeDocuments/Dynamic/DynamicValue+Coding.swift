public import KeepsakeArchive

extension DynamicValue: ArchiveValue {
  /// The tag of a nil, since each value has a kind of its own.
  public static var archiveTag: ArchiveTag { .null }

  /// Writes the value as its own kind.
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .null: coder.encodeNil(tag: .null, at: place)
    case .string(let value): value.encode(to: &coder, at: place)
    case .bytes(let value): ArchiveBytes(value).encode(to: &coder, at: place)
    case .url(let value): value.encode(to: &coder, at: place)
    case .array(let values): coder.encodeArray(values, at: place)
    case .dictionary(let entries): coder.encodeEntries(entries, at: place)
    case .set(let values):
      coder.encodeSet(count: values.count, at: place) { coder in
        for value in values { value.encode(to: &coder, at: .element) }
      }
    case .record(let record): coder.encodeRecord(record, at: place)
    case .enumeration(let name, let record):
      coder.encodeNested(
        case: name, typeName: record.typeName, schemaVersion: record.schemaVersion, at: place
      ) { $0.encode(record, reserved: .refused) }
    case .reference(let id): coder.encodeReference(id, at: place)
    case .conditionalReference(let reference): reference.encode(to: &coder, at: place)
    case .unknown(let tag, let bytes): coder.encodeUnknown(tag, bytes, at: place)
    case .bool, .signed, .unsigned, .int128, .uint128, .float16, .float, .double, .date, .uuid:
      coder.encodeScalar(self, at: place)
    }
  }

  /// Reads a value of any kind.
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try coder.dynamicValue()
  }
}

/// The treatment of reserved keys in a record that is written.
enum ReservedFields {
  /// A reserved key is an error, since a nested record has no reserved keys (Spec/archive.md, 4.3).
  case refused
  case omitted
  case written
}

extension ObjectEncoder {
  @inline(__always)
  fileprivate mutating func encodeScalar(_ value: DynamicValue, at place: ArchivePlace) {
    guard let scalar = StoredScalar(value) else { return failScalar(value, at: place) }
    encode(scalar, at: place)
  }

  @inline(never)
  private mutating func failScalar(_ value: DynamicValue, at place: ArchivePlace) {
    switch value {
    case .signed(_, let width), .unsigned(_, let width):
      if ArchiveTag(.signed, bitWidth: width) == nil {
        fail(
          .invalidValue, "an integer was given \(width) bits, and may have 8, 16, 32 or 64",
          under: place.step)
      } else {
        fail(.valueOutOfRange, "an integer does not fit the width it is given", under: place.step)
      }
    default:
      fail(.invalidValue, "a value of unknown kind is not as wide as its tag", under: place.step)
    }
    encodeNil(tag: .null, at: place)
  }

  fileprivate mutating func encodeArray(_ values: DynamicValues, at place: ArchivePlace) {
    if let elements = values.madeElements { return elements.encode(to: &self, at: place) }
    // Elements in their stored form are decoded one after the other.
    guard enters(.array, at: place) else { return }
    let outer = beginElements(count: values.count, at: place)
    for value in values { value.encode(to: &self, at: .element) }
    endElements(outer, at: place)
  }

  fileprivate mutating func encodeEntries(_ entries: DynamicEntries, at place: ArchivePlace) {
    encodeDictionary(
      count: entries.count, at: place,
      keys: { coder in for entry in entries { entry.key.encode(to: &coder, at: .element) } },
      value: { index, coder in entries[index].value.encode(to: &coder, at: .element) })
  }

  fileprivate mutating func encodeRecord(_ record: DynamicRecord, at place: ArchivePlace) {
    encodeNested(typeName: record.typeName, schemaVersion: record.schemaVersion, at: place) {
      $0.encode(record, reserved: .refused)
    }
  }

  /// Writes the fields of a record, each in its scope, and its absent slots between them.
  mutating func encode(_ record: DynamicRecord, reserved: ReservedFields) {
    let (list, type) = record.parts
    var absent = (type?.absent ?? [])[...]
    let fields = list.span
    for index in fields.indices {
      if reserved != .written, fields[index].key.isReserved {
        if reserved == .omitted { continue }
        failReserved(fields[index].key)
      }
      while let slot = absent.first, slot.index <= index {
        encode(slot, among: list)
        absent.removeFirst()
      }
      encode(fields[index])
    }
    for slot in absent { encode(slot, among: list) }
  }

  /// Writes an absent slot, unless a field has its key.
  private mutating func encode(_ slot: AbsentSlot, among fields: [DynamicRecord.Field]) {
    if DynamicRecord.index(of: slot.key, inScope: slot.scope, in: fields) != nil { return }
    let outer = scope
    enter(scopes: slot.scope)
    encodeNil(tag: slot.tag, at: ArchivePlace.key(slot.key).omittingNil)
    leaveScope(to: outer)
  }

  /// Writes the fields of a record, each in its scope.
  ///
  /// This is how a record that was read with `ObjectDecoder.dynamicRecord()` is written again, changed or not. The
  /// reserved fields are left out: they are given to the writer, as are the type name and the schema version.
  public mutating func encodeFields(of record: DynamicRecord) {
    encode(record, reserved: .omitted)
  }

  /// Writes a field in its scope, also a reserved field.
  mutating func encode(_ field: DynamicRecord.Field) {
    let outer = scope
    enter(scopes: field.scope)
    encode(
      field.value, optionalTag: field.optionalTag, omitsNil: field.omitsNil, at: .key(field.key))
    leaveScope(to: outer)
  }

  /// Writes a value, which may be nil if there is a tag that it is declared with.
  mutating func encode(
    _ value: DynamicValue, optionalTag: ArchiveTag?, omitsNil: Bool = false, at place: ArchivePlace
  ) {
    guard let optionalTag else { return value.encode(to: &self, at: place) }
    if case .null = value { return encodeNil(tag: optionalTag, at: place) }
    value.encode(to: &self, at: omitsNil ? place.omittingNil : place.nullable)
  }

  fileprivate mutating func encodeUnknown(
    _ tag: ArchiveTag, _ bytes: [UInt8], at place: ArchivePlace
  ) {
    if tag.isFixed { return encodeScalar(.unknown(tag, bytes: bytes), at: place) }
    // A kind without bits is refused, because its values could be repeated any number of times.
    guard tag.isVariable,
      tag.kind == nil || ArrayForm.isUnknown(tag, bytes)
    else {
      return failScalar(.unknown(tag, bytes: bytes), at: place)
    }
    encodePayload(bytes.span, tag: tag, at: place)
  }
}
