import Foundation
import Keepsake
import TestSupport

/// A directory for one test, which is removed after it.
struct TemporaryDirectory {
  let url: URL

  var state: StateDirectory { StateDirectory(path: url.appendingPathComponent("state").path) }

  @MainActor
  static func with<T>(_ body: @MainActor (TemporaryDirectory) async throws -> T) async throws -> T {
    try await withTemporaryDirectory { path in
      try await body(TemporaryDirectory(url: URL(fileURLWithPath: path, isDirectory: true)))
    }
  }

  /// The names of the files in the state directory, sorted, without that of the lock.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: state.path).filter { $0 != "lock" }.sorted()
  }

  /// The file of a state, opened with a key alone: its purpose is read from the file.
  func opened(_ path: String? = nil, with key: SealKey) throws -> SealedFile {
    let path = path ?? state.archivePath
    let purpose = try SealedFile.inspect(path).statePurpose
    return try SealedFile.open(path, with: [.key(key)], context: purpose?.context ?? [])
  }

  func contents(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  func write(_ data: Data, to path: String) throws {
    try data.write(to: URL(fileURLWithPath: path))
  }

  func permissions(_ path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}
