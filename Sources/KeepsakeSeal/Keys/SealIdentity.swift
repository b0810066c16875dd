/// What somebody opens a sealed file with.
///
/// Whatever the order in which identities are passed, raw keys are tried first, then X25519
/// identities, then passphrases, which cost most.
public enum SealIdentity: Sendable {
  /// A raw 256-bit key.
  case key(SealKey)
  /// A passphrase.
  case passphrase(SealPassphrase)
  /// An X25519 identity.
  case x25519(X25519Identity)

  /// The type of the slots that the identity can open.
  public var slotType: SealSlotType {
    switch self {
    case .key: .rawKey
    case .passphrase: .passphrase
    case .x25519: .x25519
    }
  }

  /// Whether it opens what is sealed for a recipient.
  func isCounterpart(of recipient: SealRecipient) -> Bool {
    switch (self, recipient) {
    case (.key(let own), .key(let other)): own.isEqual(to: other)
    case (.passphrase(let own), .passphrase(let other, _)): own.isEqual(to: other)
    case (.x25519(let identity), .x25519(let recipient)): identity.recipient == recipient
    default: false
    }
  }
}
