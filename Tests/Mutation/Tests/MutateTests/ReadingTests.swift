import Foundation
import Testing

@testable import mutate

@Suite struct `The output of other programs` {
  @Test func `The failed test is read from a line of output`() {
    #expect(
      TestProgram.failure(
        in: "✘ Test \"it works\" recorded an issue with 1 argument a → 3 at ATests.swift:12:7: no")
        == "\"it works\" (ATests.swift:12)")
    #expect(
      TestProgram.failure(in: "\u{1B}[91m✘\u{1B}[0m Test f() recorded an issue at B.swift:3:1: x")
        == "f() (B.swift:3)")
    #expect(TestProgram.failure(in: "✘ Test f() recorded a known issue at B.swift:3:1: x") == nil)
    #expect(TestProgram.failure(in: "✔ Test f() passed after 0.1 seconds.") == nil)
  }

  @Test func `The suite is read from the name of a test`() {
    #expect(TestProgram.suiteName(ofTest: "M.`a / b`/`c/d`(x:)") == "M.`a / b`")
    #expect(TestProgram.suiteName(ofTest: "M.alone()") == "M.alone()")
    #expect(TestProgram.Suite(name: "M.`a (b)`").target == "M")
    #expect(TestProgram.Suite(name: "M.`a (b)`").filter == #"^M\.`a \(b\)`(/|\(|$)"#)
  }

  @Test func `The place of an error is read from the compiler's output`() {
    let output = [
      "/x/copy/Sources/A.swift:3:9: error: no such thing", "[1/2] Compiling A",
      "/x/copy/Sources/A.swift:3:9: error: no such thing", "/y/B.swift:1:1: error: not ours",
      "/x/copy/Sources/A.swift:4:1: warning: never used",
    ]
    #expect(
      Builder.diagnostics(in: output, root: "/x/copy") == [
        Builder.Diagnostic(path: "Sources/A.swift", line: 3, column: 9, message: "no such thing")
      ])
  }

  @Test func `The state, the group and the times of a process are read`() throws {
    let status = try #require(ProcessGroup.fields(ofStatus: "7 (a) b) S 1 42 42 0 -1 4194560"))
    #expect(status.state == "S" && status.group == 42)
    #expect(ProcessGroup.fields(ofStatus: "7 (a") == nil)
    #expect(ChildProcess.seconds(inTimes: "1m2.50s 0m0.25s") == 62.75)
  }

  @Test func `The changed lines are read from a diff`() {
    let diff = [
      "+++ b/Sources/A.swift", "@@ -1,2 +3,2 @@ func", "+a", "+b", "@@ -9 +12 @@", "+c",
      "+++ b/Sources/B.swift", "@@ -4,2 +4,0 @@",
    ]
    let lines = ChangedLines.parse(diff)
    #expect(lines["Sources/A.swift"] == [3, 4, 12])
    #expect(lines["Sources/B.swift"] == [])
  }
}

@Suite struct `The list of equivalent mutants` {
  private static let text = """
    # A comment.

    f
      constant: `3` becomes `4`
      because: the capacity is only a hint.
    """

  private func mutants(
    _ source: String, at path: String = "Sources/A.swift", _ kind: MutantKind = .constant
  ) -> [Mutant] {
    EquivalentList.numberingTwins(
      of: MutantFinder.mutants(of: source, at: path).filter { $0.kind == kind })
  }

  @Test(arguments: [
    ("func f() {\n  g(3)\n}", "Sources/A.swift"),
    ("import B\n\n\nfunc f() {\n    h()\n    g(\n      3)\n}", "Sources/B/C.swift"),
  ])
  func `A mutant is found after its function has moved to another file or line`(
    source: String, path: String
  ) throws {
    let list = try EquivalentList(Self.text)
    let mutants = mutants(source, at: path)
    #expect(mutants.map(list.reason) == ["the capacity is only a hint.", nil])
    #expect(list.stale(among: mutants) == [])
  }

  @Test func `An equivalent mutant keeps its identity however its lines are broken`() {
    let written = [
      "func f() { g(a, [b]); h(c) }",
      "func f() {\n  g(\n    a,\n    [\n      b\n    ]\n  );\n  h(c)\n}",
    ].map { mutants($0, .order).map(EquivalentList.identity) }
    #expect(written[0] == written[1] && written[0].count == 1)
  }

  @Test(arguments: ["func f() { g(2) }", "func h() {\n  g(3)\n}", "func f() {\n  g(3, 3)\n}"])
  func `A block that matches no mutant excuses nothing, and is reported`(source: String) throws {
    let list = try EquivalentList(Self.text)
    #expect(mutants(source).allSatisfy { list.reason(for: $0) == nil })
    #expect(list.stale(among: mutants(source)) == ["f | constant: `3` becomes `4`"])
  }

  @Test func `Mutants that look alike in one function are told apart by their place`() throws {
    let list = try EquivalentList(
      Self.text.replacing("  because", with: "  place: 2 of 2\n  because"))
    let alike = mutants("func f() { g(3); h(3) }")
    #expect(alike.filter { list.reason(for: $0) != nil }.map(\.range) == [alike[2].range])
    #expect(list.stale(among: alike) == [])
    // With a third one, the block may mean any of the three.
    let more = mutants("func f() { g(3); h(3); g(3) }")
    #expect(more.allSatisfy { list.reason(for: $0) == nil })
    #expect(list.stale(among: more).count == 1)
  }

  @Test(arguments: [
    "f\n  constant: `3` becomes `4`", "f\n  constant: `3` becomes `4`\n  because: no",
    "Sources/A.swift\n  in: f\n  line: g(3)\n  constant: `3` becomes `4`\n  because: the capacity is a hint",
    text + "\n\n" + text,
  ])
  func `A list with a missing reason or a repeated block is refused`(text: String) {
    #expect(throws: EquivalentList.Malformed.self) { try EquivalentList(text) }
  }
}

@Suite struct `The choice of seeds` {
  private let candidates = MutantFinder.mutants(
    of: "func f() { g(1, true); h(2, false); return a + b < c }", at: "A.swift")

  @Test func `A mutant that does not compile is replaced only in its own choice`() {
    var choice = Choice()
    choice.add(4, of: candidates, seed: 1)
    let alone = choice.wanted(4, without: [])
    #expect(alone == [1, 2, 3, 4])
    #expect(choice.wanted(2, without: [1]) == [2, 3])
    choice.add(4, of: candidates, seed: 2)
    #expect(choice.wanted(4, of: 1, without: []) == alone)
    #expect(choice.numbers(of: 2).count == 4)
    // A mutant that both seeds choose has one number.
    #expect(Set(choice.mutants.map(\.site)).count == choice.mutants.count)
    #expect(choice.numbers().count == choice.mutants.count)
  }

  @Test func `A choice takes at most two flags of one literal`() {
    let flags = MutantFinder.mutants(of: "f([.a, .b, .c, .d])", at: "A.swift")
      .filter { $0.kind == .flag }
    #expect(flags.count == 4)
    var choice = Choice()
    choice.add(4, of: flags, seed: 1)
    #expect(choice.numbers() == [1, 2])
  }

  @Test func `A seed always makes the same choice`() {
    var (first, second) = (Choice(), Choice())
    first.add(5, of: candidates, seed: 3)
    second.add(5, of: candidates.reversed(), seed: 3)
    #expect(first.mutants.map(\.site) == second.mutants.map(\.site))
  }
}

@Suite struct `Mutants noticed earlier` {
  @Test func `Noticed mutants are told apart by their column, and forgotten on request`() throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("noticed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let noticed = NoticedMutants(file: file)
    let found = MutantFinder.mutants(of: "f(0,\n  0, 0)", at: "A.swift")
      .filter { $0.kind == .constant }
    let mutants = Dictionary(uniqueKeysWithValues: zip(1..., found))
    #expect(try noticed.verdicts(of: mutants).isEmpty)
    let verdicts: [Verdict] = [.killed(by: "a  test\tof\nlines"), .crashed(signal: 11)]
    for (mutant, verdict) in zip(found, verdicts) { try noticed.add(verdict, for: mutant) }
    #expect(
      try noticed.verdicts(of: mutants) == [
        1: .killed(by: "a test of lines"), 2: .crashed(signal: 11),
      ])
    try noticed.forget()
    #expect(try noticed.verdicts(of: mutants).isEmpty)
  }
}
