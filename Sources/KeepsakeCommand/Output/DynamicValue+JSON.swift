import CommandSupport
import Foundation
import Keepsake

// Values of archives in the words of JSON: bytes in base 64, dates in ISO 8601, sets as arrays, references as the
// number of their object.

extension DynamicValue {
  /// The value in JSON; nil for a value that contains other values.
  var plainJSON: JSONValue? {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .signed(let value, _): .number(value)
    case .unsigned(let value, _): .number(value)
    case .int128(let value): .number(value)
    case .uint128(let value): .number(value)
    case .float(let value): value.isFinite ? .number("\(value)") : .string("\(value)")
    // The library's description also works on systems without the type `Float16`.
    case .float16: Double(description).map { .number($0) } ?? .string(description)
    case .double(let value): .number(value)
    case .string(let value): .string(value)
    case .bytes(let bytes): .string(Data(bytes).base64EncodedString())
    case .date(let date): .string(date.text)
    case .uuid(let uuid): .string("\(uuid)")
    case .url(let url): .string(url.string)
    case .array, .set, .dictionary, .record: nil
    case .enumeration(let name, let record): record.fields.isEmpty ? .string(name.name) : nil
    case .reference(let id): id.map { ["object": .number($0.rawValue)] } ?? .null
    case .conditionalReference(let reference):
      reference.number == 0 ? .null : ["conditionalReference": .number(reference.number)]
    case .unknown(let tag, let bytes):
      ["unknown": .string("\(tag)"), "bytes": .string(Data(bytes).base64EncodedString())]
    }
  }

  /// The value in one line of JSON.
  var jsonText: String {
    get throws {
      var writer = JSONWriter()
      try walk(&writer)
      return writer.text
    }
  }

  /// The value itself if it is a text, otherwise the value in one line of JSON.
  var plainText: String {
    get throws {
      if case .string(let text)? = plainJSON { text } else { try jsonText }
    }
  }
}
