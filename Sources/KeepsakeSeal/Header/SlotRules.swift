/// What a writer keeps to when it chooses slots (Spec/seal.md, section 4).
enum SlotRules {
  /// Checks the number of recipients, that none is given twice, and what stands beside a passphrase.
  static func check(
    _ recipients: [SealRecipient], allowsMixedPassphrase: Bool
  ) throws(SealError) {
    try check(recipients.map(\.slotType), allowsMixedPassphrase: allowsMixedPassphrase)
    for (index, recipient) in recipients.enumerated() {
      guard !recipients[..<index].contains(where: { $0.isSame(as: recipient) }) else {
        throw SealError(.invalidKeys, detail: "one key is given twice")
      }
    }
  }

  /// Checks the types of all slots that a file is to have.
  static func check(_ types: [SealSlotType], allowsMixedPassphrase: Bool) throws(SealError) {
    guard !types.isEmpty, types.count <= SealFormat.maximumSlotCount else {
      throw SealError(.invalidKeys, detail: "\(types.count) keys")
    }
    let passphraseCount = types.count { $0 == .passphrase }
    guard passphraseCount <= SealFormat.maximumPassphraseSlotCount else {
      throw SealError(.invalidKeys, detail: "\(passphraseCount) passphrases, at most 4")
    }
    // Who opens a file by a passphrase alone may take it for written by who knows the passphrase.
    guard passphraseCount == 0 || types.count == 1 || allowsMixedPassphrase else {
      throw SealError(
        .invalidKeys, detail: "a passphrase beside other keys needs allowsMixedPassphrase")
    }
  }
}
