import Testing

@testable import KeepsakeSeal

@Suite struct `Passphrases as text` {
  @Test func `A text of 1 to 4096 bytes is taken as its UTF-8`() throws {
    for text in ["p", "pass phrase ", "Ünïcode 🔑", String(repeating: "é", count: 2_048)] {
      #expect(
        try SealPassphrase(text).isEqual(to: SealPassphrase(copying: Array(text.utf8).span)))
    }
    #expect(try !SealPassphrase("p").isEqual(to: SealPassphrase("P")))
    for text in ["", String(repeating: "é", count: 2_048) + "x"] {
      #expect(code { try SealPassphrase(text) } == .invalidPassphrase)
    }
  }

  // A Hangul syllable in three letters has 9 bytes, and 3 in form C.
  @Test(arguments: [(1, nil), (2, 4_097), (3, 4_098), (4, 12_289)])
  func `Text of up to 4096 bytes in form C is taken, and longer text is not converted first`(
    count: Int, refused: Int?
  ) throws {
    let text =
      String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 1_365)
      + String(repeating: "p", count: count)
    for failure in [
      error { try SealPassphrase(text) }, error { try SealPassphrase(text: Array(text.utf8).span) },
    ] {
      #expect(failure?.code == refused.map { _ in .invalidPassphrase })
      #expect(failure?.detail == refused.map { "it has \($0) bytes" })
    }
  }
}
