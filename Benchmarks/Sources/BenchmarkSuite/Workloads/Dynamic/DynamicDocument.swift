import BenchmarkHarness
import Foundation
import KeepsakeArchive
import KeepsakeDocuments

/// The tree as a document without types: dictionaries in arrays in dictionaries.
enum DynamicDocument {
  /// For the dynamic view of an archive.
  static func value(_ view: ViewRecord) -> DynamicValue {
    let frame = view.frame
    return .dictionary([
      entry("alpha", .double(view.alpha)), entry("background", .string(view.background)),
      entry("children", .array(view.children.map(value))),
      entry(
        "frame",
        .dictionary([
          entry("height", .double(frame.height)), entry("width", .double(frame.width)),
          entry("x", .double(frame.x)), entry("y", .double(frame.y)),
        ])),
      entry("identifier", .string(view.identifier)), entry("isHidden", .bool(view.isHidden)),
      entry("tag", .signed(view.tag, bitWidth: 64)),
      entry("text", view.text.map { .string($0) } ?? .null),
    ])
  }

  private static func entry(_ key: String, _ value: DynamicValue) -> DynamicEntry {
    DynamicEntry(key: .string(key), value: value)
  }

  /// For `JSONSerialization`.
  static func object(_ view: ViewRecord) -> [String: Any] {
    let frame = view.frame
    return [
      "alpha": view.alpha, "background": view.background, "children": view.children.map(object),
      "frame": ["height": frame.height, "width": frame.width, "x": frame.x, "y": frame.y],
      "identifier": view.identifier, "isHidden": view.isHidden, "tag": view.tag,
      "text": view.text ?? NSNull() as Any,
    ]
  }

  static func archive(_ document: DynamicValue) throws -> [UInt8] {
    try SingleObject.archive { $0.encode(document, forKey: "document") }
  }

  static func document(of bytes: [UInt8]) throws -> DynamicValue {
    let archive = try Archive(bytes)
    return try archive.object(archive.rootID).decode(DynamicValue.self, forKey: "document")
  }

  /// True when both documents have the same values in the same places.
  static func areSame(_ value: DynamicValue, _ object: Any) -> Bool {
    switch value {
    case .null: return object is NSNull
    case .bool(let flag): return object as? Bool == flag
    case .signed(let number, _): return object as? Int64 == number
    case .double(let number): return object as? Double == number
    case .string(let text): return object as? String == text
    case .array(let elements):
      guard let others = object as? [Any], others.count == elements.count else { return false }
      return zip(elements, others).allSatisfy { areSame($0, $1) }
    case .dictionary(let entries):
      guard let others = object as? [String: Any], others.count == entries.count else {
        return false
      }
      return entries.allSatisfy { entry in
        guard case .string(let key) = entry.key, let other = others[key] else { return false }
        return areSame(entry.value, other)
      }
    default: return false
    }
  }

  /// The number of dictionaries with an identifier, which shows that the document is complete.
  static func viewCount(_ value: DynamicValue) -> Int {
    switch value {
    case .dictionary(let entries):
      entries.reduce(entries.contains { $0.key == .string("identifier") } ? 1 : 0) {
        $0 + viewCount($1.value)
      }
    case .array(let elements): elements.reduce(0) { $0 + viewCount($1) }
    default: 0
    }
  }

  static func viewCount(_ object: Any) -> Int {
    if let dictionary = object as? [String: Any] {
      return dictionary.values.reduce(dictionary["identifier"] == nil ? 0 : 1) {
        $0 + viewCount($1)
      }
    }
    return (object as? [Any])?.reduce(0) { $0 + viewCount($1) } ?? 0
  }
}
