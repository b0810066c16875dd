import Keepsake

/// A JSON value that keeps the order of an object's keys, and numbers as they are written.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  struct Member: Equatable {
    var name: String
    var value: JSONValue

    init(_ name: String, _ value: JSONValue) {
      (self.name, self.value) = (name, value)
    }
  }

  static func number(_ value: some BinaryInteger) -> JSONValue { .number(value.description) }

  /// Not a number and the infinities, which JSON does not have, become text.
  static func number(_ value: Double) -> JSONValue {
    value.isFinite ? .number(value.description) : .string(value.description)
  }

  static func strings(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }

  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// The text, with an escape for each character that controls a terminal; in one line, or indented.
  func text(indented: Bool = false) -> String {
    var writer = JSONWriter(indented: indented)
    writer.write(self)
    return writer.text
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object without the members that have no value.
  init(dictionaryLiteral elements: (String, JSONValue?)...) {
    self = .object(elements.compactMap { name, value in value.map { Member(name, $0) } })
  }
}
