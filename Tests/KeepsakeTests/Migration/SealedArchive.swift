import Foundation
import Keepsake
import Testing

/// A sealed archive with two contacts, as version 10 wrote it.
struct SealedArchive {
  var version = "10"

  func seal(to path: String, keys: [SealKey], options: SealOptions = SealOptions()) throws {
    // The compiler ends when it takes the span of a temporary.
    let bytes = try bytes()
    try SealedFile.seal(bytes.span, to: path, for: keys.map { .key($0) }, options: options)
  }

  func bytes() throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: version))
    try writer.writeObject(.init(1), typeName: "Contact") { coder in
      coder.encode("Ada", forKey: "nm")
      coder.encode(ArchiveReference(.init(2)), forKey: "knows")
    }
    try writer.writeObject(.init(2), typeName: "Contact") { $0.encode("Grace", forKey: "nm") }
    return try writer.finish(root: .init(1))
  }

  /// A plan for version 11.
  static func plan(
    _ edit: MigrationEdit = .renameKey("nm", to: "name", ofType: "Contact")
  ) throws -> MigrationPlan {
    try MigrationPlan(
      programVersion: try BundleVersion("11"),
      steps: [
        .init(from: try BundleVersion("10"), to: try BundleVersion("11"), edits: [edit])
      ])
  }
}

/// The `KeepsakeError` that a body throws, or nil when it throws none.
func keepsakeError(_ body: () throws -> Void) -> KeepsakeError? {
  do {
    try body()
  } catch let error as KeepsakeError {
    return error
  } catch {
    Issue.record("threw \(error), which is no KeepsakeError")
  }
  return nil
}

/// The names in a directory, sorted.
func directoryNames(_ path: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: path).sorted()
}
