@testable package import KeepsakeSeal

/// Turns loose bytes into sealed files that pass ever more checks, as whoever holds the key can
/// forge them (Spec/seal.md, sections 2 to 6).
///
/// Without it a fuzzer would not get past the first keyed hash.
package struct SealForger: Sendable {
  /// Opens what is forged.
  package let key: SealKey
  let identity: X25519Identity
  let passphrase: SealPassphrase
  let dataKey: SecretBytes

  /// Everything that opens what is forged.
  package var identities: [SealIdentity] {
    [.key(key), .x25519(identity), .passphrase(passphrase)]
  }

  /// A policy under which no guess takes long.
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
  }

  /// Makes more or less of the file fit, as `choice` says.
  package func repaired(_ input: [UInt8], choice: UInt32) -> [UInt8] {
    switch choice % 4 {
    case 0: checked(input)
    case 1: checked(fitted(input))
    case 2: (try? forged(fitted(input), choice: choice / 4)) ?? input
    default: (try? sealed(forged(fitted(input), choice: choice / 4))) ?? input
    }
  }

  /// The file with a preamble whose rules hold, and with lengths that add up.
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
      chunkSize: chunkSize, slotCount: lengths.slots, publicMetadataLength: lengths.public,
      encryptedMetadataLength: lengths.encrypted, payloadLength: 0,
      fileID: Array(bytes[64..<96]), commitment: Array(bytes[96..<128]))
    let tag = XChaCha20Poly1305.tagLength
    bytes.pad(to: preamble.headerLength + tag)
    // The longest payload that the rest has room for; what is left over is cut off.
    let rest = bytes.count - preamble.headerLength
    let (full, part) = rest.quotientAndRemainder(dividingBy: chunkSize.byteCount + tag)
    let length = full * chunkSize.byteCount + max(0, part - tag)
    preamble.payloadLength = UInt64(length)
    bytes.removeLast(bytes.count - Int(ChunkLayout(preamble).fileSize))
    bytes.replaceSubrange(..<SealFormat.preambleLength, with: preamble.bytes)
    return bytes
  }

  /// The file with a check that fits, where its header length lies within it.
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

  /// The file with a slot, metadata, commitment and MAC that fit.
  ///
  /// The metadata's message is what stood in its place; only with an even `choice` is its length
  /// the payload's.
  func forged(_ input: [UInt8], choice: UInt32) throws -> [UInt8] {
    var bytes = input
    let preamble = try Preamble(
      parsing: Array(bytes[..<SealFormat.preambleLength]), policy: .default)
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
      dataKey: dataKey, chunkSize: preamble.chunkSize, fileID: fileID,
      publicMetadata: Array(bytes[publicStart..<encryptedStart]), context: [])
    let nonce = Array(bytes[encryptedStart..<encryptedStart + 24])
    var message = Array(bytes[encryptedStart + 24..<macStart - XChaCha20Poly1305.tagLength])
    if choice % 2 == 0 {
      message.replaceSubrange(..<8, with: Array(bytes[32..<40]))
      // The creator fills the rest.
      message.replaceSubrange(16..<20, with: [UInt8(message.count - 20), 0, 0, 0])
    }
    let encrypted = try XChaCha20Poly1305.seal(
      message, key: schedule.metadataKey(), nonce: nonce)
    bytes.replaceSubrange(encryptedStart + 24..<macStart, with: encrypted)
    bytes.replaceSubrange(96..<128, with: try schedule.commitment())
    let mac = try schedule.headerMAC(of: Array(bytes[..<macStart]))
    bytes.replaceSubrange(macStart..<macStart + SealFormat.macLength, with: mac)
    return checked(bytes)
  }

  /// A slot with the type and the nonce of `slot`, as far as there is such a type, that gives the
  /// data key.
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
      parsing: Array(input[..<SealFormat.preambleLength]), policy: .default)
    let length = preamble.headerLength
    let schedule = KeySchedule(
      dataKey: dataKey, chunkSize: preamble.chunkSize, fileID: preamble.fileID,
      publicMetadata: try SealedHeader(parsing: Array(input[..<length]), preamble: preamble)
        .publicMetadata, context: [])
    let payload = SealedPayload(
      layout: ChunkLayout(preamble), payloadKey: try schedule.payloadKey())
    let plaintext = Array(input[length..<length + Int(preamble.payloadLength)])
    return try payload.seal(
      plaintext.span, after: Array(input[..<length]), threads: 1, progress: .none)
  }
}

extension [UInt8] {
  fileprivate mutating func pad(to length: Int) {
    append(contentsOf: repeatElement(0, count: Swift.max(0, length - count)))
  }
}
