internal import Foundation
internal import KeepsakeSeal

/// The keys of the subject, stored in files that the environment names.
struct SubjectKeys {
  let recipients: [SealRecipient]
  let identities: [SealIdentity]
  let threadCount: Int?

  /// Reads the keys.
  ///
  /// `--passphrase` and `--identity` open with one of these instead of the raw key; `--pair` and `--all` seal
  /// for further recipients.
  init(_ arguments: [String]) throws {
    threadCount = arguments.contains("--threads") ? nil : 1
    let isPassphrase = arguments.contains("--passphrase")
    let isIdentity = arguments.contains("--identity")
    let isAll = arguments.contains("--all")
    let isPair = isAll || arguments.contains("--pair")
    var recipients: [SealRecipient] = []
    var identities: [SealIdentity] = []
    if !isPassphrase, !isIdentity {
      let key = try SealKey.read(at: SubjectKeys.path("KEEPSAKE_FAULT_KEY"))
      recipients.append(.key(key))
      identities.append(.key(key))
    }
    if isPair || isIdentity {
      let identity = try X25519Identity.read(at: SubjectKeys.path("KEEPSAKE_FAULT_IDENTITY"))
      recipients.append(.x25519(identity.recipient))
      if isIdentity { identities.append(.x25519(identity)) }
    }
    if isAll || isPassphrase {
      let passphrase = try SubjectKeys.passphrase()
      recipients.append(.passphrase(passphrase, cost: .constrained))
      if isPassphrase { identities.append(.passphrase(passphrase)) }
    }
    self.recipients = recipients
    self.identities = identities
  }

  func newRecipient() throws -> SealRecipient {
    .x25519(try X25519Identity.generate().recipient)
  }

  /// A passphrase of 32 bytes that are not stored in the program; the array that holds them is wiped.
  static func passphrase() throws -> SealPassphrase {
    var bytes = [UInt8](repeating: 0, count: 32)
    for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index * 37 + 65) }
    let passphrase = try SealPassphrase(copying: bytes.span)
    for index in bytes.indices { bytes[index] = 0 }
    return passphrase
  }

  private static func path(_ variable: String) -> String {
    ProcessInfo.processInfo.environment[variable] ?? ""
  }
}
