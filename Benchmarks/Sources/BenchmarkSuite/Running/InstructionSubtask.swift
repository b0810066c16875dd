import BenchmarkHarness
import CProbe
import Foundation

/// Counts the instructions of benchmarks, each in a separate process under valgrind's callgrind.
///
/// Counts do not depend on the load of the machine, and hardly on the run: two runs of the same program
/// differ by a few millionths.
@MainActor
struct InstructionSubtask {
  private struct Answer: Codable {
    var bytesIn: Int?
    var bytesOut: Int?
  }

  private let extent: Options.Extent
  private let scratch: ScratchDirectory

  /// Makes a copy of this program without debug information, which valgrind cannot always read.
  init(extent: Options.Extent) throws {
    self.extent = extent
    scratch = try ScratchDirectory()
    let own = Bundle.main.executableURL?.path ?? ""
    _ = try Self.output(of: ["strip", "--strip-debug", "-o", scratch.file("program"), own])
  }

  /// The instructions of one operation of each benchmark that runs on the calling thread; runs as many
  /// processes at once as there are cores.
  func rows(of benchmarks: [Benchmark]) throws -> [ResultRow] {
    let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
    var rows: [ResultRow] = []
    for first in stride(from: 0, to: benchmarks.count, by: width) {
      let wave = benchmarks[first..<min(first + width, benchmarks.count)]
      let children = try wave.enumerated().map { index, benchmark in
        (benchmark, try child(benchmark, counts: scratch.file("counts.\(index)")))
      }
      for (index, (benchmark, child)) in children.enumerated() {
        let answer = try child.wait()
        guard !answer.isEmpty else { continue }
        let bytes = try JSONDecoder().decode(Answer.self, from: answer)
        var row = ResultRow(benchmark.identity, items: benchmark.items)
        row.remark = benchmark.remark
        (row.bytesIn, row.bytesOut) = (bytes.bytesIn, bytes.bytesOut)
        row.instructions = try Self.total(inFile: scratch.file("counts.\(index)"))
        rows.append(row)
      }
    }
    return rows
  }

  private func child(_ benchmark: Benchmark, counts path: String) throws -> ChildProcess {
    try ChildProcess(
      command: [
        "valgrind", "--quiet", "--tool=callgrind", "--collect-atstart=no",
        "--toggle-collect=keepsake_benchmark_counted", "--callgrind-out-file=\(path)",
        scratch.file("program"),
      ] + extent.arguments + ["--subtask-instructions", benchmark.identity.description],
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"])
  }

  /// The number at the end of callgrind's file.
  private static func total(inFile path: String) throws -> Int {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let line = text.split(separator: "\n").last { $0.hasPrefix("totals:") }
    guard let number = line?.split(separator: " ").last.flatMap({ Int($0) }), number > 0 else {
      throw CheckFailure(description: "callgrind counted nothing.")
    }
    return number
  }

  /// Runs one benchmark twice in this process, counts the second run, and prints its bytes; does nothing for
  /// a benchmark that does not run on the calling thread.
  static func run(_ benchmark: Benchmark) async throws {
    let prepared = try await benchmark.prepare()
    defer { prepared.finish() }
    guard case .synchronous(let body) = prepared.body else { return }
    // Values that are made only once are made here.
    try body(1)
    try counted { try body(1) }
    let answer = Answer(bytesIn: prepared.bytesIn, bytesOut: prepared.bytesOut)
    FileHandle.standardOutput.write(try JSONEncoder().encode(answer))
  }

  private static func counted(_ body: () throws -> Void) throws {
    try withoutActuallyEscaping(body) { body in
      let work = Work(body)
      unsafe keepsake_benchmark_counted(
        { context in
          guard let context = unsafe context else { return }
          unsafe Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().run()
        },
        Unmanaged.passUnretained(work).toOpaque())
      try work.result.get()
    }
  }

  private final class Work {
    private let body: () throws -> Void
    private(set) var result = Result<Void, any Error>.success(())

    init(_ body: @escaping () throws -> Void) {
      self.body = body
    }

    func run() {
      result = Result(catching: body)
    }
  }

  /// The conditions under which this program counts.
  static func place() throws -> CountingPlace {
    CountingPlace(
      compiler: try firstLine(of: ["swift", "--version"]),
      processorFeatures: CountingPlace.features(
        in: (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""),
      library: unsafe keepsake_benchmark_library().map { unsafe "glibc \(String(cString: $0))" }
        ?? "unknown",
      counter: try firstLine(of: ["valgrind", "--version"]))
  }

  private static func firstLine(of command: [String]) throws -> String {
    String(decoding: try output(of: command), as: UTF8.self).split(separator: "\n").first
      .map(String.init) ?? ""
  }

  private static func output(of command: [String]) throws -> Data {
    do {
      return try ChildProcess(command: command).wait()
    } catch {
      throw CheckFailure(
        description: "Counting instructions needs \(command[0]), which did not work: \(error)")
    }
  }
}
