/// A step of a coding path that no type declares: a position in an array, or the superclass.
///
/// Its text is made when it is read, since a key is made for every element of an array.
enum PathKey: CodingKey {
  case index(Int)
  case superclass
  case named(String)
  /// The key of a dictionary's entry, as the library has it.
  case entry(String)

  /// The key that `superEncoder()` and `superDecoder()` use.
  static var `super`: PathKey { .superclass }

  init(_ index: Int) {
    self = .index(index)
  }

  init?(stringValue: String) {
    self = .named(stringValue)
  }

  init?(intValue: Int) {
    self = .index(intValue)
  }

  var stringValue: String {
    switch self {
    case .index(let index): "Index \(index)"
    case .superclass: "super"
    case .named(let name), .entry(let name): name
    }
  }

  var intValue: Int? {
    switch self {
    case .index(let index): index
    case .entry(let name): Int(name)
    case .superclass, .named: nil
    }
  }
}
