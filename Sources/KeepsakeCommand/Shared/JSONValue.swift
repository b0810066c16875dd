import Keepsake

/// A value of JSON, with the keys of its objects in their order and its numbers as they are written.
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

  static func number(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

  /// Not a number and the infinities, which JSON does not have, become text.
  static func number(_ value: Double) -> JSONValue {
    value.isFinite ? .number("\(value)") : .string("\(value)")
  }

  static func strings(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }

  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// The text, with what steers a terminal escaped; in one line, or indented.
  func text(indented: Bool = false) -> String {
    var text = ""
    append(to: &text, indent: indented ? 0 : nil)
    return text
  }

  private func append(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let value): JSONValue.append(value, to: &text)
    case .array(let values):
      JSONValue.append(values, between: ("[", "]"), to: &text, indent: indent) {
        $0.append(to: &$2, indent: $1)
      }
    case .object(let members):
      JSONValue.append(members, between: ("{", "}"), to: &text, indent: indent) {
        JSONValue.append($0.name, to: &$2)
        $2 += $1 == nil ? ":" : ": "
        $0.value.append(to: &$2, indent: $1)
      }
    }
  }

  private static func append<Element>(
    _ elements: [Element], between ends: (String, String), to text: inout String, indent: Int?,
    _ append: (Element, Int?, inout String) -> Void
  ) {
    text += ends.0
    let inner = indent.map { $0 + 1 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: "  ", count: inner) }
      append(element, inner, &text)
    }
    if let indent, !elements.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
    text += ends.1
  }

  private static func append(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly all strings have nothing to be escaped.
    if string.utf8.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }) {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case _ where scalar.steersDisplay:
        for unit in Character(scalar).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object without the members that have no value.
  init(dictionaryLiteral elements: (String, JSONValue?)...) {
    self = .object(elements.compactMap { name, value in value.map { Member(name, $0) } })
  }
}
