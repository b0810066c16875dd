/// What kind of key a slot of a sealed file was written for.
///
/// A reader skips slots of types that it does not know, so the list is open.
public struct SealSlotType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The type byte of the slot (Spec/seal.md, section 4).
  public let rawValue: UInt8

  /// Creates the type of a type byte.
  ///
  /// - Parameter rawValue: The type byte, 1 to 255.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A raw 256-bit key, such as a key file holds.
  public static let rawKey = Self(rawValue: 1)
  /// A passphrase, by way of Argon2id.
  public static let passphrase = Self(rawValue: 2)
  /// An X25519 recipient.
  public static let x25519 = Self(rawValue: 3)
  /// A post-quantum recipient; reserved, this version neither writes nor opens it.
  public static let postQuantum = Self(rawValue: 16)

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
