import KeepsakeArchive

/// A coding key that no type declares, such as an index of an array, or the superclass.
///
/// Its text is made only when it is read, because each element of an array gets such a key.
enum PathKey: CodingKey {
  case index(Int)
  case named(String)
  /// The key of a dictionary's entry; its integer value is the integer that its text spells, if it spells one.
  case entry(String)

  /// The key that `superEncoder()` and `superDecoder()` use.
  static var `super`: PathKey { .named("super") }

  init(_ index: Int) {
    self = .index(index)
  }

  init?(stringValue: String) {
    self = .named(stringValue)
  }

  init?(intValue: Int) {
    self = .index(intValue)
  }

  /// The coding key of the value under a key of a dictionary; an index for a key that names nothing.
  static func entryKey<Key>(_ key: Key, at index: Int) -> any CodingKey {
    if Key.self == String.self { return PathKey.entry(identical(key, as: String.self)) }
    return (key as? any CodingKeyRepresentable)?.codingKey ?? PathKey(index)
  }

  var stringValue: String {
    switch self {
    case .index(let index): "Index \(index)"
    case .named(let name), .entry(let name): name
    }
  }

  var intValue: Int? {
    switch self {
    case .index(let index): index
    case .entry(let name): Int(name)
    case .named: nil
    }
  }
}
