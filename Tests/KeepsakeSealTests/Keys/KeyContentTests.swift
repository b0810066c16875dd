import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `The content of a file with a key of any kind` {
  private func content(
    _ bytes: [UInt8], of status: FileStatus? = nil
  ) throws(SealError) -> KeyContent {
    try KeyContent(copying: bytes.span, of: status, path: "/k")
  }

  private func text(_ identity: X25519Identity) throws -> [UInt8] {
    try identity.withText { text in text.indices.map { text[$0] } }
  }

  private func text(_ key: SealSigningKey) throws -> [UInt8] {
    try key.withText { text in text.indices.map { text[$0] } }
  }

  /// The bytes of a file that `store` writes.
  private func stored(_ store: (String) throws -> Void) throws -> [UInt8] {
    try withTemporaryDirectory { directory in
      try store(directory + "/f")
      return try contents(of: directory + "/f")
    }
  }

  @Test func `The beginning of a content decides its kind`() throws {
    let (identity, signingKey) = (try X25519Identity.generate(), try SealSigningKey.generate())
    let key = try SealKey.generate()
    let texts: [(KeyContent.Kind, [UInt8])] = [
      (.identities, try text(identity)), (.signingKey, try text(signingKey)),
      (.recipients, Array("\(identity.recipient)".utf8)),
      (.signers, Array("\(signingKey.signer)".utf8)),
      (.age, Array("AGE-SECRET-KEY-1ABC".utf8)), (.age, Array("age1abc".utf8)),
      (.unknown, Array("ssh-ed25519 AAAA".utf8)), (.unknown, Array("age".utf8)), (.unknown, []),
      (.unknown, Array("# only a comment".utf8)),
    ]
    for (kind, text) in texts {
      let other = String(decoding: text, as: UTF8.self)
      for text in [text, Array(other.lowercased().utf8), Array(other.uppercased().utf8)] {
        for before in [[], KeyContent.byteOrderMark, Array("\n# a comment\n \t".utf8)] {
          #expect(try content(before + text).kind == kind, "\(other)")
        }
      }
    }
    #expect(try content(stored { try key.write(to: $0) }).kind == .key)
    let secret = try stored { try key.write(to: $0, passphrase: SealPassphrase("p"), cost: .cheap) }
    #expect(try content(secret).kind == .keyUnderPassphrase)
  }

  @Test func `A content of more than 4096 bytes is of no kind`() throws {
    let text = try text(.generate() as X25519Identity)
    for (count, kind) in [(4_096, KeyContent.Kind.identities), (4_097, .unknown)] {
      let blanks = [UInt8](repeating: 0x20, count: count - text.count)
      #expect(try content(text + blanks).kind == kind)
    }
  }

  @Test func `A secret is refused in a regular file that others can read, and only there`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      let identity = try X25519Identity.generate()
      let secrets = [
        try text(identity), try text(.generate() as SealSigningKey),
        try stored { _ = try SealKey.create(at: $0) },
        try stored {
          _ = try SealKey.create(at: $0, passphrase: SealPassphrase("p"), cost: .cheap)
        },
      ]
      _ = try directory.createFile("file")
      #expect(run("mkfifo", path + "/pipe"))
      for mode in [0o600, 0o640, 0o604] {
        for name in ["file", "pipe"] { try setPermissions(mode, of: path + "/" + name) }
        let (file, pipe) = (try directory.status(of: "file"), try directory.status(of: "pipe"))
        for secret in secrets {
          let failure = error { try content(secret, of: file) }
          #expect(failure?.code == (mode == 0o600 ? nil : .keyFileOpenPermissions))
          #expect(failure?.path == (mode == 0o600 ? nil : "/k"))
          for status in [pipe, nil] { #expect(code { try content(secret, of: status) } == nil) }
        }
        for other in [Array("\(identity.recipient)".utf8), Array("age1abc".utf8), []] {
          #expect(code { try content(other, of: file) } == nil)
        }
      }
    }
  }

  @Test func `A key is read from its content, and an error names the path`() throws {
    let key = try SealKey.generate()
    let plain = try stored { try key.write(to: $0) }
    #expect(try content(plain).key().isEqual(to: key))
    let secret = try SealPassphrase("p")
    let sealed = try stored { try key.write(to: $0, passphrase: secret, cost: .cheap) }
    #expect(try content(sealed).key(passphrase: secret).isEqual(to: key))
    for failure in [
      error { try content(plain + [0]).key() }, error { try content(plain.dropLast()).key() },
      error { try content(sealed + [0]).key(passphrase: secret) },
      error { try content(sealed.dropLast()).key(passphrase: secret) },
    ] {
      #expect(failure?.code == .keyFileWrongLength && failure?.path == "/k")
    }
    let wrong = error { try content(sealed).key(passphrase: SealPassphrase("q")) }
    #expect(wrong == SealError(.noMatchingKey, path: "/k"))
  }

  @Test func `A content has any number of identities, in their order, and one signing key`() throws
  {
    let identities = try (0..<3).map { _ in try X25519Identity.generate() }
    let lines = try identities.map { try text($0) }.joined(separator: Array("\n# next\n".utf8))
    #expect(
      try content(KeyContent.byteOrderMark + lines).identities().map(\.recipient)
        == identities.map(\.recipient))
    let failure = error { try content(lines + [0x0A, 0x78]).identities() }
    #expect(failure?.code == .invalidIdentity && failure?.path == "/k")
    let signingKey = try SealSigningKey.generate()
    let line = try text(signingKey) + [0x0A]
    #expect(try content(line).signingKey().signer == signingKey.signer)
    let twice = error { try content(line + line).signingKey() }
    #expect(twice?.code == .invalidSigningKey && twice?.path == "/k")
  }
}
