@testable import KeepsakeSeal

extension SealForger {
  /// Files of the honest signer with their content, all under the data key that the forger has.
  package func signedFiles() throws -> [(bytes: [UInt8], plaintext: [UInt8])] {
    var files: [(bytes: [UInt8], plaintext: [UInt8])] = []
    for (index, count) in [0, 1, 4_096, 5_000, 9_000, 12_288].enumerated() {
      let plaintext = [UInt8](repeating: UInt8(index + 1), count: count)
      let nonce = [UInt8](repeating: UInt8(index), count: 24)
      let plan = try SealPlan(
        recipients: [.key(key)],
        options: SealOptions(
          chunkSize: .kibibytes4, publicMetadata: [1], generation: UInt64(index),
          padding: index % 2 == 0 ? .none : .padme, signingKey: honestKey),
        randomness: SealRandomness(
          dataKey: dataKey, fileID: [UInt8](repeating: UInt8(index), count: 32),
          slots: [SlotRandomness(nonce: nonce, seed: nil)], metadataNonce: nonce,
          signatureNonce: nonce))
      files.append((try plan.sealed(plaintext.span), plaintext))
    }
    return files
  }

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
      files.append(try SealedFile.seal(plaintext.span, for: [.key(key)], options: options))
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
