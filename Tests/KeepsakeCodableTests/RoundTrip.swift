import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

/// Encodes a value and decodes it again as the same type.
func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
  try ArchiveDecoder().decode(Value.self, from: ArchiveEncoder().encode(value))
}

/// Encodes a value and decodes it as another type.
func reread<Value: Decodable>(_ value: some Encodable, as type: Value.Type) throws -> Value {
  try ArchiveDecoder().decode(type, from: ArchiveEncoder().encode(value))
}

/// The stored form of a value; its archive must be canonical.
func storedValue(of value: some Encodable) throws -> DynamicValue {
  let archive = try Archive(ArchiveEncoder().encode(value))
  #expect(try archive.verdict() == .canonical)
  return try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "value")
}

/// The kind and the coding path of the error that reading a value as another type throws.
func refusal<Value: Decodable>(of value: some Encodable, as type: Value.Type) throws -> String? {
  let data = try ArchiveEncoder().encode(value)
  let error = #expect(throws: DecodingError.self) {
    try ArchiveDecoder().decode(type, from: data)
  }
  return kindAndPath(of: error)
}

/// The kind and the coding path of a decoding error, such as "typeMismatch contacts.[1].name".
func kindAndPath(of error: (any Error)?) -> String? {
  let (kind, context): (String, DecodingError.Context)
  switch error as? DecodingError {
  case .typeMismatch(_, let found): (kind, context) = ("typeMismatch", found)
  case .valueNotFound(_, let found): (kind, context) = ("valueNotFound", found)
  case .keyNotFound(let key, let found):
    (kind, context) = ("keyNotFound(\(key.stringValue))", found)
  case .dataCorrupted(let found): (kind, context) = ("dataCorrupted", found)
  default: return nil
  }
  let path = context.codingPath.map { key in
    key.intValue.map { "[\($0)]" } ?? key.stringValue
  }
  return "\(kind) \(path.joined(separator: "."))"
}

/// The path and the text of an encoding error.
func refusal(of error: (any Error)?) -> (place: String, text: String)? {
  guard case .invalidValue(_, let context) = error as? EncodingError else { return nil }
  let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
  return (path.joined(separator: "."), context.debugDescription)
}

struct Box<Value: Codable & Equatable>: Codable, Equatable {
  var value: Value
}

/// Values that are encoded and decoded one by one through a container, not as an array.
struct OneByOne<Value: Codable & Equatable>: Codable, Equatable {
  var values: [Value]

  init(values: [Value]) { self.values = values }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    values = []
    while !container.isAtEnd { values.append(try container.decode(Value.self)) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for value in values { try container.encode(value) }
  }
}

/// Two arrays of the same values that are filled alternately, so that both are kept until they are complete.
struct InTurns<Value: Encodable>: Encodable {
  var values: [Value]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    var first = container.nestedUnkeyedContainer()
    var second = container.nestedUnkeyedContainer()
    for value in values {
      try first.encode(value)
      try second.encode(value)
    }
  }
}
