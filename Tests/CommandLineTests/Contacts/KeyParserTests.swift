import TerminalScreen
import Testing

@Suite struct `The keys of a terminal` {
  private func keys(_ parts: String...) -> [TerminalKey] {
    var parser = TerminalKeyParser()
    return parts.flatMap { parser.keys(in: Array($0.utf8)) } + parser.decide()
  }

  @Test func `Keys are found in the bytes of a terminal`() {
    #expect(
      keys("aé漢\r\n\t\u{7F}\u{8}") == [
        .character("a"), .character("é"), .character("漢"), .enter, .enter, .tab, .backspace,
        .backspace,
      ])
    #expect(keys("\u{3}\u{1A}") == [.control("c"), .control("z")])
    #expect(
      keys("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}[D\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~\u{1B}[5~\u{1B}[6~")
        == [.up, .down, .right, .left, .home, .end, .home, .end, .pageUp, .pageDown])
    #expect(keys("\u{1B}[3~\u{1B}[Z") == [.delete, .backTab])
  }

  @Test func `The parser finds the same keys however the bytes are split`() {
    let whole = "é\u{1B}[A漢\u{1B}[5~x"
    let bytes = Array(whole.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var parser = TerminalKeyParser()
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
        let keys = parts.flatMap { parser.keys(in: Array($0)) }
        #expect(keys == [.character("é"), .up, .character("漢"), .pageUp, .character("x")])
        #expect(!parser.isUndecided)
      }
    }
  }

  @Test func `An escape byte is the escape key unless it begins a sequence`() {
    #expect(keys("\u{1B}") == [.escape])
    #expect(keys("\u{1B}", "x") == [.escape, .character("x")])
    #expect(keys("\u{1B}\u{1B}[A\u{1B}") == [.escape, .up, .escape])
    #expect(keys("\u{1B}[") == [.escape])
  }

  @Test func `The parser ignores bytes that are not a key`() {
    var parser = TerminalKeyParser()
    #expect(parser.keys(in: [0xFF, 0x61, 0xC3, 0x28, 0x00]) == [.character("a"), .character("(")])
    #expect(keys("\u{1B}[99;99Q") == [])
    #expect(keys("\u{1B}[" + String(repeating: "1", count: 5_000), "x") == [.character("x")])
  }
}
