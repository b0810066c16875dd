import Testing

@testable import mutate

@Suite struct `What other programs print` {
  @Test func `names the test that failed`() {
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

  @Test func `names the suite of a test`() {
    #expect(TestProgram.suiteName(ofTest: "M.`a / b`/`c/d`(x:)") == "M.`a / b`")
    #expect(TestProgram.suiteName(ofTest: "M.alone()") == "M.alone()")
    #expect(TestProgram.Suite(name: "M.`a (b)`").target == "M")
    #expect(TestProgram.Suite(name: "M.`a (b)`").filter == #"^M\.`a \(b\)`(/|\(|$)"#)
  }

  @Test func `names the place of an error`() {
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

  @Test func `tells the state of a process, its group, and its time`() throws {
    let status = try #require(ProcessGroup.fields(ofStatus: "7 (a) b) S 1 42 42 0 -1 4194560"))
    #expect(status.state == "S" && status.group == 42)
    #expect(ProcessGroup.fields(ofStatus: "7 (a") == nil)
    #expect(ChildProcess.seconds(inTimes: "1m2.50s 0m0.25s") == 62.75)
  }

  @Test func `names the lines that changed`() {
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

    Sources/A.swift
      in: f
      line: g(3)
      constant: `3` becomes `4`
      because: the capacity is only a hint.
    """

  private func mutants(_ source: String) -> [Mutant] {
    MutantFinder.mutants(of: source, at: "Sources/A.swift").filter { $0.kind == .constant }
  }

  @Test func `finds a mutant wherever its line has moved`() throws {
    let list = try EquivalentList(Self.text)
    for source in ["func f() {\n  g(3)\n}", "import B\n\n\nfunc f() {\n    h()\n    g(3)\n}"] {
      #expect(mutants(source).map(list.reason) == ["the capacity is only a hint.", nil])
      #expect(list.stale(among: mutants(source), paths: ["Sources/A.swift"]) == [])
    }
  }

  @Test(arguments: ["func f() { g(2) }", "func h() {\n  g(3)\n}", "func f() {\n  g(3, 5)\n}"])
  func `does not excuse what has changed`(source: String) throws {
    let list = try EquivalentList(Self.text)
    #expect(mutants(source).allSatisfy { list.reason(for: $0) == nil })
    #expect(list.stale(among: mutants(source), paths: ["Sources/A.swift"]).count == 1)
    #expect(list.stale(among: mutants(source), paths: ["Sources/B.swift"]) == [])
  }

  @Test(arguments: [
    "Sources/A.swift\n  in: f\n  line: g(3)\n  constant: `3` becomes `4`",
    "Sources/A.swift\n  in: f\n  line: g(3)\n  constant: `3` becomes `4`\n  because: no",
  ])
  func `asks for a reason`(text: String) {
    #expect(throws: EquivalentList.Malformed.self) { try EquivalentList(text) }
  }
}
