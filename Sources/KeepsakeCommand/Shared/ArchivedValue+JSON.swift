import CommandSupport
import Foundation
import Keepsake

extension JSONValue {
  /// A value of an archive in the words of JSON: bytes in base 64, dates in ISO 8601, sets as arrays, references as
  /// the number of their object.
  init(_ value: ArchivedValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .signed(let value, _): self = .number(value)
    case .unsigned(let value, _): self = .number(value)
    case .int128(let value): self = .number(value)
    case .uint128(let value): self = .number(value)
    case .float(let value) where value.isFinite: self = .number("\(value)")
    case .float(let value): self = .string("\(value)")
    case .float16: self = Self.halfPrecision(value)
    case .double(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .bytes(let bytes): self = .string(Data(bytes).base64EncodedString())
    case .date(let date): self = .string(date.text)
    case .uuid(let uuid): self = .string("\(uuid)")
    case .url(let url): self = .string(url.string)
    case .array(let values), .set(let values): self = .array(values.map { JSONValue($0) })
    case .dictionary(let entries): self = Self.dictionary(entries)
    case .record(let record): self = JSONValue(record)
    case .enumeration(let name, let record) where record.fields.isEmpty: self = .string(name.name)
    case .enumeration(let name, let record):
      self = .object([Member(name.name, JSONValue(record))])
    case .reference(let id): self = id.map { ["object": .number($0.rawValue)] } ?? .null
    case .conditionalReference(let reference):
      self =
        reference.number == 0 ? .null : ["conditionalReference": .number(reference.number)]
    case .unknown(let tag, let bytes):
      self = [
        "unknown": .string("\(tag)"), "bytes": .string(Data(bytes).base64EncodedString()),
      ]
    }
  }

  /// The type and the version of a record, if it has them, and its values.
  init(_ record: ArchivedRecord) {
    var members: [Member] = []
    if !record.typeName.isEmpty {
      members.append(Member(KeySpelling.type, .string(record.typeName)))
    }
    if record.schemaVersion != 0 {
      members.append(Member(KeySpelling.schemaVersion, .number(record.schemaVersion)))
    }
    self = .object(members + Self.members(of: record))
  }

  /// The values of a record alone, under the names of their keys.
  init(valuesOf record: ArchivedRecord) { self = .object(Self.members(of: record)) }

  private static func members(of record: ArchivedRecord) -> [Member] {
    record.printedFields.map { Member($0.name, JSONValue($0.field.value)) }
  }

  /// The library describes it, also where there is no type for it.
  private static func halfPrecision(_ value: ArchivedValue) -> JSONValue {
    Double(value.description).map { .number($0) } ?? .string(value.description)
  }

  private static func dictionary(_ entries: [ArchivedEntry]) -> JSONValue {
    let members = entries.compactMap { entry -> Member? in
      guard case .string(let key) = entry.key else { return nil }
      return Member(key, JSONValue(entry.value))
    }
    if members.count == entries.count { return .object(members) }
    return .array(
      entries.map { ["key": JSONValue($0.key), "value": JSONValue($0.value)] })
  }
}
