import KeepsakeArchive

/// A name as the key of a dictionary, compared byte by byte like all names in an archive.
///
/// Swift's own `==` treats two Unicode spellings of "é" as equal.
struct NameKey: Hashable, Sendable {
  let name: String

  init(_ name: String) {
    self.name = name
  }

  static func == (left: NameKey, right: NameKey) -> Bool { left.name.hasSameBytes(as: right.name) }

  func hash(into hasher: inout Hasher) { name.hashBytes(into: &hasher) }
}

/// The names of types in archives.
enum StableName {
  private static let contextMark = "(unknown context at $"

  /// The name of a type, with its module and the types that enclose it.
  static func qualified(_ type: Any.Type) -> String { String(reflecting: type) }

  /// The module of a type, by its qualified name.
  static func module(ofTypeNamed name: String) -> String { String(name.prefix { $0 != "." }) }

  /// Whether a name is the same in every process.
  ///
  /// The runtime names a private or local type by an address, and likewise a generic type over such a type.
  static func isStable(_ name: String) -> Bool {
    // Searching for a string costs as much as restoring ten objects; ordinary names have no parenthesis.
    !name.utf8.contains(UInt8(ascii: "(")) || !name.contains(contextMark)
  }

  /// A name in the form for messages: without the module, and without the addresses of private types.
  static func shown(_ name: String) -> String {
    var shown = name
    while let start = shown.firstRange(of: contextMark)?.lowerBound,
      let end = shown[start...].firstIndex(of: ".")
    {
      shown.removeSubrange(start...end)
    }
    guard let dot = shown.firstIndex(of: "."), shown.index(after: dot) < shown.endIndex else {
      return shown
    }
    return String(shown[shown.index(after: dot)...])
  }
}
