internal import FuzzDriver
internal import SealForgery

@testable import KeepsakeSeal

/// Unlocks slots with a key (Spec/seal.md, sections 4 and 7); the input is a file id, then slots.
@main struct FuzzSealSlots {
  static func main() throws {
    let forger = try SealForger()
    let target = FuzzTarget(
      seeds: {
        try forger.files().map { file in
          Array(file[64..<96]) + file[128..<128 + 192 * Int(file[16])]
        }
      },
      repair: { input, choice in
        guard input.count >= 32 + SealFormat.slotLength else { return input }
        let count = (input.count - 32) / SealFormat.slotLength
        let start = 32 + Int(choice) % count * SealFormat.slotLength
        var bytes = input
        let slot = Array(bytes[start..<start + SealFormat.slotLength])
        if let forged = try? forger.forgedSlot(slot, fileID: Array(input[..<32])) {
          // Sometimes the wrapping does not open: tampering after the commitment.
          let length = choice % 8 == 0 ? 112 : SealFormat.slotLength
          bytes.replaceSubrange(start..<start + length, with: forged[..<length])
        }
        return bytes
      },
      body: { input in
        guard input.count >= 32 + SealFormat.slotLength else { return }
        do throws(SealError) { try unlock(input, with: forger) } catch {
          precondition(
            [.malformedHeader, .noMatchingKey, .damagedHeader, .limitExceeded].contains(error.code),
            "\(error)")
        }
      })
    try target.run()
  }

  private static func unlock(_ input: [UInt8], with forger: SealForger) throws(SealError) {
    var slots: [Slot] = []
    var start = 32
    while start + SealFormat.slotLength <= input.count,
      slots.count < SealFormat.maximumSlotCount
    {
      let bytes = Array(input[start..<start + SealFormat.slotLength])
      let slot = try Slot(parsing: bytes)
      precondition(slot.bytes == bytes)
      slots.append(slot)
      start += SealFormat.slotLength
    }
    let preamble = Preamble(
      chunkSize: .kibibytes4, slotCount: slots.count, publicMetadataLength: 0,
      encryptedMetadataLength: 0, payloadLength: 0, fileID: Array(input[..<32]),
      commitment: [UInt8](repeating: 0, count: 32))
    let header = try SealedHeader(
      preamble: preamble, slots: slots, publicMetadata: [], encryptedMetadata: []
    ) { _ in [UInt8](repeating: 0, count: SealFormat.macLength) }
    let (dataKey, slot, _) = try header.unlock(forger.identities, policy: forger.policy)
    precondition(dataKey.count == SealFormat.dataKeyLength)
    precondition(slots[slot].isKnown)
  }
}
