import CommandSupport
import Keepsake

extension Failure {
  /// The failure for a document: its name, then `refusal`, then the error.
  init(_ error: ImportError, in source: String, _ refusal: String) {
    // The whole file is in another encoding: the fault needs no second subject.
    if error.code == .unsupportedEncoding, error.place == nil, error.message.hasPrefix("it ") {
      self.init("\(source) \(error.message.dropFirst(3)).", .damaged)
      return
    }
    self.init(
      "\(source) \(refusal): \(error.message)\(error.placeInBrackets).", .damaged)
  }
}

extension DynamicValue {
  /// A value of JSON: whole numbers as 64 bits or, if they are larger, 128, other numbers as `Double`, objects as
  /// records.
  init(_ json: JSONValue, from source: String) throws(Failure) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .string(let text): self = .string(text)
    case .number(let text): self = try Self.number(text, from: source)
    case .array(let values):
      var converted: [DynamicValue] = []
      for value in values { converted.append(try DynamicValue(value, from: source)) }
      self.init(elements: converted)
    case .object(let members):
      var fields: [DynamicRecord.Field] = []
      for member in members {
        fields.append(
          .init(key: ArchiveKey(member.name), value: try DynamicValue(member.value, from: source)))
      }
      self = .record(DynamicRecord(fields: fields))
    }
  }

  /// A number of JSON; one that would lose its value is refused.
  static func number(_ text: String, from source: String) throws(Failure) -> DynamicValue {
    // An integer cannot be -0.
    if text == "-0" { return .double(-0.0) }
    if !text.utf8.contains(where: { [0x2E, 0x45, 0x65].contains($0) }) {
      guard let value = DynamicValue(wholeNumber: text) else {
        throw Failure(
          "\(source): the whole number \(text.shortened) is too large for 128 bits, and an archive has no wider "
            + "integers; write it as text, in quotes.", .damaged)
      }
      return value
    }
    do throws(Double.DecimalFailure) {
      return .double(try Double(decimal: text))
    } catch {
      throw Failure("\(source): the number \(text.shortened) \(error.reason).", .damaged)
    }
  }
}
