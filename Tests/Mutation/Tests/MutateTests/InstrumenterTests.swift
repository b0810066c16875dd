import Testing

@testable import mutate

@Suite struct `A file with its mutants` {
  private func written(_ source: String, _ kinds: Set<MutantKind>) -> Instrumenter {
    let mutants = MutantFinder.mutants(of: source, at: "A.swift")
      .filter { kinds.contains($0.kind) }
    return Instrumenter(
      source: source,
      mutants: zip(1..., mutants).map { Instrumenter.Numbered(number: $0, mutant: $1) })
  }

  private func text(_ source: String, _ kinds: MutantKind...) -> String {
    String(decoding: written(source, Set(kinds)).output, as: UTF8.self)
  }

  @Test func `A file holds both the original and the changed code`() {
    #expect(
      text("let x = a < b // why\n", .bound)
        == "let x = (isMutantActive(1) ? (a <= b) : (a < b)) // why\n")
    #expect(text("func f() { a() }", .statement) == "func f() { if !isMutantActive(1) { a() } }")
    #expect(
      text("func f() { a(); b() }", .order)
        == "func f() { if isMutantActive(1) { b()\na() } else { a(); b() } }")
    #expect(
      text("func f() { if a { b() } }", .condition)
        == "func f() { if (isMutantActive(1) != (a)) { b() } }")
  }

  @Test func `A file may hold one mutant inside another`() {
    #expect(
      text("func f() { a(b < c) }", .bound, .statement, .return)
        == "func f() { if isMutantActive(2) { return }; if !isMutantActive(1) "
        + "{ a((isMutantActive(3) ? (b <= c) : (b < c))) } }")
  }

  @Test func `The innermost mutant is blamed for an error of the compiler`() {
    let file = written("func f() {\n  a(b < c)\n}\n", [.bound, .statement])
    #expect(file.suspects(line: 2, column: 3) == [1])
    #expect(file.suspects(line: 2, column: 31) == [2])
    #expect(Set(file.suspects(line: 2, column: 2)) == [1, 2])
    #expect(Set(file.suspects(line: 1, column: 1)) == [1, 2])
    #expect(file.suspects(line: 9, column: 1) == [])
  }

  @Test func `The statements of a function are blamed for a missing initialization`() {
    let source = "init() {\n  x.a = 1\n  x.b = c\n}\nfunc f() {\n  g()\n}\n"
    let file = written(source, [.statement, .constant])
    let numbers = MutantFinder.mutants(of: source, at: "A.swift")
      .filter { [.statement, .constant].contains($0.kind) }.map(\.kind)
    #expect(numbers == [.statement, .constant, .statement, .statement])
    let message = "return from initializer without initializing all stored properties"
    #expect(Set(file.suspects(line: 4, column: 1, message: message)) == [1, 3])
    #expect(Set(file.suspects(line: 4, column: 1)) == [1, 2, 3])
    #expect(file.suspects(line: 7, column: 1) == [4])
  }

  @Test func `Two mutants that overlap in part are never in one file`() throws {
    let orders = MutantFinder.mutants(of: "func f() { a(); b(); c() }", at: "A.swift")
      .filter { $0.kind == .order }
    #expect(orders.count == 2)
    #expect(!Instrumenter.canCoexist(orders[0], orders[1]))
    #expect(Instrumenter.canCoexist(orders[0], orders[0]))
  }
}
