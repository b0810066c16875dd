import Keepsake

/// A window with a state of its own.
@MainActor
struct NoteWindow {
  let app = NotesApp()
  let session: StateSession
  let saver: StateSaver

  init(_ session: StateSession) async throws {
    self.session = session
    let coordinator = RestorationCoordinator(
      session: session,
      configuration: RestorationConfiguration(
        bundleVersion: try BundleVersion("1.0")))
    await coordinator.launch(app)
    saver = StateSaver(coordinator, of: app)
    // A window without a saved state does not come back.
    try await saver.save()
  }
}

/// Opens the windows that were open, or two at first.
@MainActor
func openWindows(
  of sessions: StateSessions
) async throws -> [NoteWindow] {
  // From back to front: the last one was in front.
  var open = try await sessions.resumeAll()
  if open.isEmpty {
    open = [
      try await sessions.open(), try await sessions.open(),
    ]
  }
  var windows: [NoteWindow] = []
  for session in open {
    windows.append(try await NoteWindow(session))
  }
  return windows
}

extension NoteWindow {
  /// The user has switched to this window.
  func becomeFront() async throws {
    try await session.bringToFront()
  }

  /// The user has closed this window; it stays closed.
  func close() async throws {
    try await saver.shutDown()
    try await session.close()
  }

  /// The user quits the app; its windows come back.
  func quit() async throws {
    try await saver.shutDown()
    try await session.end(.userQuit)
  }
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
