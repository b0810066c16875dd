import Dispatch
public import Keepsake
import SecretServiceAdapter

/// A key in the keyring of a Linux desktop: GNOME Keyring, or another program that provides the Secret
/// Service.
///
/// The keyring is encrypted under the user's password and usually unlocked at login. So the key is safe when
/// the disk is lost, but while the user is logged in, their programs can read it.
///
/// ```swift
/// let keyStore = SecretServiceKeyStore(
///   application: "com.example.notes")
/// let store = SealedStateStore(
///   directory: try .user("com.example.notes"),
///   keyStore: keyStore)
/// ```
///
/// The store distinguishes a locked keyring from one without the key, and makes no new key in a locked one.
/// ``unlock()`` asks the user. Calls block until the service has answered; `SealedStateStore` makes them on a
/// separate thread.
public struct SecretServiceKeyStore: KeyStore {
  /// The purpose of the key: the bundle identifier of the app.
  public let application: String
  /// The name of the key within the application.
  public let account: String

  /// Creates a key store; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - application: The purpose of the key, such as a bundle identifier.
  ///   - account: The name of the key within the application.
  public init(application: String, account: String = "state") {
    self.application = application
    self.account = account
  }

  /// Reads the key.
  ///
  /// - Throws: `KeepsakeError` with `keyAbsent`, `keyLocked`, `keyDamaged`, or with `keyUnavailable` when there is no
  ///   session bus or no service.
  public func existingKey() throws(KeepsakeError) -> SealKey {
    try using { service throws(SecretServiceFailure) in try key(in: service) }
  }

  /// Reads the key, or makes one when it is absent.
  ///
  /// If several processes need a key at the same time, one makes it.
  ///
  /// - Returns: The key, which the service has stored.
  /// - Throws: `KeepsakeError`, as ``existingKey()`` does; no key is made while a keyring is locked.
  public func existingOrNewKey() throws(KeepsakeError) -> SealKey {
    try using { service throws(SecretServiceFailure) in
      try service.alone(as: "org.keepsake.KeyMaker") { () throws(SecretServiceFailure) in
        let existing = try key(in: service)
        guard case .failure(let error) = existing, error.code == .keyAbsent else { return existing }
        try service.createRandom(
          count: SealKey.byteCount, label: "Key of \(application) (\(account))",
          attributes: attributes(account))
        return try key(in: service)
      }
    }
  }

  /// Gives the key an unused name, if there is a key; it stays in the keyring.
  ///
  /// - Throws: `KeepsakeError` with `keyLocked` or `keyUnavailable`.
  public func setKeyAside() throws(KeepsakeError) {
    try using { service throws(SecretServiceFailure) in
      guard let item = try oldestItem(in: service) else {
        let error = try absent(in: service)
        return error.code == .keyAbsent ? .success(()) : .failure(error)
      }
      if item.isLocked { return .failure(locked) }
      var number = 1
      while try !service.items(with: attributes(asideAccount(number))).isEmpty { number += 1 }
      try item.setAttributes(attributes(asideAccount(number)))
      return .success(())
    }
  }

  /// Asks the user to unlock the keyring that contains the key, or that a new key will be stored in.
  ///
  /// The service shows its own dialog; this call waits on a separate thread for as long as it is open.
  /// Prepare the coordinator again afterwards.
  ///
  /// - Throws: `KeepsakeError` with `keyLocked` when the user declines, and with `keyUnavailable`.
  public func unlock() async throws(KeepsakeError) {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue(label: "Keepsake.SecretServiceKeyStore").async {
        continuation.resume(
          returning: Result { () throws(KeepsakeError) in try unlockNow() })
      }
    }
    try result.get()
  }

  private func unlockNow() throws(KeepsakeError) {
    try using { service throws(SecretServiceFailure) in
      let items = try service.items(with: attributes(account))
      if items.isEmpty, try service.isDefaultKeyringLocked() != true { return .success(()) }
      if !items.isEmpty, !items.contains(where: \.isLocked) { return .success(()) }
      return try service.unlock(items.filter(\.isLocked)) ? .success(()) : .failure(locked)
    }
  }

  private func asideAccount(_ number: Int) -> String { "\(account).set-aside-\(number)" }

  private func attributes(_ account: String) -> [String: String] {
    ["xdg:schema": "keepsake.Key", "application": application, "account": account]
  }

  private func key(
    in service: SecretService
  ) throws(SecretServiceFailure) -> Result<SealKey, KeepsakeError> {
    guard let item = try oldestItem(in: service) else { return .failure(try absent(in: service)) }
    if item.isLocked { return .failure(locked) }
    let key = try item.withSecret { bytes throws(SealError) in try SealKey(copying: bytes) }
    return key.mapError { error in
      error.code == .invalidKeyLength
        ? KeepsakeError(
          .keyDamaged,
          "The key \(name) in the keyring is not \(SealKey.byteCount) bytes long, so another program has changed it; "
            + "put it back from a backup of the keyring, or reset the state: it is then set aside, not deleted.",
          underlyingError: error)
        : KeepsakeError(.keyUnavailable, error.description, underlyingError: error)
    }
  }

  /// The oldest item with the key's attributes, which is the same for every process.
  private func oldestItem(
    in service: SecretService
  ) throws(SecretServiceFailure) -> SecretServiceItem? {
    try service.items(with: attributes(account)).min { left, right in
      // The numbers at the ends of the paths increase.
      (left.created, left.path.utf8.count, left.path)
        < (right.created, right.path.utf8.count, right.path)
    }
  }

  /// The error for an absent key, or for a locked keyring, since services may hide the items of a locked
  /// keyring.
  private func absent(in service: SecretService) throws(SecretServiceFailure) -> KeepsakeError {
    if try service.isDefaultKeyringLocked() == true { return locked }
    return KeepsakeError(
      .keyAbsent,
      "There is no key \(name) in the keyring: it was never made for this user, or it was removed; put it back from a "
        + "backup of the keyring, or reset the state to start over without it.")
  }

  private var name: String { "\(account) of \(application)" }

  private var locked: KeepsakeError {
    KeepsakeError(
      .keyLocked,
      "The keyring of this user is locked, so the key \(name) cannot be read; unlock the keyring and try again."
    )
  }

  private func using<T>(
    _ work: (SecretService) throws(SecretServiceFailure) -> Result<T, KeepsakeError>
  ) throws(KeepsakeError) -> T {
    guard !application.isEmpty, !account.isEmpty,
      !(application + account).utf8.contains(0)
    else {
      throw KeepsakeError(
        .keyUnavailable,
        "A key in a keyring has a name without NUL characters for the application and for the account; give both."
      )
    }
    let result: Result<T, KeepsakeError>
    do throws(SecretServiceFailure) {
      result = try work(SecretService())
    } catch {
      throw explained(error)
    }
    return try result.get()
  }

  private func explained(_ failure: SecretServiceFailure) -> KeepsakeError {
    switch failure.kind {
    case .locked: locked
    case .noSessionBus:
      KeepsakeError(
        .keyUnavailable,
        "This process has no session bus to ask for the key \(name) (\(failure.message)); start it within the "
          + "user's session, or use a key file.", underlyingError: failure)
    case .noKeyring:
      KeepsakeError(
        .keyUnavailable,
        "This user has no keyring for a new key \(name); make one in the settings of the desktop, or use a key file.",
        underlyingError: failure)
    case .failed:
      KeepsakeError(
        .keyUnavailable,
        "The keyring did not answer for the key \(name) (\(failure.message)); see that a Secret Service such as "
          + "gnome-keyring runs in the user's session, and try again.", underlyingError: failure)
    }
  }
}
