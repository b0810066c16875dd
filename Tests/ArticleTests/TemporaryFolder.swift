import Foundation

/// Gives a body the path of a folder of its own, which is removed afterwards.
func withFolder<T>(
  isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> T
) async throws -> T {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("keepsake-articles-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  return try await body(url.path)
}
