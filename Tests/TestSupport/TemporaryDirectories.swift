import Foundation

/// Runs a body with the path of a new, empty directory, which is removed afterwards.
package func withTemporaryDirectory<Result>(
  _ body: (_ path: String) throws -> Result
) throws -> Result {
  let path = try newTemporaryDirectory()
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try body(path)
}

/// Runs an asynchronous body with the path of a new, empty directory, which is removed afterwards.
package func withTemporaryDirectory<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ body: (_ path: String) async throws -> Result
) async throws -> Result {
  let path = try newTemporaryDirectory()
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try await body(path)
}

private func newTemporaryDirectory() throws -> String {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("keepsake-test-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  return url.path
}
