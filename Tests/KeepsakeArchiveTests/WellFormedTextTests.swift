import KeepsakeArchive
import TestSupport
import Testing

/// The check of UTF-8, compared with that of the standard library.
@Suite struct `Well-formed text` {
  private struct Line: ArchiveRecord {
    var text: String

    init(_ text: String) {
      self.text = text
    }

    func encode(to coder: inout ObjectEncoder) { coder.encode(text, forKey: "text") }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      text = try coder.decode(forKey: "text")
    }
  }

  /// Expects that each of some texts of one length is read, or refused, as the standard library does.
  private static func check(_ texts: [[UInt8]]) throws {
    let length = texts[0].count
    let placeholder = String(repeating: "x", count: length)
    var writer = ArchiveWriter()
    try writer.writeObjects(texts.map { _ in Line(placeholder) }, typeName: "Line")
    var bytes = try writer.finish(root: first)
    var place = 0
    for text in texts {
      while !bytes[place..<place + length].allSatisfy({ $0 == UInt8(ascii: "x") }) { place += 1 }
      bytes.replaceSubrange(place..<place + length, with: text)
      place += length
    }
    var index = 0
    var different: [[UInt8]] = []
    try Archive(bytes).forEachObject { line in
      let read = try? line.decode(String.self, forKey: "text")
      let expected = String(validating: texts[index], as: UTF8.self)
      if read.map({ Array($0.utf8) }) != expected.map({ Array($0.utf8) }) {
        different.append(texts[index])
      }
      index += 1
    }
    #expect(different == [])
    #expect(index == texts.count)
  }

  /// The characters before and after it have one length, so that every path of the check is taken.
  @Test(arguments: ["x", "é", "東", "🗝"])
  func `Text is checked for any two first bytes of a character`(filler: String) throws {
    let filler = Array(filler.utf8)
    for before in 0..<4 {
      let texts = (0x80...0xFF).flatMap { lead in
        stride(from: 0, through: 0xFF, by: 5).map { second in
          var text = (0..<before).flatMap { _ in filler }
          text += [UInt8(lead), UInt8(truncatingIfNeeded: second + lead % 5)]
          // As many continuation bytes as the leading byte needs.
          let missing = lead < 0xE0 ? 0 : lead < 0xF0 ? 1 : 2
          text += [UInt8](repeating: 0x80, count: missing)
          while text.count + filler.count <= 24 { text += filler }
          return text + [UInt8](repeating: 0x79, count: 24 - text.count)
        }
      }
      try Self.check(texts)
    }
  }

  @Test func `Text is checked for random characters with one byte changed`() throws {
    var random = SeededGenerator(seed: 8)
    let characters = [
      "a", "é", "ж", "\u{7FF}", "\u{800}", "東", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "🗝",
      "\u{10FFFF}",
    ]
    .map { Array($0.utf8) }
    for length in [1, 7, 8, 9, 15, 16, 17, 40, 63, 64, 65, 100] {
      let texts = (0..<400).map { number in
        let kind = characters.randomElement(using: &random) ?? []
        var text: [UInt8] = []
        while text.count < length {
          let isSame = UInt8.random(in: 0..<4, using: &random) > 0
          text += isSame ? kind : characters.randomElement(using: &random) ?? []
        }
        // The last character may be cut off.
        text = Array(text.prefix(length))
        if number % 3 > 0 {
          text[Int.random(in: 0..<length, using: &random)] = UInt8.random(
            in: 0...255, using: &random)
        }
        // The letter x marks the places of texts, so it may not be in them.
        return text.map { $0 == UInt8(ascii: "x") ? UInt8(ascii: "z") : $0 }
      }
      try Self.check(texts)
    }
  }
}
