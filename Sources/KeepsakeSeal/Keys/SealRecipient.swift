/// Whom a file is sealed for: each recipient gets a slot, and can open the file alone.
public enum SealRecipient: Sendable {
  /// Whoever has a raw 256-bit key.
  case key(SealKey)
  /// Whoever knows a passphrase; each attempt at it has the given cost.
  case passphrase(SealPassphrase, cost: PassphraseCost = .standard)
  /// Whoever has the identity of an X25519 recipient; the sealing side holds no secret of it.
  case x25519(X25519Recipient)

  /// The type of the slot that is written for the recipient.
  public var slotType: SealSlotType {
    switch self {
    case .key: .rawKey
    case .passphrase: .passphrase
    case .x25519: .x25519
    }
  }

  /// Whether both are the same recipient; the cost of a passphrase has no say in it.
  func isSame(as other: SealRecipient) -> Bool {
    switch (self, other) {
    case (.key(let left), .key(let right)): left.isEqual(to: right)
    case (.passphrase(let left, _), .passphrase(let right, _)): left.isEqual(to: right)
    case (.x25519(let left), .x25519(let right)): left == right
    default: false
    }
  }
}
