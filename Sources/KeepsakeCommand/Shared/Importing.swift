import CommandSupport
import Foundation
import Keepsake

extension ArchivedValue {
  /// A value of JSON: whole numbers as 64 bits, other numbers as `Double`, objects as records.
  init(_ json: JSONValue, from source: String) throws(Failure) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let text):
      if let value = Int64(text) {
        self = .signed(value, bitWidth: 64)
      } else if let value = UInt64(text) {
        self = .unsigned(value, bitWidth: 64)
      } else {
        guard let value = Double(text), value.isFinite else {
          throw Failure("\(source): the number \(text) is too large.", .damaged)
        }
        self = .double(value)
      }
    case .array(let values):
      var converted: [ArchivedValue] = []
      for value in values { converted.append(try ArchivedValue(value, from: source)) }
      self = .array(converted)
    case .object: self = .record(try ArchivedRecord(json, from: source))
    }
  }
}

extension ArchivedRecord {
  /// An object of JSON, or a record with one value.
  init(_ json: JSONValue, typeName: String = "", from source: String) throws(Failure) {
    guard case .object(let members) = json else {
      let value = try ArchivedValue(json, from: source)
      self.init(typeName: typeName, fields: [Field(key: "value", value: value)])
      return
    }
    var fields: [Field] = []
    for member in members {
      fields.append(
        Field(key: ArchiveKey(member.name), value: try ArchivedValue(member.value, from: source)))
    }
    self.init(typeName: typeName, fields: fields)
  }
}

/// A property list, whatever is in it.
struct PropertyList: Decodable {
  let value: ArchivedValue

  /// Reads a property list of XML or of the binary form.
  static func parse(_ bytes: [UInt8], from source: String) throws(Failure) -> ArchivedValue {
    var format = PropertyListSerialization.PropertyListFormat.xml
    let list = try? PropertyListDecoder().decode(
      PropertyList.self, from: Data(bytes), format: &format)
    // In the oldest form any word is a property list, so that it would be found everywhere.
    guard let list, format != .openStep else {
      throw Failure("\(source) is not a property list that can be read.", .damaged)
    }
    return list.value
  }

  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct TooDeep: Error {}

  init(from decoder: any Decoder) throws {
    guard decoder.codingPath.count < JSONParser.depthLimit else { throw TooDeep() }
    if let container = try? decoder.container(keyedBy: Name.self) {
      // In an order of its own, since a property list has none.
      let names = container.allKeys.sorted { $0.stringValue < $1.stringValue }
      let fields = try names.map { name in
        ArchivedRecord.Field(
          key: ArchiveKey(name.stringValue),
          value: try container.decode(PropertyList.self, forKey: name).value)
      }
      value = .record(ArchivedRecord(fields: fields))
    } else if var container = try? decoder.unkeyedContainer() {
      var values: [ArchivedValue] = []
      while !container.isAtEnd { values.append(try container.decode(PropertyList.self).value) }
      value = .array(values)
    } else {
      value = try Self.single(decoder.singleValueContainer())
    }
  }

  private static func single(_ container: any SingleValueDecodingContainer) throws -> ArchivedValue
  {
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Date.self) {
      return .date(ArchiveDate(secondsSinceReferenceDate: value.timeIntervalSinceReferenceDate))
    }
    if let value = try? container.decode(Data.self) { return .bytes(Array(value)) }
    if let value = try? container.decode(String.self) { return .string(value) }
    // A real number that is whole reads as an integer, too: Foundation does not tell which it was.
    if let value = try? container.decode(Int64.self) { return .signed(value, bitWidth: 64) }
    if let value = try? container.decode(UInt64.self) { return .unsigned(value, bitWidth: 64) }
    return .double(try container.decode(Double.self))
  }
}
