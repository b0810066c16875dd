import CommandSupport
import Foundation
import Keepsake

/// A key that the user has, of any kind.
enum UserKey {
  case key(SealKey)
  case identity(X25519Identity)
  case passphrase(SealPassphrase)

  /// The key as it opens files.
  var identity: SealIdentity {
    switch self {
    case .key(let key): .key(key)
    case .identity(let identity): .x25519(identity)
    case .passphrase(let passphrase): .passphrase(passphrase)
    }
  }

  /// The recipient of files that this key opens.
  var recipient: SealRecipient {
    switch self {
    case .key(let key): .key(key)
    case .identity(let identity): .x25519(identity.recipient)
    case .passphrase(let passphrase): .passphrase(passphrase)
    }
  }
}

extension Failure {
  /// A key that cannot be used, whatever the reason: a directory, an open mode, damage.
  init(unusableKey error: SealError) {
    self.init(error.description, .keyUnavailable)
  }

  /// A file that holds another kind of key than the one that was asked for, or none.
  init(_ source: KeySource, is kind: KeyContent.Kind, not wanted: String) {
    let advice =
      switch kind {
      case .signingKey: "Name it by --sign"
      case .recipients: "Name it by --recipient"
      case .signers: "Name it by --signer"
      case .age:
        "Make an identity by \"keepsake keygen identity\"; files of age are opened by age"
      case .key, .keyUnderPassphrase, .identities: "Name the right file"
      case .unknown: "Put the key back from an intact copy, or name the right file"
      }
    let found =
      kind.name.map { "has \($0), and not \(wanted)" } ?? "is not a key; \(wanted) is needed"
    self.init("The file at \(source.name) \(found). \(advice).", .keyUnavailable)
  }
}

/// Reads key files, and asks for a passphrase when one of them has it.
struct KeyReader {
  /// The most times that a person types a passphrase for one file.
  static let attemptLimit = 3

  /// The source of a passphrase; nil to ask at the terminal when one is needed.
  let source: PassphraseSource?
  private let purpose: KeyPurpose
  /// The passphrases that a file or descriptor may mean; empty until it has been read.
  private var read: [SealPassphrase] = []
  /// True when the passphrase has opened a key file, so it is not tried for anything else.
  private(set) var hasOpenedKeyFile = false

  init(_ source: PassphraseSource?, to purpose: KeyPurpose) {
    (self.source, self.purpose) = (source, purpose)
  }

  /// True when a person types the passphrase, and can type it again after a mistake.
  var promptsUser: Bool {
    if case .terminal? = source { return true }
    return source == nil
  }

  /// The passphrases to try: for a file that begins with a byte order mark, one without it and one with it.
  mutating func passphrases(
    for purpose: String, isNew: Bool = false
  ) throws -> [SealPassphrase] {
    // A terminal is asked for each purpose; a file or a descriptor is read once.
    if !read.isEmpty { return read }
    let new = try (source ?? .terminal()).readAll(prompt: "Passphrase \(purpose)", isNew: isNew)
    if !promptsUser { read = new }
    return new
  }

  /// The keys of a file of any kind: one, or several identities.
  mutating func keys(from source: KeySource) throws -> [UserKey] {
    let content = try source.content(for: purpose)
    do throws(SealError) {
      switch content.kind {
      case .key: return [.key(try content.key())]
      case .identities: return try content.identities().map { .identity($0) }
      default: break
      }
    } catch {
      throw Failure(unusableKey: error)
    }
    guard content.kind == .keyUnderPassphrase else {
      throw Failure(source, is: content.kind, not: "a key file or an identity")
    }
    return [.key(try key(under: content, source))]
  }

  private mutating func key(under content: KeyContent, _ source: KeySource) throws -> SealKey {
    for attempt in 1...Self.attemptLimit {
      let purpose = attempt == 1 ? "of the key file \(source.name)" : "again"
      for passphrase in try passphrases(for: purpose) {
        do throws(SealError) {
          let key = try content.key(passphrase: passphrase)
          hasOpenedKeyFile = true
          return key
        } catch {
          guard error.code == .noMatchingKey else { throw Failure(unusableKey: error) }
        }
      }
      guard promptsUser, attempt < Self.attemptLimit else { break }
      Message.show("That is not the passphrase of the key file at \(source.name).")
    }
    throw Failure(
      "The passphrase does not open the key file at \(source.name); type it again, and mind capital letters and the "
        + "layout of the keyboard.", .keyUnavailable)
  }

  /// The identities of a file, and nothing else.
  mutating func identities(from source: KeySource) throws(Failure) -> [X25519Identity] {
    let content = try source.content(for: purpose)
    guard content.kind == .identities else {
      throw Failure(source, is: content.kind, not: "an identity")
    }
    do throws(SealError) {
      return try content.identities()
    } catch {
      throw Failure(unusableKey: error)
    }
  }
}
