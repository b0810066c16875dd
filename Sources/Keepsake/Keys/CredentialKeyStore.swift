public import KeepsakeSeal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A key that the service manager gives to a service: a key file among the credentials of systemd.
///
/// The unit names the key file. The administrator makes it with `SealKey.create(at:)` or `keepsake keygen key`, and may
/// store it encrypted for this machine (`LoadCredentialEncrypted=`):
///
/// ```
/// [Service]
/// LoadCredential=state-key:/etc/notes/state.key
/// ```
///
/// ```swift
/// let keyStore = CredentialKeyStore(name: "state-key")
/// ```
///
/// The service reads the key and never makes, changes or removes one. Only the directory comes from the environment
/// (`CREDENTIALS_DIRECTORY`); a variable with the key would be inherited by every program that the service starts.
public struct CredentialKeyStore: KeyStore {
  /// The name of the credential in the unit.
  package let name: String
  /// The directory of the credentials; nil when the service manager has given none to this process.
  package let directory: String?

  /// Creates a key store for the credential with a name in the unit; nothing is read yet.
  public init(name: String) {
    self.init(name: name, environment: ProcessInfo.processInfo.environment)
  }

  init(name: String, environment: [String: String]) {
    self.name = name
    directory = environment["CREDENTIALS_DIRECTORY"]
  }

  /// Reads the key.
  ///
  /// - Throws: ``KeepsakeError``: `keyUnavailable` when this process has no credentials, or others can access the
  ///   key; `keyAbsent` when no credential has the name; `keyDamaged` when it is not an intact key file.
  public func existingKey() throws(KeepsakeError) -> SealKey {
    guard !name.isEmpty, name != ".", name != "..",
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else {
      throw KeepsakeError(
        .keyUnavailable,
        "\"\(name)\" cannot name a credential; use the name that the unit gives it.")
    }
    guard let directory, directory.hasPrefix("/") else {
      throw KeepsakeError(
        .keyUnavailable,
        "This process was given no credentials (CREDENTIALS_DIRECTORY is not set); start it as a service whose unit "
          + "has LoadCredential=\(name):PATH.")
    }
    let path = directory + "/" + name
    do throws(SealError) {
      return try SealKey.readCredential(at: path)
    } catch {
      switch error.code {
      case .keyFileAbsent:
        throw KeepsakeError(
          .keyAbsent,
          "There is no credential \(name) in \(directory); name it in the unit (LoadCredential=\(name):PATH) and "
            + "start the service again.", at: path, underlyingError: error)
      default:
        let sorted = KeepsakeError(readingKey: error)
        // The message has no advice to reset, since the key is the administrator's.
        throw KeepsakeError(sorted.code, error.description, at: path, underlyingError: error)
      }
    }
  }

  /// Reads the key, as ``existingKey()`` does; the service never makes one.
  public func existingOrNewKey() throws(KeepsakeError) -> SealKey { try existingKey() }

  /// Always refuses with the code `keyUnavailable`, since the key is the administrator's.
  public func setKeyAside() throws(KeepsakeError) {
    throw KeepsakeError(
      .keyUnavailable,
      "The key \(name) is handed to this service and cannot be set aside by it; let the administrator put another "
        + "key file in its place and start the service again.")
  }
}
