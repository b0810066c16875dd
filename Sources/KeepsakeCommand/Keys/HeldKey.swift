import CommandSupport
import Foundation
import Keepsake

/// A key that the user has, of any kind.
enum HeldKey {
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

/// The kind of a file that holds a key, which its content decides, not its name.
enum KeyFileKind {
  case key, keyUnderPassphrase, identity, signingKey

  /// The name in a sentence.
  var name: String {
    switch self {
    case .key: "a key file"
    case .keyUnderPassphrase: "a key file under a passphrase"
    case .identity: "an identity"
    case .signingKey: "a signing key"
    }
  }

  /// Reads the file, and keeps none of it.
  ///
  /// - Throws: `Failure` with the exit code of an unusable key, whatever is wrong.
  init(of path: String) throws(Failure) {
    do throws(SealError) {
      _ = try SealKey.read(at: path)
      self = .key
    } catch {
      guard error.code == .keyFileWrongLength || error.code == .notKeyFile else {
        throw Failure(unusableKey: error)
      }
      if try Self.isUnderPassphrase(path) {
        self = .keyUnderPassphrase
      } else if (try? X25519Identity.read(at: path)) != nil {
        self = .identity
      } else if (try? SealSigningKey.read(at: path)) != nil {
        self = .signingKey
      } else {
        throw Failure(
          "The file at \"\(path)\" is no key: neither a key file, with or without a passphrase, nor an "
            + "identity. Put it back from an intact copy, or name the right one.", .keyUnavailable)
      }
    }
  }

  /// Reads the file with a policy that allows no work on a passphrase: only a key file under a passphrase exceeds it.
  private static func isUnderPassphrase(_ path: String) throws(Failure) -> Bool {
    do throws(SealError) {
      let any = try SealPassphrase(copying: [UInt8(ascii: "?")].span)
      let policy = SealPolicy(maximumPassphrasePasses: 0)
      _ = try SealKey.read(at: path, passphrase: any, policy: policy)
      return true
    } catch {
      switch error.code {
      case .limitExceeded: return true
      case .keyFileWrongLength, .notKeyFile: return false
      default: throw Failure(unusableKey: error)
      }
    }
  }
}

extension Failure {
  /// A key that cannot be used, whatever the reason: a directory, an open mode, damage.
  init(unusableKey error: SealError) {
    self.init(error.description, .keyUnavailable)
  }
}

/// Reads key files, and asks once for a passphrase when one of them has it.
struct KeyReader {
  /// The source of a passphrase; nil to ask at the terminal when one is needed.
  let source: PassphraseSource?
  /// The passphrase; nil until it has been read.
  private var passphrase: SealPassphrase?
  /// True when the passphrase has opened a key file, so that it is for nothing else.
  private(set) var hasOpenedKeyFile = false

  init(_ source: PassphraseSource?) { self.source = source }

  /// The passphrase itself.
  mutating func passphrase(
    for purpose: String, isNew: Bool = false
  ) throws -> SealPassphrase {
    // A terminal is asked for each purpose; a file or a descriptor is read once.
    if let passphrase { return passphrase }
    let read = try (source ?? .terminal()).read(prompt: "Passphrase \(purpose)", isNew: isNew)
    if source != nil { passphrase = read }
    return read
  }

  /// The key of a file of any kind.
  mutating func key(at path: String) throws -> HeldKey {
    do {
      switch try KeyFileKind(of: path) {
      case .key: return .key(try SealKey.read(at: path))
      case .identity: return .identity(try X25519Identity.read(at: path))
      case .keyUnderPassphrase:
        let passphrase = try passphrase(for: "of the key file \(path)")
        hasOpenedKeyFile = true
        return .key(try SealKey.read(at: path, passphrase: passphrase))
      case .signingKey:
        throw Failure(
          "The file at \"\(path)\" is a signing key, which opens nothing; name it by --sign.",
          .keyUnavailable)
      }
    } catch let error as SealError {
      if error.code == .noMatchingKey {
        throw Failure(
          "The passphrase does not open the key file at \"\(path)\"; type it again, and mind capital "
            + "letters and the layout of the keyboard.", .keyUnavailable)
      }
      throw Failure(unusableKey: error)
    }
  }

  /// The identity of a file, and nothing else.
  mutating func identity(at path: String) throws(Failure) -> X25519Identity {
    do throws(SealError) {
      return try X25519Identity.read(at: path)
    } catch {
      throw Failure(unusableKey: error)
    }
  }
}
