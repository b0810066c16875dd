import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Identity files` {
  @Test func `A new identity is stored for its owner alone, and read back`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/identity"
      let identity = try X25519Identity.create(at: path)
      #expect(try X25519Identity.read(at: path).recipient == identity.recipient)
      #expect(try permissions(of: path) == 0o600)
      #expect(try names(in: directory) == ["identity"])
      let lines = String(decoding: try contents(of: path), as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 3 && lines[2].isEmpty)
      #expect(lines[0] == "# recipient: \(identity.recipient)")
      #expect(lines[1].hasPrefix("KEEPSAKE-SECRET-KEY-1"))
    }
  }

  // Holds [S-122].
  @Test func `An existing file is never replaced`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/identity"
      try write([1], to: path)
      #expect(code { try X25519Identity.create(at: path) } == .alreadyExists)
      let identity = try X25519Identity.generate()
      #expect(code { try identity.write(to: path) } == .alreadyExists)
      #expect(try contents(of: path) == [1])
    }
  }

  @Test func `An identity file that is absent, or that others can read, is refused`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/identity"
      #expect(error { try X25519Identity.read(at: path) } == SealError(.keyFileAbsent, path: path))
      _ = try X25519Identity.create(at: path)
      try setPermissions(0o640, of: path)
      #expect(code { try X25519Identity.read(at: path) } == .keyFileOpenPermissions)
    }
  }

  @Test func `Comments and blank lines are skipped, also without a line end`() throws {
    let identity = try X25519Identity.generate()
    let text = try identity.withText { text in text.indices.map { text[$0] } }
    for contents in [text, Array("# one\n\n \t\r\n#two\n".utf8) + text + Array("\r\n# three".utf8)]
    {
      #expect(try read(contents)?.recipient == identity.recipient)
    }
  }

  @Test func `A file without exactly one identity is refused`() throws {
    let identity = try X25519Identity.generate()
    let text = try identity.withText { text in text.indices.map { text[$0] } } + [0x0A]
    for contents in [
      [], [0x0A], Array("# comment".utf8), text + text, Array(text.dropLast(2)),
      Array(identity.recipient.description.utf8), text + [UInt8](repeating: 0x20, count: 5000),
      Array("x# no comment\n".utf8) + text, [0xEF, 0xBB, 0xBF] + text, [0] + text, text + [0x0B],
      Array(text.dropLast()) + [0x0D] + text,
      text + [UInt8](repeating: 0x20, count: 4097 - text.count),
    ] {
      #expect(code { try read(contents) } == .invalidIdentity)
    }
  }

  /// Spec/seal.md, section 9.2: the parts of a line that are ignored.
  @Test func `Blanks around a line or before a comment, and other line ends, are ignored`() throws {
    let identity = try X25519Identity.generate()
    let line = try identity.withText { text in text.indices.map { text[$0] } }
    for contents in [
      Array(" \t# a comment\r\n".utf8) + line + Array("\r\n".utf8),
      Array("\r\r# a comment\n \t ".utf8) + line + Array(" \t\r".utf8),
      Array("#".utf8) + [0, 0xFF, 0x0D, 0x0B, 0x0A] + line, Array("\r\n\r\n".utf8) + line,
      line + [UInt8](repeating: 0x20, count: 4096 - line.count),
    ] {
      #expect(try read(contents)?.recipient == identity.recipient)
    }
  }

  private func read(_ contents: [UInt8]) throws -> X25519Identity? {
    try withTemporaryDirectory { directory in
      let path = directory + "/identity"
      try write(contents, to: path)
      try setPermissions(0o600, of: path)
      return try X25519Identity.read(at: path)
    }
  }
}
