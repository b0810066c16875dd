import BenchmarkHarness
import Foundation

/// Runs the benchmarks that the arguments select, and prints a table for each task.
@main
@MainActor
struct BenchmarkSuite {
  static func main() async {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp {
        Output.line(Options.usage)
        return
      }
      #if DEBUG
        throw CheckFailure(
          description: "This is a debug build, whose times mean nothing; use `swift run bench`.")
      #else
        if try await !Run(options: options).run() { exit(1) }
      #endif
    } catch {
      FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
      exit(1)
    }
  }
}
