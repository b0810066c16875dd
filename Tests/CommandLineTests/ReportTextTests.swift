import CommandSupport
import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `The progress of an operation` {
  @Test(
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (2, "2 bytes"), (1_023, "1023 bytes"), (1_024, "1.0 KiB"),
      (1_536, "1.5 KiB"), (1 << 20, "1.0 MiB"), (5 << 29, "2.5 GiB"), (1 << 40, "1.0 TiB"),
      (1 << 52, "4096.0 TiB"),
    ])
  func `Byte counts have units and one decimal`(count: Int, text: String) {
    #expect(ByteCount.text(count) == text)
  }

  @Test func `Progress shows how much is done, how fast, and how long the rest takes`() {
    let text = { (done: Int, total: Int?, seconds: Double) in
      Progress.text(of: done, total, after: .milliseconds(Int64(seconds * 1_000)))
    }
    #expect(text(1_024, 4_096, 1) == "1.0 KiB of 4.0 KiB, 25 %, 1.0 KiB/s, 3 s left")
    #expect(text(1_024, 4_096, 0.5) == "1.0 KiB of 4.0 KiB, 25 %, 2.0 KiB/s, 2 s left")
    #expect(text(100, 100 * 60, 1) == "100 bytes of 5.9 KiB, 1 %, 100 bytes/s, 59 s left")
    #expect(text(100, 100 * 61, 1) == "100 bytes of 6.0 KiB, 1 %, 100 bytes/s, 1 min 0 s left")
    #expect(text(10, 10 * 126, 1) == "10 bytes of 1.2 KiB, 0 %, 10 bytes/s, 2 min 5 s left")
    #expect(text(0, 10, 2) == "0 bytes of 10 bytes, 0 %, 0 bytes/s")
    #expect(text(0, 0, 1) == "0 bytes of 0 bytes, 100 %, 0 bytes/s")
    #expect(text(2_048, nil, 2) == "2.0 KiB, 1.0 KiB/s")
  }
}

@Suite struct `Text of an archive` {
  private func lines(_ archive: Archive) throws -> [String] {
    var tree = ArchiveTree(archive)
    return try tree.lines()
  }

  private func name(_ line: String) -> String {
    String(line.prefix { $0 != "(" })
  }

  @Test func `The tree has each object below the first one that refers to it`() throws {
    var writer = ArchiveWriter(
      reserved: ReservedValues(
        bundleVersion: "1.0", userInterfaceIdiom: 2,
        timestamp: ArchiveDate(secondsSinceReferenceDate: 60), systemVersion: "X"))
    let references: [[DynamicValue]] = [
      [
        .record(.init(fields: [.init(key: "r", value: .reference(.init(3)))])),
        .reference(.init(2)),
      ],
      [.dictionary([.init(key: .bool(true), value: .reference(.init(4)))]), .reference(.init(3))],
      [.reference(nil), .reference(.init(1))], [.array([.reference(.init(3))])],
      [.reference(.init(6))], [],
    ]
    for (index, values) in references.enumerated() {
      try writer.writeObject(
        .init(UInt32(index + 1)), typeName: "T\(index + 1)", schemaVersion: index == 1 ? 5 : 0
      ) { coder in
        coder.encodeFields(of: .init(fields: [.init(key: "v", value: .array(values))]))
      }
    }
    let archive = try Archive(writer.finish(root: .init(1)))
    let all = try lines(archive)
    #expect(
      all.first
        == "Archive: \(archive.byteCount) bytes, 6 objects, bundle version 1.0, user interface idiom 2, "
        + "written 2001-01-01T00:01:00Z, on X")
    let objects = all.filter { !$0.contains("v: array") }.dropFirst().map(name)
    #expect(
      objects == [
        "#1 T1 ", "  #3 T3 ", "  #2 T2 ", "    #4 T4 ", "Objects that nothing refers to:", "#5 T5 ",
        "  #6 T6 ",
      ])
    #expect(all.filter { $0.contains("schema version") }.map(name) == ["  #2 T2 "])
    #expect(all.first { $0.contains("#2 T2") }?.hasSuffix(" bytes, schema version 5)") == true)
  }

  @Test func `The tree is indented at most forty levels`() throws {
    var writer = ArchiveWriter()
    for number in 1...45 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        if number < 45 { coder.encode(ArchiveReference(.init(number + 1)), forKey: "next") }
      }
    }
    let all = try lines(Archive(writer.finish(root: .init(1)))).filter { $0.contains(" T (") }
    let depths = all.map { $0.prefix { $0 == " " }.count / 2 }
    #expect(depths == (0..<45).map { min($0, 40) })
    #expect(all.count == 45)
  }

  @Test func `The tree counts one object in the singular`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "T") { _ in }
    let archive = try Archive(writer.finish(root: .init(1)))
    #expect(try lines(archive)[0] == "Archive: \(archive.byteCount) bytes, 1 object")
    #expect(try lines(archive).count == 2)
  }
}

@Suite struct `The line of a sealed file` {
  @Test(
    arguments: [
      ("", ""), ("some data", ""), ("keepsake state 0\n\nNotes", ", the state of Notes"),
      ("keepsake state 0\n\n", ", the state of an app without a name"),
      ("keepsake state 0\nmain\nNotes", ", the state of the session main of Notes"),
    ])
  func `The line of a sealed state names its app and session`(metadata: String, purpose: String)
    throws
  {
    let options = SealOptions(publicMetadata: Array(metadata.utf8))
    let bytes = try SealedFile.seal(
      Array("content".utf8).span, for: [.key(try .generate())], options: options)
    let line = try SealedFile.inspect(bytes: bytes).line(named: "f")
    #expect(line.hasPrefix("f: sealed\(purpose), \(bytes.count) bytes, "), "\(line)")
  }
}

@Suite struct `The source of a passphrase` {
  @Test func `A passphrase has only one source`() throws {
    #expect(try PassphraseSource.chosen(prompts: false, file: nil, descriptor: nil, "p") == nil)
    for (prompts, file, descriptor) in [
      (true, "f", nil), (true, nil, 3), (false, "f", 3), (true, "f", 3),
    ] as [(Bool, String?, Int32?)] {
      let failure = refusal {
        try PassphraseSource.chosen(prompts: prompts, file: file, descriptor: descriptor, "p")
      }
      #expect(failure?.status == .usage)
      #expect(failure?.message.contains("--p, --p-file and --p-fd") == true)
    }
    guard
      case .file("f")? = try PassphraseSource.chosen(
        prompts: false, file: "f", descriptor: nil, "p"),
      case .descriptor(3)? = try PassphraseSource.chosen(
        prompts: false, file: nil, descriptor: 3, "p"),
      case .terminal("p")? = try PassphraseSource.chosen(
        prompts: true, file: nil, descriptor: nil, "p")
    else {
      Issue.record("the passphrase has another source")
      return
    }
  }

  @Test(
    arguments: [
      ("word", "word"), ("word\n", "word"), ("word\r\n", "word"), ("word\n\n", "word\n"),
      ("word\r", "word\r"), (" word \n", " word "), ("\r\r\n", "\r"),
    ])
  func `A passphrase from a file loses one line end`(content: String, passphrase: String) throws {
    try Workplace.with { place in
      try place.write("file", content)
      let read = try PassphraseSource.file(place.url("file").path).read(prompt: "")
      #expect(read.isEqual(to: try SealPassphrase(copying: Array(passphrase.utf8).span)))
    }
  }

  @Test func `An empty passphrase and one that is too long are refused`() throws {
    try Workplace.with { place in
      let longest = SealPassphrase.byteCountRange.upperBound
      for (content, isGood) in [
        ("", false), ("\n", false), ("\r\n", false),
        (String(repeating: "x", count: longest) + "\r\n", true),
        (String(repeating: "x", count: longest) + "\r\nx", false),
        (String(repeating: "x", count: longest + 1), false),
        (String(repeating: "x", count: longest + 100), false),
      ] {
        try place.write("file", content)
        let failure = refusal {
          try PassphraseSource.file(place.url("file").path).read(prompt: "")
        }
        #expect((failure == nil) == isGood, "\(content.utf8.count)")
        #expect(failure.map { $0.status == .keyUnavailable } ?? true)
      }
      let absent = refusal { try PassphraseSource.file(place.url("no").path).read(prompt: "") }
      #expect(absent?.status == .keyUnavailable && absent?.message.contains("no\"") == true)
      #expect(refusal { try PassphraseSource.descriptor(999).read(prompt: "") } != nil)
    }
  }
}

@Suite struct `Recipients that are named` {
  @Test func `Recipients are read from a text, an identity, or the lines of a file`() throws {
    try Workplace.with { place in
      let identity = try X25519Identity.create(at: place.url("person").path)
      let other = try X25519Identity.create(at: place.url("other").path)
      let (one, two) = ("\(identity.recipient)", "\(other.recipient)")
      #expect(try RecipientReader.recipients(one) == [identity.recipient])
      #expect(try RecipientReader.recipients(place.url("person").path) == [identity.recipient])
      try place.write("list", "# both\n\n  \(one)  \n\(two)\r\n#\(one)\n")
      #expect(
        try RecipientReader.recipients(place.url("list").path)
          == [identity.recipient, other.recipient])
      try place.write("nobody", "# none\n\n")
      try place.write("wrong", "\(one)\nsomebody\n")
      for (name, said) in [
        ("nobody", "has no recipient in it"), ("wrong", "It was read from "),
        ("absent", "There is no file"),
      ] {
        let failure = refusal { try RecipientReader.recipients(place.url(name).path) }
        #expect(failure?.status == (name == "absent" ? .noInput : .keyUnavailable), "\(name)")
        #expect(failure?.message.contains(said) == true, "\(failure?.message ?? "")")
      }
      // A text that looks like a recipient is not taken for a file name.
      try place.write("keepsake1", one)
      for text in [String(one.dropLast()), "KEEPSAKE1X", "keepsake-secret"] {
        #expect(refusal { try RecipientReader.recipients(text) }?.status == .keyUnavailable)
      }
    }
  }

  @Test func `Two recipients are the same only if their key or passphrase is equal`() throws {
    let keys = [try SealKey.generate(), try SealKey.generate()].map { SealRecipient.key($0) }
    let words = try ["one", "two"].map {
      SealRecipient.passphrase(try SealPassphrase(copying: Array($0.utf8).span))
    }
    let costly = SealRecipient.passphrase(
      try SealPassphrase(copying: Array("one".utf8).span), cost: .constrained)
    let all = keys + words
    for (index, one) in all.enumerated() {
      for (place, other) in all.enumerated() {
        #expect(one.isSame(as: other) == (index == place))
      }
    }
    #expect(costly.isSame(as: words[0]) && !costly.isSame(as: words[1]))
  }
}

@Suite struct `Pieces of standard input` {
  private struct Broken: Error {}

  @Test func `Pieces are taken in their order, until an empty one`() throws {
    let pieces = InputPieces()
    var rest: [[UInt8]] = [[1], [2, 2], [3], []]
    pieces.fill { rest.removeFirst() }
    var taken: [[UInt8]] = []
    while let piece = try pieces.next() { taken.append(piece) }
    #expect(taken == [[1], [2, 2], [3]] && rest.isEmpty)
  }

  @Test func `Pieces are taken while more are read`() throws {
    let pieces = InputPieces()
    let thread = Thread {
      var number: UInt8 = 0
      pieces.fill {
        number += 1
        return number <= 100 ? [number] : []
      }
    }
    thread.start()
    var sum = 0
    while let piece = try pieces.next() { sum += Int(piece[0]) }
    #expect(sum == 5_050)
  }

  @Test func `Pieces end with the first error`() {
    let pieces = InputPieces()
    pieces.fill { throw Broken() }
    pieces.stop(Failure("later", .usage))
    #expect(throws: Broken.self) { try pieces.next() }
    #expect(throws: Broken.self) { try pieces.next() }
  }
}
