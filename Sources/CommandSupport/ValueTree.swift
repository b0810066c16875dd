import Foundation
import Keepsake

/// A value as lines of a tree: in one line if it is short, otherwise with a line for each value in it.
///
/// Dates are in the form of ISO 8601. A long array, set or dictionary shows only its first values.
struct ValueTree {
  /// The maximum length of a line for a value that contains others.
  private static let longestLine = 80
  /// The most elements of an array, a set or a dictionary that are shown.
  private static let mostElements = 20

  private let body: (String) throws -> Void

  init(_ body: @escaping (String) throws -> Void) { self.body = body }

  /// Passes on the lines of a value under a name.
  func write(_ value: DynamicValue, named name: String, indent: String) throws {
    let head = "\(indent)\(name): \(value.typeDescription)"
    var room = Self.longestLine
    if let line = Self.line(value, &room) { return try body("\(head) = \(line)") }
    let inner = indent + "  "
    switch value {
    case .record(let record):
      try body(record.typeName.isEmpty ? head : "\(head) \(record.typeName.displayed)")
      try write(record, indent: inner)
    case .enumeration(let name, let record):
      try body("\(head) = .\(name)")
      try write(record, indent: inner)
    case .array(let values), .set(let values):
      try body("\(head) of \(values.count)")
      for (index, value) in values.prefix(Self.mostElements).enumerated() {
        try write(value, named: "[\(index)]", indent: inner)
      }
      try writeRest(of: values.count, inner)
    case .dictionary(let entries):
      try body("\(head) of \(entries.count)")
      for entry in entries.prefix(Self.mostElements) {
        try write(entry.value, named: "[\(entry.key.text(\.text))]", indent: inner)
      }
      try writeRest(of: entries.count, inner)
    default: try body("\(head) = \(value)")
    }
  }

  private func write(_ record: DynamicRecord, indent: String) throws {
    for field in record.fields {
      try write(field.value, named: field.name.shownForm, indent: indent)
    }
  }

  private func writeRest(of count: Int, _ indent: String) throws {
    guard count > Self.mostElements else { return }
    try body("\(indent)… \(count - Self.mostElements) more")
  }

  /// A value in one line; nil when it contains others and needs more than `room` characters.
  ///
  /// A value that contains no others takes one line, however long it is.
  private static func line(_ value: DynamicValue, _ room: inout Int) -> String? {
    func joined<Parts: Sequence>(
      _ parts: Parts, _ line: (Parts.Element, inout Int) -> String?
    ) -> String? {
      var texts: [String] = []
      for part in parts {
        guard let text = line(part, &room), take(text.count + 2, of: &room) else { return nil }
        texts.append(text)
      }
      return texts.joined(separator: ", ")
    }
    func fields(_ record: DynamicRecord) -> String? {
      joined(record.fields) { field, room in
        let name = field.name.shownForm
        guard take(name.count + 2, of: &room) else { return nil }
        return line(field.value, &room).map { "\(name): \($0)" }
      }
    }
    switch value {
    case .date(let date): return date.text
    case .array(let values): return joined(values) { line($0, &$1) }.map { "[\($0)]" }
    case .set(let values): return joined(values) { line($0, &$1) }.map { "{\($0)}" }
    case .dictionary(let entries):
      if entries.isEmpty { return "[:]" }
      return joined(entries) { entry, room in
        line(entry.value, &room).map { "\(entry.key.text(\.text)): \($0)" }
      }.map { "[\($0)]" }
    case .record(let record): return fields(record).map { "\(record.typeName.displayed)(\($0))" }
    case .enumeration(let name, let record):
      return record.fields.isEmpty ? ".\(name)" : fields(record).map { ".\(name)(\($0))" }
    default: return "\(value)"
    }
  }

  private static func take(_ count: Int, of room: inout Int) -> Bool {
    room -= count
    return room >= 0
  }
}

extension String {
  /// The name of a key for people: spelled out unless it is in Unicode's composed form (NFC).
  ///
  /// Names that look alike can differ in their form, and at most one of them is composed.
  package var shownForm: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    return utf8.elementsEqual(precomposedStringWithCanonicalMapping.utf8) ? self : spelledOut
  }
}
