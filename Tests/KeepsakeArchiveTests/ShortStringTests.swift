import KeepsakeArchive
import TestSupport
import Testing

/// Strings around the length that Swift stores inline.
@Suite struct `Short strings` {
  private static func read(_ text: String) throws -> [String] {
    let archive = try archive { coder in
      coder.encode("before", forKey: "a")
      coder.encode(text, forKey: "b")
      coder.encode([text, "behind"], forKey: "c")
      coder.encode(text as String?, forKey: "d")
    }
    let object = try archive.object(first)
    return [
      try object.decode(String.self, forKey: "b"), try object.decode([String].self, forKey: "c")[0],
      try #require(try object.decode(String?.self, forKey: "d")),
    ]
  }

  @Test(arguments: 0...17)
  func `Short strings behave like the strings that were written`(length: Int) throws {
    var random = SeededGenerator(seed: UInt64(length))
    for _ in 0..<20 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0..<128, using: &random) }
      let written = String(decoding: bytes, as: UTF8.self)
      for read in try Self.read(written) {
        #expect(read == written)
        #expect(Array(read.utf8) == bytes)
        #expect(read.hashValue == written.hashValue)
        #expect(Set([written]).contains(read))
        #expect(read + read == written + written)
        var longer = read
        longer.append("é and more than fits")
        #expect(longer == written + "é and more than fits")
        #expect(read == written)
        #expect(read.dropLast() == written.dropLast())
      }
    }
  }

  @Test(arguments: 1...17)
  func `Short strings with one character outside ASCII are read back`(length: Int) throws {
    for place in 0..<length {
      for character in ["é", "€", "🗝"] {
        let written =
          String(repeating: "x", count: place) + character
          + String(repeating: "y", count: length - place - 1)
        for read in try Self.read(written) {
          #expect(Array(read.utf8) == Array(written.utf8))
          #expect(read.hashValue == written.hashValue)
        }
      }
    }
  }

  @Test(arguments: 1...17)
  func `A short string with an ill-formed byte is refused`(length: Int) throws {
    let text = String(repeating: "x", count: length)
    let bytes = try archiveBytes { $0.encode(text, forKey: "b") }
    let start = ArchiveMap(bytes).payload("b")
    for place in start..<start + length {
      var damaged = bytes
      damaged[place] = 0xFF
      let object = try Archive(damaged).object(first)
      let error = #expect(throws: ArchiveError.self) {
        try object.decode(String.self, forKey: "b")
      }
      #expect(error?.code == .invalidUTF8)
    }
  }
}
