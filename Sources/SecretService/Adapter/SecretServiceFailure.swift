internal import CSecret

/// The error of a failed call of the service.
package struct SecretServiceFailure: Error {
  /// The kind of failure.
  package enum Kind: Sendable {
    /// This process has no session bus, or has lost it.
    case noSessionBus
    /// The requested item is in a locked keyring.
    case locked
    /// There is no keyring for new items.
    case noKeyring
    /// The service is absent, has ended, or refuses.
    case failed
  }

  package let kind: Kind
  /// The message of the service or the bus, without a period.
  package let message: String

  init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// Takes an error over and frees it.
  init(taking error: UnsafeMutablePointer<GError>?, _ kind: Kind = .failed) {
    guard let error = unsafe error else {
      self.init(kind, "the service gives no reason")
      return
    }
    unsafe g_dbus_error_strip_remote_error(error)
    var text = "the service gives no reason"
    if let message = unsafe error.pointee.message { text = unsafe String(cString: message) }
    let isLocked =
      unsafe g_error_matches(
        error, secret_error_get_quark(), gint(SECRET_ERROR_IS_LOCKED.rawValue)) != 0
    unsafe g_error_free(error)
    while text.hasSuffix(".") { text.removeLast() }
    self.init(isLocked ? .locked : kind, text)
  }
}
