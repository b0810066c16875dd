import Foundation

/// Builds the benchmark suite in release mode and runs it with the arguments given here.
///
/// `swift run bench` builds in debug mode, and no manifest can change that. So this program, whose
/// own speed does not matter, has the real one built as it should be measured.
@main
struct Launcher {
  static func main() throws {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent()
      .deletingLastPathComponent()
    let scratch = package.appending(path: ".build")
    let build = try run(
      URL(filePath: "/usr/bin/env"),
      [
        "swift", "build", "-c", "release", "--product", "BenchmarkSuite",
        "--package-path", package.path, "--scratch-path", scratch.path,
        // A remembered plan does not see that a file of Keepsake itself came or went.
        "--disable-build-manifest-caching",
      ],
      // The report alone goes to standard output.
      output: .standardError)
    guard build == 0 else { exit(build) }
    let suite = scratch.appending(path: "release/BenchmarkSuite")
    exit(try run(suite, Array(CommandLine.arguments.dropFirst()), output: .standardOutput))
  }

  private static func run(
    _ program: URL, _ arguments: [String], output: FileHandle
  ) throws -> Int32 {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
