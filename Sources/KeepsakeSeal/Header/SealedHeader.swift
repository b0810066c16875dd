/// A whole header, as it stands in a file: parsed, but not verified by any key.
///
/// A class, since it is handed on a good deal and never changes.
final class SealedHeader: Sendable {
  let preamble: Preamble
  let slots: [Slot]
  let publicMetadata: [UInt8]
  /// All bytes, MAC and check included.
  let bytes: [UInt8]

  /// The MAC over everything before it.
  var mac: ArraySlice<UInt8> { bytes[macOffset..<macOffset + SealFormat.macLength] }
  var macOffset: Int { bytes.count - SealFormat.checkLength - SealFormat.macLength }
  var bytesBeforeMAC: ArraySlice<UInt8> { bytes[..<macOffset] }
  var encryptedMetadata: ArraySlice<UInt8> {
    bytes[macOffset - preamble.encryptedMetadataLength..<macOffset]
  }

  /// Reads `preamble.headerLength` bytes.
  init(parsing bytes: [UInt8], preamble: Preamble) throws(SealError) {
    // What was read twice must be the same: the limits were compared with the first reading, the MAC covers this.
    guard bytes.hasPrefix(preamble.bytes) else {
      throw SealError(.changedMeanwhile)
    }
    // Section 3: the check tells accidental damage from a wrong key. It proves nothing.
    let checkOffset = bytes.count - SealFormat.checkLength
    guard try Blake2b.isDigest(bytes[checkOffset...], of: [], bytes[..<checkOffset], key: nil)
    else {
      throw SealError(.damagedHeader)
    }
    var offset = SealFormat.preambleLength
    var slots: [Slot] = []
    for _ in 0..<preamble.slotCount {
      slots.append(try Slot(parsing: Array(bytes[offset..<offset + SealFormat.slotLength])))
      offset += SealFormat.slotLength
    }
    // Section 4.2: more passphrases would only be more work for a reader.
    guard slots.count(where: \.isPassphrase) <= SealFormat.maximumPassphraseSlotCount else {
      throw SealError(.malformedHeader, detail: "more than 4 passphrase slots")
    }
    // Section 4.2: it would not be the only one.
    guard slots.count == 1 || !slots.contains(where: \.isSole) else {
      throw SealError(.malformedHeader, detail: "a sole passphrase slot beside another slot")
    }
    self.preamble = preamble
    self.slots = slots
    publicMetadata = Array(bytes[offset..<offset + preamble.publicMetadataLength])
    self.bytes = bytes
  }

  /// Lays out a new header; the MAC is computed by `mac` over what precedes it.
  init(
    preamble: Preamble, slots: [Slot], publicMetadata: [UInt8],
    encryptedMetadata: ArraySlice<UInt8>,
    mac: (ArraySlice<UInt8>) throws(SealError) -> [UInt8]
  ) throws(SealError) {
    self.preamble = preamble
    self.slots = slots
    self.publicMetadata = publicMetadata
    var bytes = [UInt8].laidOut(preamble.headerLength) { output in
      preamble.write(to: &output)
      for slot in slots { output.append(slot.bytes) }
      output.append(publicMetadata)
      for byte in encryptedMetadata { output.append(byte) }
    }
    bytes += try mac(bytes[...])
    bytes += try Blake2b.hash(bytes, count: SealFormat.checkLength)
    self.bytes = bytes
  }
}
