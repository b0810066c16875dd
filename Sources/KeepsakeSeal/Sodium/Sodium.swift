internal import CSodium

/// The library itself: it must be initialised before any other call.
enum Sodium {
  /// `sodium_init` once per process; it returns a negative number when it cannot be used.
  private static let isReady = sodium_init() >= 0

  static func requireReady() throws(SealError) {
    guard isReady else { throw SealError(.cryptographyUnavailable) }
  }
}
