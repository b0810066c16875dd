import Foundation

/// Runs SwiftPM on this repository while the tests run.
enum SwiftPackageCommand {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// The output of `swift package` for some arguments.
  ///
  /// The build folder is locked while tests run, so this call has a folder of its own.
  static func run(_ arguments: [String]) throws -> Data {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "keepsake-package-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "swift", "package", "--package-path", PackageRoot.url.path, "--scratch-path", scratch.path,
      ] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.standardError
    try process.run()
    let printed = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(
        description: "swift package \(arguments[0]) ended with \(process.terminationStatus).")
    }
    return printed
  }
}
