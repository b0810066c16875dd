/// A step of a coding path that no type declares: a position in a row, or the superclass.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// The key that `superEncoder()` and `superDecoder()` use.
  static let `super` = PathKey(name: "super")

  init(_ index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  private init(name: String) {
    stringValue = name
    intValue = nil
  }

  init?(stringValue: String) {
    self.init(name: stringValue)
  }

  init?(intValue: Int) {
    self.init(intValue)
  }
}
