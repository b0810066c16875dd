import BenchmarkHarness
import Foundation
import KeepsakeCodable

/// The verbs of the `keepsake` command, compared with programs that read and write the same files.
///
/// Each sample is a whole process, which reads and writes files in memory. Only `--peers all` builds the command.
@MainActor
enum CommandSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let tool = Bundle.main.bundleURL.appending(path: "keepsake").path
    guard ScratchDirectory.holdsFilesInMemory, FileManager.default.isExecutableFile(atPath: tool)
    else { return [] }
    // The posts of 20 MB of JSON.
    let count = extent == .quick ? 1_000 : 20_000
    // plistutil takes 40 s for all of them.
    let listCount = count / 10
    let python = OtherProgram.path(of: "python3").map { python in
      row(.import, count, .python, "reads it and writes it again") {
        [python, "-m", "json.tool", $0.json, $0.output]
      }
    }
    let jq = OtherProgram.path(of: "jq").map { jq in
      row(.import, count, .jq, "reads it and prints it") { [jq, ".", $0.json] }
    }
    let plistutil = OtherProgram.path(of: "plistutil").map { plistutil in
      row(.import, listCount, .plistutil, "of a property list of XML, into a binary one") {
        [plistutil, "-i", $0.propertyList, "-f", "bin", "-o", $0.output]
      }
    }
    let json = row(.import, count, .keepsake, "JSON into an archive") {
      [tool, "import", $0.json, "-o", $0.output]
    }
    let list = row(
      .import, listCount, .keepsake, variant: "XML", "a property list into an archive"
    ) {
      [tool, "import", $0.propertyList, "-o", $0.output]
    }
    let export = row(.export, count, .keepsake, "an archive into JSON") {
      [tool, "export", $0.archive, "-o", $0.output]
    }
    let rows: [Benchmark?] = [json, jq, python, list, plistutil, export]
    return rows.compactMap(\.self)
  }

  /// The peak memory of the last program.
  private static var peak = 0

  private static func row(
    _ operation: BenchmarkIdentity.Operation, _ count: Int, _ subject: Subject,
    variant: String? = nil, _ remark: String, command: @escaping (Files) -> [String]
  ) -> Benchmark {
    let name = BenchmarkIdentity(
      .command, .timeline, operation, subject, variant: variant, size: count)
    var benchmark = Benchmark(name, remark: remark) {
      let files = try Files(count)
      let words = command(files)
      let input = [files.json, files.propertyList, files.archive].first(where: words.contains)
      let size = try input.map { try Data(contentsOf: URL(filePath: $0)).count }
      return PreparedBenchmark(bytesIn: size) { iterations in
        // The directory is removed with its last owner.
        try withExtendedLifetime(files) {
          for _ in 0..<iterations {
            peak = try WholeProcess.run(words[0], Array(words.dropFirst()))
          }
        }
      }
    }
    benchmark.countsAllocations = false
    benchmark.memoryOfPrograms = { peak }
    return benchmark
  }

  /// The same posts in each of the forms.
  private struct Files {
    let directory: ScratchDirectory
    var json: String { directory.file("posts.json") }
    var propertyList: String { directory.file("posts.plist") }
    var archive: String { directory.file("posts.archive") }
    var output: String { directory.file("output") }

    init(_ count: Int) throws {
      directory = try ScratchDirectory(inMemory: true)
      let posts = Timeline.make(count)
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .xml
      try JSONEncoder().encode(posts).write(to: URL(filePath: json))
      try encoder.encode(posts).write(to: URL(filePath: propertyList))
      try Data(ArchiveEncoder().encode(posts)).write(to: URL(filePath: archive))
    }
  }
}
