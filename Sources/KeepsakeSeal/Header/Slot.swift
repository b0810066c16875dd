/// One slot: the file's data key, wrapped for one recipient (Spec/seal.md, section 4).
struct Slot: Sendable {
  /// All 192 bytes; the other properties are meaningful only for known types.
  let bytes: [UInt8]

  var type: SealSlotType { SealSlotType(rawValue: bytes[0]) }
  var version: UInt8 { bytes[1] }
  /// All fields from the type to the salt.
  var prefix: [UInt8] { Array(bytes[..<SealFormat.slotPrefixLength]) }
  var hint: [UInt8] { Array(bytes[16..<24]) }
  var salt: [UInt8] { Array(bytes[24..<56]) }
  var commitment: ArraySlice<UInt8> { bytes[56..<88] }
  /// The nonce, followed by the data key sealed with it.
  var wrappedKey: ArraySlice<UInt8> { bytes[88..<160] }

  /// The cost of one guess at the passphrase of a passphrase slot; its fields have 32 bits.
  var passphraseCost: PassphraseCost {
    PassphraseCost(
      passes: Int(clamping: bytes.littleEndian(at: 4, as: UInt32.self)),
      memoryByteCount: Int(clamping: UInt64(bytes.littleEndian(at: 8, as: UInt32.self)) << 10))
  }

  /// True when this reader can try keys on the slot; other types and versions are skipped.
  var isKnown: Bool {
    version == 0 && (type == .rawKey || type == .passphrase || type == .x25519)
  }

  var isPassphrase: Bool { isKnown && type == .passphrase }

  /// The mark of a passphrase slot (Spec/seal.md, section 4.2): the byte at offset 2.
  enum PassphraseMark: UInt8 {
    case none = 0
    /// The slot was made as the only slot of its data key.
    case sole = 1
    /// The slot belongs to a passphrase key file.
    case keyFile = 2
  }

  /// True when the slot is marked as the only slot of its data key.
  var isSole: Bool { isPassphrase && bytes[2] == PassphraseMark.sole.rawValue }

  /// Parses the slot of a sealed file or of a passphrase key file, and checks the rules that need no key.
  init(parsing bytes: [UInt8], isInKeyFile: Bool = false) throws(SealError) {
    self.bytes = bytes
    // Section 4: no slot has type 0.
    guard bytes[0] != 0 else { throw SealError(.malformedHeader, detail: "slot of type 0") }
    guard isKnown else { return }
    // Sections 4.1 to 4.3: bytes that a type does not use are zero.
    guard areUnusedBytesZero,
      !isPassphrase || PassphraseMark(rawValue: bytes[2]) != nil
    else {
      throw SealError(.malformedHeader, detail: "unused slot bytes are not zero")
    }
    // Sections 4.2 and 9.4: otherwise a person who knows the wrapped key could pass off a sealed file's slot as a key
    // file, or the other way around.
    guard !isPassphrase || (bytes[2] == PassphraseMark.keyFile.rawValue) == isInKeyFile else {
      throw SealError(
        .malformedHeader,
        detail: isInKeyFile
          ? "a passphrase slot of a sealed file in a key file"
          : "a passphrase slot of a key file in a sealed file")
    }
    // Section 4.2: Argon2id is not defined for a lower cost.
    guard
      !isPassphrase
        || passphraseCost.passes >= 1 && passphraseCost.memoryByteCount >= Argon2id.minimumMemory
    else { throw SealError(.malformedHeader, detail: "passphrase cost below the least possible") }
  }

  private var areUnusedBytesZero: Bool {
    guard bytes.isZero(160..<192) else { return false }
    return switch type {
    case .passphrase: bytes[3] == 0 && bytes.isZero(12..<24) && bytes.isZero(40..<56)
    case .x25519: bytes.isZero(2..<16)
    default: bytes.isZero(2..<56)
    }
  }
}

extension Slot {
  /// Wraps `dataKey` under the key-encryption key `key` of the recipient and `prefix` (Spec/seal.md, section
  /// 4).
  init(
    wrapping dataKey: SecretBytes, under key: SecretBytes, prefix: [UInt8], fileID: [UInt8],
    nonce: [UInt8]
  ) throws(SealError) {
    let bound = prefix + fileID
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap, bound[...], key: key)
    let commitment = try Blake2b.hash(KeyLabel.slotCommitment, bound[...], key: key)
    let wrapped = try XChaCha20Poly1305.wrap(
      dataKey, key: wrappingKey, nonce: nonce, associatedData: bound)
    bytes = [UInt8].laidOut(SealFormat.slotLength) { output in
      output.append(prefix)
      output.append(commitment)
      output.append(wrapped)
      // The bytes after the wrapped key are unused.
      for _ in 0..<4 { output.appendLittleEndian(UInt64(0)) }
    }
  }

  /// Whether the slot was written under `key`; compared in constant time, before any unwrapping.
  func matches(_ key: SecretBytes, fileID: [UInt8]) throws(SealError) -> Bool {
    try matches(key, bound(to: fileID))
  }

  private func matches(_ key: SecretBytes, _ bound: [UInt8]) throws(SealError) -> Bool {
    try Blake2b.isDigest(commitment, of: KeyLabel.slotCommitment, bound[...], key: key)
  }

  /// The result of trying a key on a slot.
  enum Unwrapping {
    /// The slot was written under another key.
    case otherKey
    /// The slot was written under this key, and has been changed since.
    case tampered
    case dataKey(SecretBytes)
  }

  /// Unwraps the data key if the slot was written under `key` and verifies.
  func unwrap(with key: SecretBytes, fileID: [UInt8]) throws(SealError) -> Unwrapping {
    let bound = bound(to: fileID)
    guard try matches(key, bound) else { return .otherKey }
    let wrappingKey = try Blake2b.derive(KeyLabel.slotWrap, bound[...], key: key)
    guard
      let dataKey = try XChaCha20Poly1305.unwrap(
        wrappedKey, key: wrappingKey, associatedData: bound)
    else { return .tampered }
    return .dataKey(dataKey)
  }

  /// The prefix and the file id, which both the commitment and the wrapping cover.
  private func bound(to fileID: [UInt8]) -> [UInt8] {
    [UInt8].laidOut(SealFormat.slotPrefixLength + fileID.count) { output in
      output.append(bytes[..<SealFormat.slotPrefixLength])
      output.append(fileID)
    }
  }
}
