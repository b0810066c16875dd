import KeepsakeArchive

/// One long list of numbers.
struct Numbers<Number: ListedNumber>: Codable, Equatable, Sendable {
  var numbers: [Number]

  init(numbers: [Number]) {
    self.numbers = numbers
  }

  /// Makes `count` numbers between 0 and 1, the same on every machine.
  init(count: Int) {
    var random = PermutedCongruentialGenerator.published
    numbers = (0..<count).map { _ in Number.next(&random) }
  }

  var byteCount: Int { numbers.count * MemoryLayout<Number>.stride }
}

extension Numbers {
  func archive() throws -> [UInt8] {
    try SingleObject.archive { $0.encode(numbers, forKey: "numbers") }
  }

  init(unarchiving bytes: [UInt8]) throws {
    let archive = try Archive(bytes)
    let object = try archive.object(archive.rootID)
    self.init(numbers: try object.decode([Number].self, forKey: "numbers"))
  }
}

extension Numbers {
  /// The first and the last number, borrowed from the archive: nothing is copied.
  static func ends(of bytes: [UInt8]) throws -> [Number] {
    let archive = try Archive(bytes)
    let object = try archive.object(archive.rootID)
    return try object.withSpan(of: Number.self, forKey: "numbers") { numbers in
      [numbers[0], numbers[numbers.count - 1]]
    }
  }
}

extension Numbers: MessageConvertible {
  var message: Number.List { Number.list(of: numbers) }

  init(_ message: Number.List) {
    self.init(numbers: Number.numbers(of: message))
  }
}
