import Foundation
import Keepsake

// The names of keys in JSON and CSV: no two keys of a record have the same name. The name of a key outside of scopes
// is the key itself. A name in angle brackets is not a plain key: `<Base>.count` is the key `count` in
// the scope `Base`, `<template>` a reserved key, `<type>` and `<schemaVersion>` are facts of the record.

/// The name of one key; a long one is cut in the middle, which ``DisplayedPath/mark`` shows.
struct PrintedName {
  private let scope: [String]
  private let key: ArchiveKey
  /// The text of a name that is cut; nil for any other one.
  let cutText: String?

  init(of field: DynamicRecord.Field) {
    (scope, key) = (field.scope, field.key)
    let isLong = KeySpelling.byteCount(scope, key) > DisplayedPath.mostBytes
    cutText = isLong ? DisplayedPath.text(of: scope + [key.description]) : nil
  }

  var text: String { cutText ?? KeySpelling.printed.name(scope, key) }
}

/// Numbers the names of a record that were cut to the same text.
struct CutNames {
  private var counts: [String: Int] = [:]

  /// The suffix of the next name with a text: empty for the first name in the record, then a number.
  mutating func ending(of text: String) -> String {
    let number = counts[text, default: 0] + 1
    counts[text] = number
    return number == 1 ? "" : "\(DisplayedPath.mark)\(number)"
  }
}

/// A way to write a key with its scopes.
enum KeySpelling: CaseIterable {
  /// The spelling of JSON and CSV, which no two keys of a record share.
  case printed
  /// The spelling of the tree of `inspect`, with periods.
  case shown
  /// The spelling of the tree in the composed form of Unicode, for a key that is typed in another form.
  case composed

  /// The facts of a record that are written in addition to its keys.
  static let (type, schemaVersion) = ("<type>", "<schemaVersion>")

  /// The bytes of a key and its scopes, without what a spelling adds.
  static func byteCount(_ scopes: [String], _ key: ArchiveKey) -> Int {
    scopes.reduce(key.name.utf8.count) { $0 + $1.utf8.count }
  }

  func name(_ scopes: [String], _ key: ArchiveKey) -> String {
    switch self {
    case .printed:
      scopes.isEmpty
        ? Self.printed(key)
        : scopes.map { "<\(Self.escaped($0))>." }.joined() + Self.printed(key)
    case .shown:
      (scopes + [key.isReserved ? "<\(key.name)>" : key.name]).joined(separator: ".")
    case .composed:
      KeySpelling.shown.name(scopes, key).precomposedStringWithCanonicalMapping
    }
  }

  /// A name that a user gave, to be compared with the names of this spelling.
  func name(given name: String) -> String {
    self == .composed ? name.precomposedStringWithCanonicalMapping : name
  }

  private static func printed(_ key: ArchiveKey) -> String {
    if !key.isReserved {
      let first = UInt8(truncatingIfNeeded: key.name.firstBytes >> 56)
      let isMarked = first == UInt8(ascii: "<") || first == UInt8(ascii: "\\")
      return isMarked ? "\\" + key.name : key.name
    }
    let name = "<\(escaped(key.name))>"
    return name == type || name == schemaVersion ? "<\\" + name.dropFirst() : name
  }

  /// A name between angle brackets, which has none of its own at its end.
  private static func escaped(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      if scalar == ">" || scalar == "\\" { text.append("\\") }
      text.append(scalar)
    }
    return String(text)
  }
}

/// Names that follow each other in the path of a value.
///
/// One key may take several names: its scopes are written with periods, and the key itself may have periods.
struct NameRun {
  private let spelling: KeySpelling
  private let text: [UInt8]
  /// How many names end at an offset of the text.
  private var counts: [Int: Int] = [:]

  init(_ names: [String], _ spelling: KeySpelling) {
    self.spelling = spelling
    var text: [UInt8] = []
    for (index, name) in names.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ".")) }
      text += spelling.name(given: name).utf8
      counts[text.count] = index + 1
    }
    self.text = text
  }

  /// How many of the names are those of a key; `nil` where it has others.
  func count(of key: ArchiveKey, in scopes: [String]) -> Int? {
    // No spelling makes a name shorter than a quarter of its bytes; so a longer key cannot match.
    guard KeySpelling.byteCount(scopes, key) <= 4 * text.count else { return nil }
    let name = spelling.name(scopes, key)
    guard text.starts(with: name.utf8) else { return nil }
    return counts[name.utf8.count]
  }
}
