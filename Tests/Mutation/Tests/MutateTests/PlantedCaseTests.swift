import Foundation
import Synchronization
import Testing

@testable import mutate

@Suite struct `The planted cases` {
  /// The folder of this package, whose build folders are ignored and kept.
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL

  private func run(_ places: [String], count: Int, resumes: Bool = false) throws -> Report {
    let planted = Self.folder.appendingPathComponent("Planted")
    let scratch = Self.folder.appendingPathComponent(".build-mutants-planted")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    var run = MutationRun(root: planted, scratch: scratch)
    run.places = places
    run.count = count
    run.equivalents = try String(
      contentsOf: planted.appendingPathComponent("equivalent.txt"), encoding: .utf8)
    run.patience = 8
    run.resumes = resumes
    run.say = { _ in }
    return try #require(run.run().first)
  }

  /// Every mutant of the module that is not killed by a failing test, with its verdict.
  private static let unlikeOthers: Set<String> = [
    "timeout sum statement: next += 1 -> ",
    "timeout sum operation: next += 1 -> next -= 1",
    "crash total bound: 0..<numbers.count -> 0..<((numbers.count) + 1)",
    "SURVIVED unnoticedBound bound: number < 10 -> number <= 10",
    "SURVIVED unnoticedBound constant: 10 -> 11",
    "SURVIVED unnoticedBound constant: 10 -> 9",
    "SURVIVED unnoticedCheck check: number >= 0 -> true",
    "SURVIVED unnoticedCheck bound: number >= 0 -> number > 0",
    "SURVIVED unnoticedCheck constant: 0 -> 1",
    "SURVIVED reserved return:  -> return [] at once",
    "SURVIVED Handle.close statement: discardHandle(self) -> ",
    "equivalent reserved statement: list.reserveCapacity(4) -> ",
    "equivalent reserved constant: 4 -> 5",
    "equivalent reserved constant: 4 -> 3",
    "NOT RUN neverRun return: number == 3 -> return true",
    "NOT RUN neverRun return: number == 3 -> return false",
    "NOT RUN neverRun operation: number == 3 -> number != 3",
    "NOT RUN neverRun constant: 3 -> 4",
    "NOT RUN neverRun constant: 3 -> 2",
  ]

  @Test func `Each planted mutant has the expected verdict`() throws {
    let report = try run(["Planted"], count: 1000)
    let found = Set(
      report.lines.compactMap { line -> String? in
        if case .killed = line.verdict { return nil }
        let mutant = line.mutant
        return "\(line.verdict.word) \(mutant.declaration) \(mutant.kind.rawValue): "
          + "\(mutant.original) -> \(mutant.mutated)"
      })
    #expect(found.subtracting(Self.unlikeOthers) == [])
    #expect(Self.unlikeOthers.subtracting(found) == [])

    // Every kind of mutant is killed somewhere, by the right test.
    let killers = report.lines.compactMap {
      line -> (kind: MutantKind, name: String, test: String)? in
      guard case .killed(let test) = line.verdict else { return nil }
      return (line.mutant.kind, line.mutant.declaration, test)
    }
    #expect(Set(killers.map(\.kind)) == Set(MutantKind.allCases))
    #expect(
      killers.filter { $0.name == "thrower" }
        .allSatisfy { $0.test.contains("Refusals are thrown") })
    // Only the tests of the module above notice these.
    let above = killers.filter { $0.name == "seenFromAbove" }
    #expect(above.count == 5)
    #expect(above.allSatisfy { $0.test.contains("is old from twenty-one on") })
    #expect(report.notCompiled == 2)
    #expect(report.table.contains("all"))
    #expect(report.survivors.contains("unnoticedCheck\n"))

    // A resumed run remembers noticed mutants, and has the same result.
    let again = try run(["Planted"], count: 1000, resumes: true)
    #expect(again.table == report.table)
    #expect(again.lines.map(\.verdict) == report.lines.map(\.verdict))
  }
}
