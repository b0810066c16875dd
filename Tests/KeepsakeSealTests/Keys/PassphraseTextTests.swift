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
}
