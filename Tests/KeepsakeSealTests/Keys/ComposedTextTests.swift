import Foundation
import TestSupport
import Testing

@testable import KeepsakeSeal

@Suite struct `Unicode normalization form C` {
  private func composed(_ text: String) throws -> String {
    let secret = try SecretBytes(copying: Array(text.utf8).span)
    guard let composed = try ComposedText.composed(secret) else { return text }
    return String(decoding: composed.publicBytes(0..<composed.count), as: UTF8.self)
  }

  private func isAsFoundation(_ text: String) throws -> Bool {
    Array(try composed(text).unicodeScalars)
      == Array(text.precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  @Test func `Every scalar has the form that Foundation gives it, alone and decomposed`() throws {
    var differences: [UInt32] = []
    for value in UInt32(0)...0x10FFFF {
      // Nearly all scalars are Hangul or have no decomposition; every 97th of them is enough.
      let isCommon =
        (0x3400...0xD7A3).contains(value)
        || value >= 0x20000 && !(0x2F800...0x2FA1F).contains(value)
      if isCommon, value % 97 != 0 { continue }
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      let decomposed = text.decomposedStringWithCanonicalMapping
      if try !isAsFoundation(text) || !isAsFoundation(decomposed) { differences.append(value) }
    }
    #expect(differences == [])
  }

  @Test func `Texts of letters and marks in any order have the form of Foundation`()
    throws
  {
    var random = SeededGenerator(seed: 7)
    let pools: [[ClosedRange<UInt32>]] = [
      [0x41...0x7A, 0x300...0x36F],
      [0x370...0x3FF, 0x1F00...0x1FFF, 0x300...0x345],
      [0x915...0x939, 0x93C...0x94D, 0x9C7...0x9D7, 0xDCF...0xDDF, 0x1D157...0x1D172],
      [0x5D0...0x5EA, 0x591...0x5BD, 0xFB1D...0xFB4E],
      [0x4E00...0x4E20, 0xF900...0xFAD9, 0x3042...0x309A],
    ]
    var differences: [String] = []
    for _ in 0..<20_000 {
      let ranges = pools[Int.random(in: 0..<pools.count, using: &random)]
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
          text.append(scalar)
        }
      }
      if try !isAsFoundation(String(text)) { differences.append(String(text)) }
    }
    #expect(differences == [])
  }

  // Foundation on Linux does not join a syllable and its last consonant, and drops U+11A7, which is not a
  // consonant.
  @Test func `Syllables of Hangul are composed as Unicode states`() throws {
    for (text, expected) in [
      ("\u{AC00}\u{11A8}", "\u{AC01}"), ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"),
      ("\u{AC00}\u{11A7}", "\u{AC00}\u{11A7}"), ("\u{1100}\u{1161}\u{11A7}", "\u{AC00}\u{11A7}"),
      ("\u{AC01}\u{11A8}", "\u{AC01}\u{11A8}"), ("\u{1100}\u{AC00}", "\u{1100}\u{AC00}"),
      ("\u{AC00}\u{11C2}", "\u{AC1B}"), ("\u{AC00}\u{11C3}", "\u{AC00}\u{11C3}"),
      ("\u{1112}\u{1175}\u{11C2}", "\u{D7A3}"), ("\u{1113}\u{1161}", "\u{1113}\u{1161}"),
      ("\u{1100}\u{1176}", "\u{1100}\u{1176}"),
      ("\u{1100}\u{301}\u{1161}", "\u{1100}\u{301}\u{1161}"),
    ] {
      #expect(Array(try composed(text).unicodeScalars) == Array(expected.unicodeScalars))
    }
    for value in UInt32(0xAC00)...0xD7A3 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let decomposed = String(scalar).decomposedStringWithCanonicalMapping
      let result = try composed(decomposed)
      if Array(result.unicodeScalars) != [scalar] { Issue.record("\(value)") }
    }
  }

  @Test func `Bytes that are not UTF-8 are left unchanged`() throws {
    for bytes: [UInt8] in [
      [0xE9], [0x65, 0xCC], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0x65, 0xCC, 0x81, 0xFF],
    ] {
      #expect(try ComposedText.composed(try SecretBytes(copying: bytes.span)) == nil)
    }
  }

  @Test func `Many marks after one letter are sorted`() throws {
    let marks = String(repeating: "\u{301}\u{323}", count: 1_000)
    #expect(try isAsFoundation("a" + marks))
  }
}

@Suite struct `A passphrase that was typed` {
  // Two systems type the same text in these two forms.
  private static let composed = "Gru\u{DF} aus K\u{F6}ln \u{1EC7}"
  private static let decomposed = "Gru\u{DF} aus Ko\u{308}ln e\u{323}\u{302}"
  /// A form that differs from form C and from the decomposed form.
  private static let other = "Gru\u{DF} aus Ko\u{308}ln e\u{302}\u{323}"

  private func bytes(_ text: String) throws -> SealPassphrase {
    try SealPassphrase(copying: Array(text.utf8).span)
  }

  private func text(_ text: String) throws -> [SealPassphrase] {
    [try SealPassphrase(text), try SealPassphrase(text: Array(text.utf8).span)]
  }

  private func sealed(for passphrases: SealPassphrase...) throws -> [UInt8] {
    try SealedFile.seal(
      [7].span, for: passphrases.map { .passphrase($0, cost: .cheap) },
      options: SealOptions(allowsMixedPassphrase: true))
  }

  private func opened(
    _ file: [UInt8], _ passphrase: SealPassphrase, _ policy: SealPolicy = SealPolicy()
  ) -> SealError.Code? {
    code { try SealedFile.open(bytes: file, with: [.passphrase(passphrase)], policy: policy) }
  }

  // Holds [S-125].
  @Test func `A passphrase seals under form C, whatever form it was typed in`() throws {
    for typed in [Self.composed, Self.decomposed, Self.other] {
      for passphrase in try text(typed) {
        let file = try sealed(for: passphrase)
        #expect(opened(file, try bytes(Self.composed)) == nil)
        #expect(opened(file, try bytes(Self.decomposed)) == .noMatchingKey)
        for again in [Self.composed, Self.decomposed, Self.other] {
          for passphrase in try text(again) { #expect(opened(file, passphrase) == nil) }
        }
        #expect(passphrase.isEqual(to: try bytes(Self.composed)))
      }
    }
  }

  @Test
  func `A passphrase opens a file that was sealed under the form in which it is typed`() throws {
    let file = try sealed(for: bytes(Self.decomposed))
    for passphrase in try text(Self.decomposed) { #expect(opened(file, passphrase) == nil) }
    for wrong in [Self.composed, Self.other, Self.decomposed + " "] {
      for passphrase in try text(wrong) { #expect(opened(file, passphrase) == .noMatchingKey) }
    }
  }

  @Test func `A passphrase that is given as bytes is taken unchanged`() throws {
    let file = try sealed(for: bytes(Self.decomposed))
    #expect(opened(file, try bytes(Self.decomposed)) == nil)
    #expect(opened(file, try bytes(Self.composed)) == .noMatchingKey)
    let noText: [UInt8] = [0x65, 0xCC, 0x81, 0xFF]
    let passphrase = try SealPassphrase(text: noText.span)
    #expect(
      passphrase.isEqual(to: try SealPassphrase(copying: noText.span))
        && passphrase.unnormalized == nil)
  }

  // The limits are one below the cost of both forms, at it, and one above.
  @Test
  func `A passphrase is tried as it was typed only if the cost allows both forms`() throws {
    let attempt = PassphraseCost.cheap.passes * PassphraseCost.cheap.memoryByteCount
    let one = try sealed(for: bytes(Self.decomposed))
    let two = try sealed(for: bytes("first"), bytes(Self.decomposed))
    for passphrase in try text(Self.decomposed) {
      for (file, count) in [(one, 1), (two, 2)] {
        for (work, expected) in [
          (count * attempt - 1, SealError.Code.limitExceeded), (count * attempt, .noMatchingKey),
          (2 * count * attempt - 1, .noMatchingKey), (2 * count * attempt, nil),
          (2 * count * attempt + 1, nil),
        ] as [(Int, SealError.Code?)] {
          #expect(
            opened(file, passphrase, SealPolicy(maximumPassphraseWork: work)) == expected,
            "\(count), \(work)")
        }
      }
    }
    // The typed form of one passphrase is tried after form C of all passphrases.
    let policy = SealPolicy(maximumPassphraseWork: 2 * attempt)
    let file = try sealed(for: bytes("last"))
    #expect(
      code {
        try SealedFile.open(
          bytes: file, with: [.passphrase(text(Self.decomposed)[0]), .passphrase(bytes("last"))],
          policy: policy)
      } == nil)
  }

  @Test func `A passphrase opens a key file of either form, and changes it to form C`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let key = try SealKey.create(at: path, passphrase: bytes(Self.decomposed), cost: .cheap)
      for passphrase in try text(Self.decomposed) {
        #expect(try SealKey.read(at: path, passphrase: passphrase).isEqual(to: key))
      }
      let typed = try SealPassphrase(Self.decomposed)
      let attempt = PassphraseCost.cheap.passes * PassphraseCost.cheap.memoryByteCount
      for (work, expected) in [
        (2 * attempt - 1, SealError.Code.noMatchingKey), (2 * attempt, nil),
      ] as [(Int, SealError.Code?)] {
        let policy = SealPolicy(maximumPassphraseWork: work)
        #expect(code { try SealKey.read(at: path, passphrase: typed, policy: policy) } == expected)
      }
      let wrong = try SealPassphrase(Self.other)
      #expect(code { try SealKey.read(at: path, passphrase: wrong) } == .noMatchingKey)
      try SealKey.changePassphrase(at: path, from: typed, to: typed, cost: .cheap)
      #expect(try SealKey.read(at: path, passphrase: bytes(Self.composed)).isEqual(to: key))
      #expect(try SealKey.read(at: path, passphrase: wrong).isEqual(to: key))
    }
  }

  @Test
  func `A passphrase finds its slot in either form when a file is rewrapped or resealed`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let typed = try SealPassphrase(Self.decomposed)
      let new = SealRecipient.passphrase(typed, cost: .cheap)
      try write(try sealed(for: bytes(Self.decomposed)), to: path)
      // The command `keepsake passwd` makes the same call.
      try SealedFile.rewrap(
        path, with: [.passphrase(typed)], adding: [new], removing: [.recipient(new)])
      #expect(opened(try contents(of: path), try bytes(Self.composed)) == nil)
      #expect(opened(try contents(of: path), try bytes(Self.decomposed)) == .noMatchingKey)

      let key = try SealKey.generate()
      let both = SealOptions(allowsMixedPassphrase: true)
      let old = SealRecipient.passphrase(try bytes(Self.decomposed), cost: .cheap)
      func sealBoth() throws {
        try SealedFile.seal([7].span, to: path, for: [.key(key), old], options: both)
      }
      try sealBoth()
      try SealedFile.reseal(path, with: [.key(key)], for: [.key(key), new])
      #expect(opened(try contents(of: path), try bytes(Self.composed)) == nil)
      // A slot that is written anew for a recipient uses form C.
      try sealBoth()
      let report = try SealedFile.rewrap(
        path, with: [.key(key)], keeping: [.recipient(new)], allowsMixedPassphrase: true)
      #expect(report.keptSlots == [0, 1] && report.unnamedSlots == [])
      #expect(opened(try contents(of: path), try bytes(Self.composed)) == nil)
      try sealBoth()
      #expect(
        code {
          try SealedFile.rewrap(
            path, with: [.key(key)], adding: [new], keeping: [.slot(1)],
            allowsMixedPassphrase: true)
        } == .invalidKeys)
    }
  }

  @Test func `A passphrase has 1 to 4096 bytes in form C`() throws {
    let mark = "e\u{301}"
    for (count, expected) in [(2_047, nil), (2_048, nil), (2_049, .invalidPassphrase)]
      as [(Int, SealError.Code?)]
    {
      let text = String(repeating: mark, count: count)
      #expect(code { try SealPassphrase(text) } == expected)
    }
    // The text as it was typed is too long, so no file was ever sealed under it.
    #expect(try SealPassphrase(String(repeating: mark, count: 2_048)).unnormalized == nil)
    #expect(code { try SealPassphrase("") } == .invalidPassphrase)
    #expect(
      code { try SealPassphrase(String(repeating: mark, count: 1 << 16)) } == .invalidPassphrase)
  }
}
