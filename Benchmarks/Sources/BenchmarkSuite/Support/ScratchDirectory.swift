import Foundation
import Keepsake

/// A directory for the files of one benchmark; it is removed when its last reference is released.
final class ScratchDirectory {
  let path: String

  /// Makes a directory: on disk beside this program, or in a file system in memory if the machine has one.
  init(inMemory: Bool = false) throws {
    let memory = URL(filePath: "/dev/shm")
    let parent =
      inMemory && Self.holdsFilesInMemory
      ? memory : Bundle.main.bundleURL.appending(path: "scratch")
    let directory = parent.appending(path: "keepsake-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.path
  }

  /// True when there is a file system in memory.
  static var holdsFilesInMemory: Bool { FileManager.default.isWritableFile(atPath: "/dev/shm") }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// A store of an app's state in a separate directory on disk.
final class ScratchStore {
  private let directory: ScratchDirectory
  let store: SealedStateStore

  init() throws {
    directory = try ScratchDirectory()
    store = SealedStateStore(directory: StateDirectory(path: directory.path))
  }
}
