internal import CSecret

/// Why the service did not do what it was asked for.
package struct SecretServiceFailure: Error {
  /// What kind of failure it is.
  package enum Kind: Sendable {
    /// This process has no session bus, or lost it.
    case noSessionBus
    /// What is asked for lies in a keyring that is locked.
    case locked
    /// There is no keyring for new items.
    case noKeyring
    /// The service is absent, has ended, or refuses.
    case failed
  }

  package let kind: Kind
  /// What the service or the bus says, without a period.
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
