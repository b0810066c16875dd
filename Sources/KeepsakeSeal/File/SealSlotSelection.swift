/// Which slot of a sealed file is meant.
public enum SealSlotSelection: Sendable {
  /// The slot that was written for a recipient.
  ///
  /// A raw key or a passphrase is found by its slot's commitment, an X25519 recipient by its hint.
  case recipient(SealRecipient)
  /// The slot with an index, as ``SealedFileSummary/slotTypes`` counts them; for recipients whose
  /// key is not at hand.
  case slot(Int)
}
