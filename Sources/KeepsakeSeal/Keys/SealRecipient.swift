/// A recipient of a sealed file; each recipient gets a slot, and can open the file alone.
public enum SealRecipient: Sendable {
  /// Every holder of a raw 256-bit key.
  case key(SealKey)
  /// Everyone who knows a passphrase; each attempt at it has the given cost.
  case passphrase(SealPassphrase, cost: PassphraseCost = .standard)
  /// Every holder of an X25519 identity; the sealing side needs no secret.
  case x25519(X25519Recipient)

  /// The type of the slot that is written for the recipient.
  var slotType: SealSlotType {
    switch self {
    case .key: .rawKey
    case .passphrase: .passphrase
    case .x25519: .x25519
    }
  }

  /// The passphrase; nil for other recipients.
  var passphrase: SealPassphrase? {
    if case .passphrase(let passphrase, _) = self { passphrase } else { nil }
  }

  /// Whether both are the same recipient; the cost of a passphrase is ignored.
  func isSame(as other: SealRecipient) -> Bool {
    switch (self, other) {
    case (.key(let left), .key(let right)): left.isEqual(to: right)
    case (.passphrase(let left, _), .passphrase(let right, _)): left.isEqual(to: right)
    case (.x25519(let left), .x25519(let right)): left == right
    default: false
    }
  }
}

/// A secret that opens sealed files.
///
/// Raw keys are tried first, then X25519 identities, then passphrases, which cost the most. The order in
/// which they are passed does not matter.
public enum SealIdentity: Sendable {
  /// A raw 256-bit key.
  case key(SealKey)
  /// A passphrase.
  case passphrase(SealPassphrase)
  /// An X25519 identity.
  case x25519(X25519Identity)

  /// The type of the slots that the identity can open.
  var slotType: SealSlotType {
    switch self {
    case .key: .rawKey
    case .passphrase: .passphrase
    case .x25519: .x25519
    }
  }

  /// Whether this identity opens files that are sealed for a recipient.
  func isCounterpart(of recipient: SealRecipient) -> Bool {
    switch (self, recipient) {
    case (.key(let own), .key(let other)): own.isEqual(to: other)
    case (.passphrase(let own), .passphrase(let other, _)):
      own.isEqual(to: other) || other.unnormalized?.isEqual(to: own) ?? false
    case (.x25519(let identity), .x25519(let recipient)): identity.recipient == recipient
    default: false
    }
  }
}

/// The kind of recipient that a slot of a sealed file is for.
///
/// The list is open: a reader skips slots of types that it does not know.
public struct SealSlotType: Hashable, Sendable, CustomStringConvertible {
  /// The type byte of the slot (Spec/seal.md, section 4).
  public let rawValue: UInt8

  /// Creates the type with a type byte, 1 to 255.
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A raw 256-bit key, for example from a key file.
  public static let rawKey = Self(rawValue: 1)
  /// A passphrase, through Argon2id.
  public static let passphrase = Self(rawValue: 2)
  /// An X25519 recipient.
  public static let x25519 = Self(rawValue: 3)
  /// A post-quantum recipient; reserved: this version neither writes nor opens it.
  static let postQuantum = Self(rawValue: 16)

  /// The type in words, or its number when it has none.
  public var description: String {
    switch self {
    case .rawKey: "raw key"
    case .passphrase: "passphrase"
    case .x25519: "X25519"
    case .postQuantum: "post-quantum"
    default: "type \(rawValue)"
    }
  }
}
