import CommandSupport
import Foundation
import Testing

@testable import KeepsakeCommand

@Suite struct `The text form of a sealed file` {
  // The vector of Spec/armor.md, section 4.
  private static let content = Array("Keepsake, as text. ".utf8) + (0..<40).map { UInt8($0) }
  private static let text = """
    -----BEGIN KEEPSAKE SEALED FILE-----
    S2VlcHNha2UsIGFzIHRleHQuIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhsc
    HR4fICEiIyQlJic=
    =258d5866
    -----END KEEPSAKE SEALED FILE-----

    """

  @Test func `The vector of the specification is written and read`() throws {
    #expect(try ArmoredText.text(of: Self.content) == Self.text)
    #expect(try ArmoredText.decode(Array(Self.text.utf8), from: "it") == Self.content)
    #expect(ArmoredText.checksum(of: Array("123456789".utf8)) == "cbf43926")
  }

  @Test func `Mail may change line ends and add blanks`() throws {
    let mailed =
      "\u{FEFF}\r\n\r\n" + Self.text.replacing("\n", with: "  \r\n") + "\r\n \t\r\n"
    #expect(ArmoredText.isArmored(Array(mailed.utf8)))
    #expect(try ArmoredText.decode(Array(mailed.utf8), from: "it") == Self.content)
  }

  @Test(
    arguments: [
      ("S2Vlc", "S2Vld", "checksum"), ("S2Vlc", "S2V?c", "base 64"), ("AABA", "AAB", "characters"),
      ("=@@", "@@", "checksum"), ("-----END", "-----ENDE", "missing"),
      ("-----BEGIN", "x-----BEGIN", "begin"),
    ])
  func `A text that was damaged is refused with the reason`(
    part: String, damaged: String, reason: String
  ) {
    let part = part == "=@@" ? "=" + ArmoredText.checksum(of: Self.content) : part
    let text = Self.text.replacing(part, with: damaged)
    let failure = refusal { try ArmoredText.decode(Array(text.utf8), from: "it") }
    #expect(failure?.status == .damaged)
    #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
  }

  @Test func `Every missing line is noticed`() {
    let lines = Self.text.split(separator: "\n").map(String.init)
    for missing in lines.indices {
      var rest = lines
      rest.remove(at: missing)
      let text = Array(rest.joined(separator: "\n").utf8)
      #expect(refusal { try ArmoredText.decode(text, from: "it") }?.status == .damaged)
    }
    let followed = Array((Self.text + "more\n").utf8)
    #expect(refusal { try ArmoredText.decode(followed, from: "it") }?.status == .damaged)
  }

  @Test func `A text is sealed, opened from a file and a pipe, and not changed in place`() throws {
    try Workplace.with { place in
      try place.succeed("keygen", "key", "key")
      for content in ["", "a note", String(repeating: "many lines\n", count: 10_000)] {
        try place.write("plain", content)
        let text = try place.succeed("seal", "plain", "-k", "key", "--armor").data
        #expect(String(decoding: text, as: UTF8.self).hasPrefix("-----BEGIN KEEPSAKE"))
        try place.succeed("seal", "plain", "-k", "key", "--armor", "-o", "text")
        #expect(try place.succeed("open", "text", "-k", "key").output == content)
        #expect(try place.succeed("open", "-k", "key", input: text).output == content)
        try place.succeed("verify", "text", "-k", "key")
        #expect(try place.fail(64, "reseal", "text", "-k", "key").contains("text form"))
      }
    }
  }

  @Test func `The error of a text inside a mail names this as the reason`() throws {
    try Workplace.with { place in
      try place.write("mail", "Dear Ada,\n\n" + Self.text)
      try place.write("answer", "> " + Self.text.replacing("\n", with: "\n> "))
      for name in ["mail", "answer"] {
        let told = try place.fail(65, "inspect", name)
        #expect(told.contains("within another text. Copy only the lines"), "\(told)")
        #expect(
          try place.fail(65, "inspect", "-", input: place.read(name))
            == told.replacing(name, with: "standard input"))
      }
    }
  }
}
