import Foundation

@testable import KeepsakeSeal

/// A vector of Spec/Vectors/sealed, as Spec/Vectors/README.md describes it.
struct SealedVector: Decodable {
  let name: String
  let kind: String
  let file: String
  let edits: [Edit]?
  let open: Opening
  let expected: Outcome
  let written: Writing?
  /// The folder that contains its bytes.
  private(set) var folder = SealedVector.specification

  private enum CodingKeys: CodingKey {
    case name, kind, file, edits, open, expected, written
  }

  /// Bytes that replace those of the file.
  struct Edit: Decodable {
    let offset: Int
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      offset = try container.decode(Int.self)
      bytes = try container.decode(HexBytes.self).bytes
    }
  }

  /// The arguments of a reader.
  struct Opening: Decodable {
    let keys: [[String: HexBytes]]?
    let context: StatedBytes?
    let signature: Signers?
    let atLeast: String?
    let notBefore: HexBytes?
    let exactly: HexBytes?
    let limits: [String: Int]?
    let salvage: Bool?
    let passphrase: HexBytes?
  }

  /// The required signers; nil means any signer.
  struct Signers: Decodable {
    let publicKeys: [[UInt8]]?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      publicKeys = try? container.decode([HexBytes].self).map(\.bytes)
    }
  }

  /// The result of a reader.
  struct Outcome: Decodable, Equatable {
    var error: String?
    var chunk: Int?
    var length: Int?
    var generation: String?
    var creator: String?
    var publicMetadata: StatedBytes?
    var slot: Int?
    var sole: Bool?
    var signer: HexBytes?
    var freshness: String?
    var pin: HexBytes?
    var plaintext: HexBytes?
    var reads: [Read]?
    var salvage: Salvage?
    var bytes: HexBytes?
  }

  /// A part that is read, with its result.
  struct Read: Decodable, Equatable {
    let from: Int
    let to: Int
    var plaintext: HexBytes?
    var error: String?
    var chunk: Int?
  }

  /// The missing ranges of a damaged file, and the recovered plaintext.
  struct Salvage: Decodable, Equatable {
    let missing: [[Int]]
    let plaintext: HexBytes
  }

  /// All arguments and random values of the writer that makes the vector's bytes.
  struct Writing: Decodable {
    let plaintextLength: Int
    let context: StatedBytes
    let publicMetadata: StatedBytes
    let generation: String
    let creator: String
    let chunkSizeExponent: UInt8
    let padded: Bool
    let signingKey: HexBytes?
    let dataKey: HexBytes
    let fileID: HexBytes
    let metadataNonce: HexBytes
    let signatureNonce: HexBytes?
    let slots: [WrittenSlot]
  }

  /// A slot with its random values.
  struct WrittenSlot: Decodable {
    let key: HexBytes?
    let passphrase: HexBytes?
    let passes: Int?
    let memory: Int?
    let salt: HexBytes?
    let recipient: HexBytes?
    let ephemeralSecret: HexBytes?
    let nonce: HexBytes
  }
}

extension HexBytes {
  init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Bytes in hexadecimal digits, or a number of bytes of the vectors' pattern.
struct StatedBytes: Decodable, Equatable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(from decoder: any Decoder) throws {
    if let count = try? decoder.singleValueContainer().decode([String: Int].self)["pattern"] {
      bytes = SealedVector.pattern(count)
    } else {
      bytes = try HexBytes(from: decoder).bytes
    }
  }
}

extension SealedVector {
  /// Spec/Vectors/sealed.
  static let specification = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Spec/Vectors/sealed")

  /// All vectors in the index of a folder.
  static func all(in folder: URL = specification) throws -> [SealedVector] {
    let index = try String(
      contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)
    return try index.split(separator: "\n").map { line in
      let name = String(line.prefix { $0 != "\t" })
      var vector = try JSONDecoder().decode(
        SealedVector.self, from: Data(contentsOf: folder.appendingPathComponent(name)))
      vector.folder = folder
      return vector
    }
  }

  /// The plaintext of vectors.
  static func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 + $0 >> 8 + $0 >> 16) }
  }

  /// The bytes that a reader gets.
  func data() throws -> [UInt8] {
    var bytes = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
    for edit in edits ?? [] {
      bytes.replaceSubrange(edit.offset..<edit.offset + edit.bytes.count, with: edit.bytes)
    }
    return bytes
  }
}

extension SealedVector.Opening {
  func identities() throws -> [SealIdentity] {
    try (keys ?? []).flatMap { key in
      try key.map { kind, hex in
        switch kind {
        case "key": .key(try SealKey(copying: hex.bytes.span))
        case "passphrase": .passphrase(try SealPassphrase(copying: hex.bytes.span))
        default: .x25519(try X25519Identity(copying: hex.bytes.span))
        }
      }
    }
  }

  func expectation() throws -> SealExpectation {
    if let atLeast, let generation = UInt64(atLeast) { return .atLeast(generation: generation) }
    if let notBefore { return .notBefore(try SealedFilePin(bytes: notBefore.bytes)) }
    if let exactly { return .exactly(try SealedFilePin(bytes: exactly.bytes)) }
    return .nothing
  }

  func policy() throws -> SealPolicy {
    var policy = SealPolicy()
    if let signature {
      policy.signature =
        if let keys = signature.publicKeys {
          .trusted(try keys.map { try SealSigner(publicKey: $0) })
        } else {
          .anySigner
        }
    }
    for (name, limit) in limits ?? [:] {
      switch name {
      case "slots": policy.maximumSlotCount = limit
      case "publicMetadata": policy.maximumPublicMetadataLength = limit
      case "encryptedMetadata": policy.maximumEncryptedMetadataLength = limit
      case "payload": policy.maximumPayloadLength = limit
      case "read": policy.maximumReadLength = limit
      case "passphraseMemory": policy.maximumPassphraseMemory = limit
      case "passphrasePasses": policy.maximumPassphrasePasses = limit
      default: policy.maximumPassphraseWork = limit
      }
    }
    return policy
  }
}

extension SealedVector.Writing {
  private func recipient(_ slot: SealedVector.WrittenSlot) throws -> SealRecipient {
    if let key = slot.key { return .key(try SealKey(copying: key.bytes.span)) }
    if let recipient = slot.recipient {
      return .x25519(try X25519Recipient(publicKey: recipient.bytes))
    }
    let cost = PassphraseCost(
      passes: slot.passes ?? 0, memoryByteCount: (slot.memory ?? 0) << 10)
    let bytes = slot.passphrase?.bytes ?? []
    let passphrase = try SealPassphrase(copying: bytes.span)
    return .passphrase(passphrase, cost: cost)
  }

  private func options() throws -> SealOptions {
    SealOptions(
      chunkSize: SealOptions.ChunkSize(rawValue: chunkSizeExponent) ?? .kibibytes64,
      context: context.bytes, publicMetadata: publicMetadata.bytes,
      generation: UInt64(generation) ?? 0, creator: creator, padding: padded ? .padme : .none,
      signingKey: try signingKey.map { try SealSigningKey(copying: $0.bytes.span) },
      allowsMixedPassphrase: true)
  }

  private func recipients() throws -> [SealRecipient] { try slots.map { try recipient($0) } }

  /// The same content, sealed with new random values.
  func sealedAnew() throws -> [UInt8] {
    let plan = try SealPlan(recipients: recipients(), options: options())
    return try plan.sealed(SealedVector.pattern(plaintextLength).span)
  }

  /// The file, sealed with the vector's random values.
  func sealed() throws -> [UInt8] {
    let randomness = SealRandomness(
      dataKey: try SecretBytes(copying: dataKey.bytes.span), fileID: fileID.bytes,
      slots: try slots.map { slot in
        SlotRandomness(
          nonce: slot.nonce.bytes,
          seed: try (slot.salt ?? slot.ephemeralSecret).map {
            try SecretBytes(copying: $0.bytes.span)
          })
      },
      metadataNonce: metadataNonce.bytes, signatureNonce: signatureNonce?.bytes ?? [])
    let plan = try SealPlan(
      recipients: recipients(), options: options(), randomness: randomness)
    return try plan.sealed(SealedVector.pattern(plaintextLength).span)
  }
}
