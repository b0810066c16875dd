/// One slot: the file's data key, wrapped for one key (Spec/seal.md, section 4).
struct Slot: Sendable {
  /// All 192 bytes; of a type that this reader does not know, nothing else is said.
  let bytes: [UInt8]

  var type: SealSlotType { SealSlotType(rawValue: bytes[0]) }
  var version: UInt8 { bytes[1] }
  /// All fields from the type to the salt.
  var prefix: [UInt8] { Array(bytes[..<SealFormat.slotPrefixLength]) }
  var commitment: [UInt8] { Array(bytes[56..<88]) }
  var nonce: [UInt8] { Array(bytes[88..<112]) }
  var wrappedKey: [UInt8] { Array(bytes[112..<160]) }

  /// Whether this reader can try raw keys on the slot; other types and versions are skipped.
  var isRawKey: Bool { type == .rawKey && version == 0 }

  /// Checks the rules that hold without a key.
  init(parsing bytes: [UInt8]) throws(SealError) {
    self.bytes = bytes
    // Section 4: type 0 is never given to a slot.
    guard bytes[0] != 0 else { throw SealError(.malformedHeader, detail: "slot of type 0") }
    // Section 4.1: a raw-key slot uses neither parameters, hint nor salt.
    guard !isRawKey || bytes.isZero(2..<56) && bytes.isZero(160..<192) else {
      throw SealError(.malformedHeader, detail: "unused slot bytes are not zero")
    }
  }
}
