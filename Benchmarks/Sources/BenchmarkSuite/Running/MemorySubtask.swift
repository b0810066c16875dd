import BenchmarkHarness
import Foundation

/// Measures the memory of benchmarks, each in a separate process, so that no other benchmark disturbs the
/// kernel's figures.
@MainActor
struct MemorySubtask {
  private struct Answer: Codable {
    var base: Int
    var peak: Int
  }

  var extent: Options.Extent

  /// Adds the memory of each benchmark to its row; runs as many processes at once as there are cores.
  func complete(_ rows: inout [ResultRow], of task: [Benchmark]) throws {
    let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let chosen = rows.indices.filter { index in
      task.contains { $0.identity == rows[index].identity && $0.measuresMemory }
    }
    for first in stride(from: 0, to: chosen.count, by: width) {
      let wave = chosen[first..<min(first + width, chosen.count)]
      let children = try wave.map { index in
        try ChildProcess(extent.arguments + ["--subtask-memory", rows[index].identity.description])
      }
      for (index, child) in zip(wave, children) {
        let answer = try child.wait()
        guard !answer.isEmpty else { continue }
        let memory = try JSONDecoder().decode(Answer.self, from: answer)
        rows[index].baseMemory = memory.base
        rows[index].peakMemory = memory.peak
      }
    }
  }

  /// Runs one benchmark in this process, and prints its memory.
  static func run(_ benchmark: Benchmark) async throws {
    let prepared = try await benchmark.prepare()
    defer { prepared.finish() }
    let memory = try await Probe.memory { try await prepared.run(iterations: 1) }
    guard let memory else { return }
    let answer = try JSONEncoder().encode(
      benchmark.memoryOfPrograms.map { Answer(base: 0, peak: $0()) }
        ?? Answer(base: memory.base, peak: memory.peak))
    FileHandle.standardOutput.write(answer)
  }
}
