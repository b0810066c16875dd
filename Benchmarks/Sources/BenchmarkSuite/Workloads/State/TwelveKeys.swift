import KeepsakeArchive

/// A scope of twelve keys, as in an ordinary view.
enum TwelveKeys {
  static let names: [ArchiveKey] = [
    "alpha", "background", "bounds", "center", "content", "enabled", "font", "hidden", "layer",
    "opaque", "style", "title",
  ]

  static func archive() throws -> [UInt8] {
    try SingleObject.archive { coder in
      for (index, key) in names.enumerated() { coder.encode(Int32(index + 1), forKey: key) }
    }
  }

  static func shuffled(_ count: Int) -> [ArchiveKey] {
    var random = PermutedCongruentialGenerator.published
    return (0..<count).map { _ in random.element(of: names) }
  }

  /// Reads all twelve by literal keys, in the order in which they were written.
  static func sumInOrder(_ coder: borrowing ObjectDecoder) throws(ArchiveError) -> Int32 {
    var sum = try coder.decode(Int32.self, forKey: "alpha")
    sum &+= try coder.decode(Int32.self, forKey: "background")
    sum &+= try coder.decode(Int32.self, forKey: "bounds")
    sum &+= try coder.decode(Int32.self, forKey: "center")
    sum &+= try coder.decode(Int32.self, forKey: "content")
    sum &+= try coder.decode(Int32.self, forKey: "enabled")
    sum &+= try coder.decode(Int32.self, forKey: "font")
    sum &+= try coder.decode(Int32.self, forKey: "hidden")
    sum &+= try coder.decode(Int32.self, forKey: "layer")
    sum &+= try coder.decode(Int32.self, forKey: "opaque")
    sum &+= try coder.decode(Int32.self, forKey: "style")
    sum &+= try coder.decode(Int32.self, forKey: "title")
    return sum
  }

  /// Reads a list of keys.
  static func sum(
    of keys: [ArchiveKey], _ coder: borrowing ObjectDecoder
  ) throws(ArchiveError) -> Int32 {
    var sum: Int32 = 0
    for key in keys { sum &+= try coder.decode(Int32.self, forKey: key) }
    return sum
  }
}
