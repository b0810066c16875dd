/// One change of who can open a sealed file; see
/// ``SealedFile/rewrap(_:with:changes:context:allowsMixedPassphrase:policy:progress:)``.
public enum SealSlotChange: Sendable {
  /// One more recipient.
  case add(SealRecipient)
  /// One recipient less.
  case remove(SealSlotSelection)
  /// Another recipient in place of one, such as a new passphrase.
  case replace(SealSlotSelection, with: SealRecipient)
}
