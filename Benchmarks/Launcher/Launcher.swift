import Foundation

/// Builds the benchmark suite in release mode and runs it with the arguments given here.
///
/// `swift run bench` builds in debug mode, and no manifest can change that. So this program, whose own speed
/// does not matter, builds the suite in release mode.
@main
struct Launcher {
  static func main() throws {
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent()
      .deletingLastPathComponent()
    let given = Array(CommandLine.arguments.dropFirst())
    let (hasPeers, others) = try peers(given.filter { !["--macros", "--remote"].contains($0) })
    let (hasMacros, arguments) = (given.contains("--macros"), others)
    let hasRemote = given.contains("--remote")
    let traits =
      (hasPeers ? ["Peers", "SwiftCrypto"] : []) + (hasMacros ? ["Macros"] : [])
      + (hasRemote ? ["Remote"] : [])
    // Each kind of build has its own folder, so that one does not discard the other's results.
    let scratch = package.appending(
      path: ".build" + (hasPeers ? "-peers" : "") + (hasMacros ? "-macros" : "")
        + (hasRemote ? "-remote" : ""))
    let build = try run(
      URL(filePath: "/usr/bin/env"),
      [
        "swift", "build", "-c", "release", "--product", "BenchmarkSuite",
        "--package-path", package.path, "--scratch-path", scratch.path,
        // A cached plan does not notice that a file of Keepsake itself was added or removed.
        "--disable-build-manifest-caching",
      ] + (traits.isEmpty ? [] : ["--traits", traits.joined(separator: ",")]),
      // Only the report goes to standard output.
      output: .standardError)
    guard build == 0 else {
      if hasPeers {
        let advice =
          "--peers all needs headers of the system: apt-get install libmsgpack-dev libcbor-dev "
          + "libzstd-dev libsqlite3-dev libflatbuffers-dev\n"
        try FileHandle.standardError.write(contentsOf: Data(advice.utf8))
      }
      exit(build)
    }
    let suite = scratch.appending(path: "release/BenchmarkSuite")
    exit(try run(suite, arguments, output: .standardOutput))
  }

  /// Whether the arguments contain `--peers all`, which selects the build, and the other arguments, which go
  /// to the suite.
  private static func peers(_ arguments: [String]) throws -> (Bool, [String]) {
    guard let place = arguments.firstIndex(of: "--peers") else { return (false, arguments) }
    guard arguments.indices.contains(place + 1), arguments[place + 1] == "all" else {
      try FileHandle.standardError.write(contentsOf: Data("--peers takes the word \"all\".\n".utf8))
      exit(64)
    }
    return (true, Array(arguments[..<place] + arguments[(place + 2)...]))
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
