import Testing

@testable import KeepsakeSeal

@Suite struct `The text form of recipients and identities` {
  private let identity: X25519Identity
  private let recipient: String
  private let secret: [UInt8]

  init() throws {
    identity = try X25519Identity(copying: pattern(32).span)
    recipient = identity.recipient.description
    secret = try identity.withText { text in text.indices.map { text[$0] } }
  }

  private func detail(_ text: String) -> String? {
    error { try X25519Recipient(text) }?.detail
  }

  private func secretDetail(_ text: [UInt8]) -> String? {
    error { try X25519Identity(text: text.span) }?.detail
  }

  @Test func `A text is read in either case, with spaces and line ends around it`() throws {
    #expect(recipient.count == 67)
    #expect(secret.count == 79)
    for text in [recipient, recipient.uppercased(), " \t\(recipient)\r\n"] {
      #expect(try X25519Recipient(text) == identity.recipient)
    }
    let lower = Array(String(decoding: secret, as: UTF8.self).lowercased().utf8)
    for text in [secret, lower, [0x20] + secret + [0x0A]] {
      #expect(try X25519Identity(text: text.span).recipient == identity.recipient)
    }
  }

  @Test func `Every single changed character is detected`() throws {
    let text = Array(recipient.utf8)
    for index in text.indices {
      for character in Bech32.alphabet where character != text[index] {
        var changed = text
        changed[index] = character
        let string = String(decoding: changed, as: UTF8.self)
        #expect(code { try X25519Recipient(string) } == .invalidRecipient)
      }
    }
  }

  @Test func `Two exchanged neighbours are detected`() throws {
    let text = Array(recipient.utf8)
    for index in 9..<text.count - 1 where text[index] != text[index + 1] {
      var changed = text
      changed.swapAt(index, index + 1)
      #expect(
        detail(String(decoding: changed, as: UTF8.self))
          == "its checksum does not fit: a character is wrong, or two are exchanged")
    }
  }

  @Test func `The error names the fault and its place`() throws {
    #expect(detail(" \n") == "it is empty")
    #expect(detail("age1xyz") == "it does not begin with \"keepsake1\"")
    #expect(
      detail(String(recipient.dropLast(3))) == "it has 64 characters instead of 67")
    #expect(detail(recipient + "qq") == "it has 69 characters instead of 67")
    #expect(
      detail("keepsake1B" + recipient.dropFirst(10))
        == "it mixes upper and lower case")
    #expect(
      detail("keepsake1b" + recipient.dropFirst(10))
        == "\"b\" at place 10 never occurs in such a text")
    #expect(
      detail("keepsake1 " + recipient.dropFirst(10))
        == "the character at place 10 never occurs in such a text")
    #expect(
      detail(String(decoding: secret, as: UTF8.self)) == "it is the secret text of an identity")
    #expect(secretDetail(Array(recipient.utf8)) == "it is a recipient")
  }

  @Test func `The error repeats a wrong character of a recipient if it can be printed`() {
    for character in ["!", "b", "~"] {
      #expect(
        detail("keepsake1\(character)" + recipient.dropFirst(10))
          == "\"\(character)\" at place 10 never occurs in such a text")
    }
    for character in ["\0", "\u{1F}", " ", "\u{7F}"] {
      #expect(
        detail("keepsake1\(character)" + recipient.dropFirst(10))
          == "the character at place 10 never occurs in such a text")
    }
  }

  @Test func `The error does not repeat a secret`() throws {
    var text = secret
    text[30] = UInt8(ascii: "B")
    #expect(secretDetail(text) == "the character at place 31 never occurs in such a text")
    let sentence = error { try X25519Identity(text: text.span) }?.description
    #expect(
      sentence == "This is not an X25519 identity (the character at place 31 never occurs in such"
        + " a text). Copy the whole identity again; it begins with KEEPSAKE-SECRET-KEY-1.")
  }

  @Test func `One key has one text`() throws {
    // The last group holds one bit of the key; the other four are zero.
    var checksum = Bech32.Checksum(prefix: Array("keepsake".utf8))
    let values: [UInt8] = (0..<51).map { UInt8($0 % 32) } + [16 | 1]
    values.forEach { checksum.add($0) }
    let text =
      "keepsake1"
      + String(
        decoding: (values + checksum.values()).map { Bech32.alphabet[Int($0)] }, as: UTF8.self)
    #expect(detail(text) == "its last bits are not zero")
  }

  @Test func `Hostile texts of any length end in an error`() throws {
    for length in [0, 1, 8, 9, 10, 66, 68, 1_000_000] {
      let text = [UInt8](repeating: 0xFF, count: length)
      #expect(code { try X25519Identity(text: text.span) } == .invalidIdentity)
      let begun = Array("keepsake1".utf8) + text
      let string = String(decoding: begun, as: UTF8.self)
      #expect(code { try X25519Recipient(string) } == .invalidRecipient)
    }
  }
}
