@testable package import KeepsakeSeal

/// Turns arbitrary bytes into sealed files that pass more and more checks, as a holder of the key can forge
/// them (Spec/seal.md, sections 2 to 6).
///
/// Without this forger, a fuzzer would not get past the first keyed hash.
package struct SealForger: Sendable {
  /// Opens the forged files.
  package let key: SealKey
  let identity: X25519Identity
  let passphrase: SealPassphrase
  let dataKey: SecretBytes
  /// Signs the seeds, but no forged file.
  let honestKey: SealSigningKey
  /// Signs the forged files.
  let ownKey: SealSigningKey

  /// The signer that a reader of the signed files trusts.
  package var trusted: SealSigner { honestKey.signer }

  /// All keys that open the forged files.
  package var identities: [SealIdentity] {
    [.key(key), .x25519(identity), .passphrase(passphrase)]
  }

  /// A policy that keeps every guess quick.
  package let policy = SealPolicy(
    maximumPassphrasePasses: 2, maximumPassphraseMemory: 16 << 10,
    maximumPassphraseWork: 128 << 10)

  /// Creates a forger; its keys are always the same, so that findings can be repeated.
  package init() throws {
    let raw = [UInt8](repeating: 0x11, count: 32)
    key = try SealKey(copying: raw.span)
    let secret = [UInt8](repeating: 0x55, count: 32)
    identity = try X25519Identity(copying: secret.span)
    passphrase = try SealPassphrase(copying: secret.span)
    let data = [UInt8](repeating: 0x22, count: 32)
    dataKey = try SecretBytes(copying: data.span)
    let honest = [UInt8](repeating: 0x66, count: 32)
    honestKey = try SealSigningKey(copying: honest.span)
    let own = [UInt8](repeating: 0x77, count: 32)
    ownKey = try SealSigningKey(copying: own.span)
  }

  /// Makes the file consistent, to an extent that `choice` determines.
  package func repaired(_ input: [UInt8], choice: UInt32) -> [UInt8] {
    switch choice % 4 {
    case 0: checked(input)
    case 1: checked(fitted(input))
    case 2: (try? forged(fitted(input), choice: choice / 4)) ?? input
    default:
      (try? signed(sealed(forged(fitted(input), choice: choice / 4)), choice: choice / 64))
        ?? input
    }
  }

  /// The file with a valid preamble and consistent lengths.
  func fitted(_ input: [UInt8]) -> [UInt8] {
    var bytes = input
    bytes.pad(to: SealFormat.preambleLength)
    let chunkSizes = SealOptions.ChunkSize.allCases
    let chunkSize = chunkSizes[Int(bytes[10]) % chunkSizes.count]
    let lengths = (
      slots: Int(bytes[16]) % 4 + 1, public: Int(bytes[20]) % 65,
      encrypted: SealFormat.minimumEncryptedMetadataLength + Int(bytes[24]) % 65
    )
    var preamble = Preamble(
      chunkSize: chunkSize, isSigned: bytes[11] & SealFormat.signedFlag != 0,
      slotCount: lengths.slots, publicMetadataLength: lengths.public,
      encryptedMetadataLength: lengths.encrypted, payloadLength: 0,
      fileID: Array(bytes[64..<96]), commitment: Array(bytes[96..<128]))
    let tag = XChaCha20Poly1305.tagLength
    bytes.pad(to: Int(ChunkLayout(preamble).fileSize))
    // The longest payload that fits; the remaining bytes are cut off.
    let trailer = ChunkLayout(preamble).trailerLength
    let rest = bytes.count - preamble.headerLength - trailer
    let (full, part) = rest.quotientAndRemainder(dividingBy: chunkSize.byteCount + tag)
    var length = full * chunkSize.byteCount + max(0, part - tag)
    preamble.payloadLength = UInt64(length)
    // A longer payload has a longer trailer.
    while ChunkLayout(preamble).fileSize > UInt64(bytes.count) {
      length = max(0, length - 32)
      preamble.payloadLength = UInt64(length)
    }
    bytes.removeLast(bytes.count - Int(ChunkLayout(preamble).fileSize))
    bytes.replaceSubrange(..<SealFormat.preambleLength, with: preamble.bytes)
    return bytes
  }

  /// The file with a matching check, if the stated header length is within it.
  func checked(_ input: [UInt8]) -> [UInt8] {
    guard input.count >= SealFormat.preambleLength else { return input }
    let length = Int(input.littleEndian(at: 12, as: UInt32.self))
    guard length >= SealFormat.checkLength, length <= input.count else { return input }
    var bytes = input
    let start = length - SealFormat.checkLength
    let check = try? Blake2b.hash(Array(bytes[..<start]), count: SealFormat.checkLength)
    bytes.replaceSubrange(start..<length, with: check ?? [])
    return bytes
  }

  /// The file with a matching slot, metadata, commitment and MAC.
  ///
  /// The message of the metadata consists of the bytes that were in its place; its length is that of the
  /// payload only for an even `choice`.
  func forged(_ input: [UInt8], choice: UInt32) throws -> [UInt8] {
    var bytes = input
    let preamble = try Preamble(
      parsing: Array(bytes[..<SealFormat.preambleLength]), policy: SealPolicy())
    let fileID = preamble.fileID
    let index = Int(choice / 2) % preamble.slotCount
    let slot = SealFormat.preambleLength + index * SealFormat.slotLength
    bytes.replaceSubrange(
      slot..<slot + SealFormat.slotLength,
      with: try forgedSlot(Array(bytes[slot..<slot + SealFormat.slotLength]), fileID: fileID))
    let publicStart = SealFormat.preambleLength + preamble.slotCount * SealFormat.slotLength
    let encryptedStart = publicStart + preamble.publicMetadataLength
    let macStart = encryptedStart + preamble.encryptedMetadataLength
    let schedule = KeySchedule(
      dataKey: dataKey, chunkSize: preamble.chunkSize, isSigned: preamble.isSigned, fileID: fileID,
      publicMetadata: Array(bytes[publicStart..<encryptedStart]), context: [])
    let nonce = Array(bytes[encryptedStart..<encryptedStart + 24])
    var message = Array(bytes[encryptedStart + 24..<macStart - XChaCha20Poly1305.tagLength])
    if choice % 2 == 0 {
      message.replaceSubrange(..<8, with: Array(bytes[32..<40]))
      // The creator takes the rest of the message.
      message.replaceSubrange(16..<20, with: [UInt8(message.count - 20), 0, 0, 0])
    }
    let encrypted = try XChaCha20Poly1305.sealAfterNonce(
      message, key: schedule.metadataKey(), nonce: nonce)
    bytes.replaceSubrange(encryptedStart..<macStart, with: encrypted)
    bytes.replaceSubrange(96..<128, with: try schedule.commitment())
    let mac = try schedule.headerMAC(of: bytes[..<macStart])
    bytes.replaceSubrange(macStart..<macStart + SealFormat.macLength, with: mac)
    return checked(bytes)
  }

  /// A slot that contains the data key, with the nonce of `slot` and, if it exists, its type.
  package func forgedSlot(_ slot: [UInt8], fileID: [UInt8]) throws -> [UInt8] {
    var randomness = SlotRandomness(nonce: Array(slot[88..<112]), seed: nil)
    let recipient: SealRecipient
    switch slot[0] % 3 {
    case 0: recipient = .key(key)
    case 1:
      recipient = .passphrase(passphrase, cost: PassphraseCost(passes: 1, memoryByteCount: 8 << 10))
      randomness.seed = try SecretBytes(copying: slot[24..<24 + Argon2id.saltLength].span)
    default:
      recipient = .x25519(identity.recipient)
      randomness.seed = try SecretBytes(copying: slot[24..<24 + X25519.keyLength].span)
    }
    return try Slot(
      wrapping: dataKey, for: recipient, fileID: fileID, randomness: randomness
    ).bytes
  }

  /// The file with its payload sealed, chunk by chunk.
  func sealed(_ input: [UInt8]) throws -> [UInt8] {
    let preamble = try Preamble(
      parsing: Array(input[..<SealFormat.preambleLength]), policy: SealPolicy())
    let length = preamble.headerLength
    let header = try SealedHeader(parsing: Array(input[..<length]), preamble: preamble)
    let layout = ChunkLayout(preamble)
    let payload = SealedPayload(layout: layout, payloadKey: try schedule(header).payloadKey())
    let plaintext = Array(input[length..<length + Int(preamble.payloadLength)])
    let trailer = Array(input[Int(layout.trailerOffset)...])
    return try payload.seal(
      plaintext.span, after: Array(input[..<length]), threads: 1, progress: .none
    ) { trailer }
  }

  /// The file with a matching tree and, for some choices, a signature block, as a forger without the honest
  /// signing key can make them.
  func signed(_ input: [UInt8], choice: UInt32) throws -> [UInt8] {
    let source = SealedSource(bytes: input)
    let header = try source.header(policy: SealPolicy())
    guard header.preamble.isSigned, choice % 4 != 0 else { return input }
    let schedule = try schedule(header)
    let layout = ChunkLayout(header.preamble)
    let payload = SealedPayload(layout: layout, payloadKey: try schedule.payloadKey())
    let tree = try payload.computedTree(of: source, threads: 1)
    let leaves = try tree.digests(of: layout.allChunks, from: source)
    let builder = DigestTreeBuilder(.kept)
    try builder.add(Array(leaves), firstChunk: 0)
    let levels = try builder.finish(chunkCount: layout.chunkCount).rest
    var block = Array(input.suffix(SealFormat.signatureBlockLength))
    let key = try schedule.signatureKey()
    if choice % 4 == 2, let old = try? SignatureBlock(opening: block, key: key) {
      // The old signature of the honest signer with the new digest.
      block = try XChaCha20Poly1305.sealAfterNonce(
        tree.contentDigest + old.publicKey + old.signature, key: key, nonce: Array(block[..<24]))
    } else if choice % 4 == 3 {
      let metadata = try EncryptedMetadata(
        opening: header.encryptedMetadata, key: schedule.metadataKey())
      block = try SignatureBlock(
        signing: tree.contentDigest, of: header, metadata: metadata, schedule: schedule,
        with: ownKey
      ).sealed(key: key, nonce: Array(block[..<24]))
    }
    return Array(input[..<Int(layout.trailerOffset)]) + levels + block
  }

  private func schedule(_ header: SealedHeader) throws -> KeySchedule {
    KeySchedule(
      dataKey: dataKey, chunkSize: header.preamble.chunkSize, isSigned: header.preamble.isSigned,
      fileID: header.preamble.fileID, publicMetadata: header.publicMetadata, context: [])
  }
}

extension [UInt8] {
  fileprivate mutating func pad(to length: Int) {
    append(contentsOf: repeatElement(0, count: Swift.max(0, length - count)))
  }
}
