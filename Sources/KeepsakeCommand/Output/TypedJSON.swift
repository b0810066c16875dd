import CommandSupport
import Keepsake

// An archive as JSON without loss, by the convention of Spec/Vectors/README.md ("Values as JSON"): `import` makes the
// same archive from it.

/// The names of tags in that convention.
enum TypedJSON {
  /// The most levels of nesting in the text of an archive; a record in a record adds four.
  static let depthLimit = 4 * ArchiveLimits().nestingDepth + 8
  /// The kinds of an optional slot: one that stores nil, and one that is left out in place of nil.
  static let (mayBeNil, mayBeAbsent) = ("nil", "absent")

  private static let names: [(tag: ArchiveTag, name: String)] = [
    (.bool, "bool"), (.int8, "int8"), (.int16, "int16"), (.int32, "int32"), (.int64, "int64"),
    (.int128, "int128"), (.uint8, "uint8"), (.uint16, "uint16"), (.uint32, "uint32"),
    (.uint64, "uint64"), (.uint128, "uint128"), (.float16, "float16"), (.float, "float32"),
    (.double, "float64"), (.date, "date"), (.string, "string"), (.url, "url"), (.bytes, "bytes"),
    (.uuid, "uuid"), (.reference, "reference"), (.conditionalReference, "conditional"),
    (.record, "record"), (.enumeration, "enumeration"), (.array, "array"), (.set, "set"),
    (.dictionary, "dictionary"),
  ]

  static func tag(named name: String) -> ArchiveTag? { names.first { $0.name == name }?.tag }

  /// The tag of a nil by its name; a number if the tag is unknown, null if the nil has none.
  static func name(of tag: ArchiveTag) -> JSONValue {
    if tag == .null { return .null }
    return names.first { $0.tag == tag }.map { .string($0.name) } ?? .number(tag.rawValue)
  }

  /// A number; NaN and infinities, which JSON does not have, are their bits in hexadecimal.
  static func real(_ value: Double, bits: UInt64, byteCount: Int) -> JSONValue {
    if value.isFinite { return .number("\(value)") }
    let digits = String(bits, radix: 16)
    return .string("0x" + String(repeating: "0", count: 2 * byteCount - digits.count) + digits)
  }

  static func real(_ value: Double) -> JSONValue {
    real(value, bits: value.bitPattern, byteCount: 8)
  }
}

extension Archive {
  /// The facts of the archive besides its objects.
  var typedFacts: [JSONValue.Member] {
    get throws {
      var values: [JSONValue.Member] = []
      for entry in valueEntries {
        switch ReservedValues.key(ofNumber: entry.number) {
        case .bundleVersion?:
          values.append(.init("bundleVersion", .string(reserved.bundleVersion ?? "")))
        case .userInterfaceIdiom?:
          values.append(.init("userInterfaceIdiom", .number(reserved.userInterfaceIdiom ?? 0)))
        case .timestamp?:
          let seconds = reserved.timestamp?.secondsSinceReferenceDate ?? 0
          values.append(.init("timestamp", TypedJSON.real(seconds)))
        case .systemVersion?:
          values.append(.init("systemVersion", .string(reserved.systemVersion ?? "")))
        default:
          let content: JSONValue = .array([
            .number(entry.tag.rawValue), .string(entry.bytes.hexadecimal),
          ])
          values.append(.init("\(entry.number)", content))
        }
      }
      var facts = [JSONValue.Member("format", .number(1))]
      if !values.isEmpty { facts.append(.init("archiveValues", .object(values))) }
      facts.append(.init("root", .number(rootID.rawValue)))
      let conditionals = try conditionalObjects.map { JSONValue.number($0?.rawValue ?? 0) }
      if !conditionals.isEmpty { facts.append(.init("conditionals", .array(conditionals))) }
      return facts
    }
  }
}

extension JSONWriter {
  /// Writes a record with its type, its version and its slots.
  mutating func write(typed record: DynamicRecord, case name: ArchiveKey? = nil) throws {
    beginObject()
    write([.init("type", .string(record.typeName))])
    if record.schemaVersion != 0 { write([.init("version", .number(record.schemaVersion))]) }
    if let name { write([.init("case", .string(name.name))]) }
    write(name: "values")
    beginArray()
    var absent = record.absentSlots[...]
    for (index, field) in record.fields.enumerated() {
      while let slot = absent.first, slot.index <= index { write(typed: absent.removeFirst()) }
      try write(typed: field)
    }
    for slot in absent { write(typed: slot) }
    endArray()
    endObject()
    try flushFullPiece()
  }

  private mutating func write(typed slot: AbsentSlot) {
    beginObject()
    write(slotOf: slot.key, in: slot.scope, TypedJSON.mayBeAbsent)
    write([.init("value", ["nil": TypedJSON.name(of: slot.tag)])])
    endObject()
  }

  private mutating func write(typed field: DynamicRecord.Field) throws {
    beginObject()
    let optional = field.omitsNil ? TypedJSON.mayBeAbsent : TypedJSON.mayBeNil
    write(slotOf: field.key, in: field.scope, field.optionalTag == nil ? nil : optional)
    write(name: "value")
    if case .null = field.value {
      write(["nil": TypedJSON.name(of: field.optionalTag ?? .null)])
    } else {
      try write(typed: field.value)
    }
    endObject()
  }

  private mutating func write(
    slotOf key: ArchiveKey, in scopes: [String], _ optional: String?
  ) {
    write([.init("key", .string(key.name))])
    if !scopes.isEmpty { write([.init("scopes", .strings(scopes))]) }
    if key.isReserved { write([.init("reserved", .bool(true))]) }
    if let optional { write([.init("optional", .string(optional))]) }
  }

  /// Writes a value as an object with one member, which is named by the tag.
  private mutating func write(typed value: DynamicValue) throws {
    beginObject()
    switch value {
    case .null: write([.init("nil", .null)])
    case .bool(let value): write([.init("bool", .bool(value))])
    case .signed(let value, let width): write([.init("int\(width)", .number(value))])
    case .unsigned(let value, let width): write([.init("uint\(width)", .number(value))])
    case .int128(let value): write([.init("int128", .number(value))])
    case .uint128(let value): write([.init("uint128", .number(value))])
    case .float16(let bits):
      let number = Double(Float(halfBits: bits))
      write([.init("float16", TypedJSON.real(number, bits: UInt64(bits), byteCount: 2))])
    case .float(let value):
      let bits = UInt64(value.bitPattern)
      write([.init("float32", TypedJSON.real(Double(value), bits: bits, byteCount: 4))])
    case .double(let value): write([.init("float64", TypedJSON.real(value))])
    case .date(let date):
      write([.init("date", TypedJSON.real(date.secondsSinceReferenceDate))])
    case .string(let text): write([.init("string", .string(text))])
    case .url(let url): write([.init("url", .string(url.string))])
    case .bytes(let bytes): write([.init("bytes", .string(bytes.hexadecimal))])
    case .uuid(let uuid): write([.init("uuid", .string("\(uuid)".lowercased()))])
    case .reference(let id): write([.init("reference", .number(id?.rawValue ?? 0))])
    case .conditionalReference(let reference):
      write([.init("conditional", .number(reference.number))])
    case .array(let values): try write(typed: values, named: "array")
    case .set(let values): try write(typed: values, named: "set")
    case .dictionary(let entries):
      write(name: "dictionary")
      beginArray()
      for entry in entries {
        beginArray()
        try write(typed: entry.key)
        try write(typed: entry.value)
        endArray()
      }
      endArray()
    case .record(let record):
      write(name: "record")
      try write(typed: record)
    case .enumeration(let name, let record):
      write(name: "enumeration")
      try write(typed: record, case: name)
    case .unknown(let tag, let bytes):
      let content: JSONValue = tag.isBit ? .bool(bytes.first == 1) : .string(bytes.hexadecimal)
      write([.init("unknown", .array([.number(tag.rawValue), content]))])
    }
    endObject()
    try flushFullPiece()
  }

  private mutating func write(typed values: DynamicValues, named name: String) throws {
    write(name: name)
    beginArray()
    for value in values { try write(typed: value) }
    endArray()
  }
}
