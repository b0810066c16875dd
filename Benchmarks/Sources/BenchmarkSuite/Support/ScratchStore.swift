import Keepsake

/// A store of an app's state in a directory of its own on disk.
final class ScratchStore {
  private let directory: ScratchDirectory
  let store: SealedStateStore

  init() throws {
    directory = try ScratchDirectory()
    store = SealedStateStore(directory: StateDirectory(path: directory.path))
  }
}
