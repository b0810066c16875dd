@testable import KeepsakeSeal

extension SealForger {
  /// Sealed files of several shapes.
  package func files() throws -> [[UInt8]] {
    let raw = [UInt8](repeating: 0x33, count: 32)
    let other = try SealKey(copying: raw.span)
    let cheap = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)
    let all: [SealRecipient] = [
      .key(other), .x25519(identity.recipient), .passphrase(passphrase, cost: cheap),
    ]
    var files: [[UInt8]] = []
    for count in [0, 1, 4_096, 5_000] {
      let options = SealOptions(
        chunkSize: .kibibytes4, publicMetadata: Array("public".utf8), generation: 7,
        creator: "fuzzing")
      let plaintext = [UInt8](repeating: 0x44, count: count)
      files.append(try SealedFile.seal(plaintext.span, keys: [key], options: options))
      files.append(
        try SealedFile.seal(
          plaintext.span, for: all, options: SealOptions(allowsMixedPassphrase: true)))
      for recipient in all.dropFirst() {
        files.append(try SealedFile.seal(plaintext.span, for: [recipient], options: options))
      }
    }
    return files
  }
}
