import KeepsakeRestoration

/// A session as the store of its coordinator.
final class SessionStore: RestorationStore {
  let session: StateSession

  init(_ session: StateSession) { self.session = session }

  var savingObstacle: String? { session.savingObstacle }

  nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
    try await session.load()
  }

  nonisolated(nonsending) func save(_ archive: [UInt8], previous: PreviousState)
    async throws(RestorationError)
  {
    try await session.save(archive, previous: previous)
  }

  nonisolated(nonsending) func remove() async throws(RestorationError) {
    try await session.remove()
  }

  nonisolated(nonsending) func setAside() async throws(RestorationError) -> String {
    try await session.setAside()
  }

  func beginRestoration(attempt: Int) throws(RestorationError) {
    try session.beginRestoration(attempt: attempt)
  }

  func endRestoration() throws(RestorationError) {
    try session.endRestoration()
  }
}
