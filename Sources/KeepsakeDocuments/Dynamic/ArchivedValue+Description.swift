import KeepsakeArchive

extension ArchivedValue: CustomStringConvertible {
  /// The value as an inspector shows it, on one line; long contents are cut short, and control
  /// characters are escaped.
  public var description: String {
    switch self {
    case .null: "nil"
    case .bool(let value): "\(value)"
    case .signed(let value, _): "\(value)"
    case .unsigned(let value, _): "\(value)"
    case .int128(let value): "\(value)"
    case .uint128(let value): "\(value)"
    case .float16(let bits): "\(Float(halfBits: bits))"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let value): value.debugDescription.displayed
    case .bytes(let value): ArchivedValue.describe(bytes: value)
    case .date(let value): "date(\(value.secondsSinceReferenceDate) s since 2001)"
    case .uuid(let value): "\(value)"
    case .url(let value): "<\(value.string.displayed)>"
    case .array(let values): "[\(ArchivedValue.join(values) { "\($0)" })]"
    case .dictionary(let entries):
      "[\(ArchivedValue.join(entries) { "\($0.key): \($0.value)" })]"
    case .set(let values): "{\(ArchivedValue.join(values) { "\($0)" })}"
    case .record(let record): record.typeName.displayed + ArchivedValue.describe(record)
    case .enumeration(let name, let record):
      ".\(name)" + (record.fields.isEmpty ? "" : ArchivedValue.describe(record))
    case .reference(let id): id.map { "object \($0)" } ?? "no object"
    case .conditionalReference(let reference):
      reference.number == 0 ? "no object" : "conditional reference \(reference.number)"
    case .unknown(let tag, let bytes): "\(tag) (\(bytes.count) bytes)"
    }
  }

  /// The kind and the width in words, such as "Int64".
  package var typeDescription: String { storedTag.description }

  private static func describe(_ record: ArchivedRecord) -> String {
    "(\(join(record.fields) { "\($0)" }))"
  }

  private static func describe(bytes: [UInt8]) -> String {
    let shown = bytes.prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "\(bytes.count) bytes" + (shown.isEmpty ? "" : " ")
      + shown.joined(separator: " ") + (bytes.count > 16 ? " …" : "")
  }

  /// Only the parts that are shown are described.
  private static func join<Part>(_ parts: [Part], _ describe: (Part) -> String) -> String {
    let shown = parts.prefix(20).map(describe).joined(separator: ", ")
    return parts.count > 20 ? "\(shown), … \(parts.count - 20) more" : shown
  }
}

extension ArchivedRecord.Field: CustomStringConvertible {
  /// The key with its scopes and the value, such as `Base.title: "Contacts"`.
  public var description: String { "\(name): \(value)" }

  /// The key after its scopes, such as `Base.title`, with control characters escaped.
  public var name: String { DisplayedPath.text(of: scope + [key.description]).displayed }
}
