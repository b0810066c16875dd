import Foundation

/// Something that goes wrong, and how a test provokes it.
@MainActor
struct Situation {
  let name: String
  /// Provokes it in an empty folder; the error that it throws is shown to people.
  let provoke: @MainActor (_ folder: String) async throws -> Void

  init(_ name: String, _ provoke: @escaping @MainActor (_ folder: String) async throws -> Void) {
    self.name = name
    self.provoke = provoke
  }

  /// The message that people read, without the folder in paths.
  func sentence(in folder: String) async -> String {
    do {
      try await provoke(folder)
      return "Nothing went wrong."
    } catch {
      return "\(error)".replacing(folder, with: "…")
        .replacing(/keepsake-signer1\w+/, with: "keepsake-signer1…")
    }
  }

  static var all: [Situation] { archives + sealedFiles + keys + values + versions + states }
}

/// The bytes of a file.
func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(filePath: path))
}
