import FoundationEssentials
import KeepsakeCodable

/// Encodes a value and decodes it again as the same type.
func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
  try ArchiveDecoder().decode(Value.self, from: ArchiveEncoder().encode(value))
}

/// Encodes a value and decodes it as another type.
func reread<Value: Decodable>(_ value: some Encodable, as type: Value.Type) throws -> Value {
  try ArchiveDecoder().decode(type, from: ArchiveEncoder().encode(value))
}

/// The kind and the coding path of a decoding error, such as "typeMismatch contacts.[1].name".
func place(of error: (any Error)?) -> String? {
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

/// The place of an encoding error, and what it says of it.
func refusal(of error: (any Error)?) -> (place: String, text: String)? {
  guard case .invalidValue(_, let context) = error as? EncodingError else { return nil }
  let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
  return (path.joined(separator: "."), context.debugDescription)
}

struct Box<Value: Codable & Equatable>: Codable, Equatable {
  var value: Value
}
