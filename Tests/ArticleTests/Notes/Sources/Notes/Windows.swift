import Keepsake

@MainActor
func openWindow() async throws -> (
  StateSession, RestorationCoordinator
) {
  let sessions = StateSessions(
    in: try .user("com.example.notes"))
  let session = try await sessions.resume()
  if session.reason == .crash {
    print("Notes was cut off. This is what it had saved.")
  }
  let coordinator = RestorationCoordinator(
    session: session,
    configuration: RestorationConfiguration(
      bundleVersion: try BundleVersion("1.0")))
  return (session, coordinator)
}

@MainActor
func openProtected(
  _ typed: String
) async throws -> RestorationCoordinator {
  let directory = try StateDirectory.user(
    "com.example.notes")
  let keyStore = PassphraseKeyStore(path: directory.keyPath)
  try await keyStore.unlock(with: SealPassphrase(typed))
  return RestorationCoordinator(
    directory: directory, keyStore: keyStore,
    configuration: RestorationConfiguration(
      bundleVersion: try BundleVersion("1.0")))
}
