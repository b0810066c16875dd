import Testing

@testable import mutate

@Suite struct `The mutants of a file` {
  /// The original and the changed code of each mutant of one kind.
  private func changes(_ kind: MutantKind, in source: String) -> [String] {
    MutantFinder.mutants(of: source, at: "A.swift").filter { $0.kind == kind }
      .map { "\($0.original) -> \($0.mutated)" }
  }

  @Test(
    arguments: [
      (MutantKind.condition, "if a { b = 1 }", ["a -> !(a)"]),
      (.condition, "while a, let b { c() }", ["a -> !(a)"]),
      (.condition, "guard a else { return }", ["a -> !(a)"]),
      (.condition, "repeat { a() } while b", ["b -> !(b)"]),
      (.condition, "for a in b where c { d() }", ["c -> !(c)"]),
      (.check, "guard a, let b, try c() else { throw d }", ["a -> true", "try c() -> true"]),
      (.check, "if a { throw b }", ["a -> false"]),
      (.check, "if a { b() }", []),
      (.bound, "if a + 1 < b && c { d() }", ["a + 1 < b -> a + 1 <= b"]),
      (.bound, "x = a >= b", ["a >= b -> a > b"]),
      (.bound, "f(0..<n)", ["0..<n -> 0..<((n) - 1)", "0..<n -> 0..<((n) + 1)"]),
      (.operation, "x = try a + b * c", ["try a + b * c -> try a - b * c", "b * c -> b + c"]),
      (.operation, "a += b", ["a += b -> a -= b"]),
      (.operation, "return a || b", ["a || b -> a && b"]),
      (.constant, "f(7)", ["7 -> 8", "7 -> 6"]),
      (.constant, "f(0, true)", ["0 -> 1", "true -> false"]),
      (.constant, "f(0xFE)", ["0xFE -> 0xff"]),
      (.constant, "f(\"text \\(1)\")", []),
      (.statement, "func f() { a(); b = 1; let c = d() }", ["a() -> ", "b = 1 -> "]),
      (.statement, "func f() -> Int { a() }", []),
      (.statement, "func f() { unsafe a(); await b() }", ["unsafe a() -> ", "await b() -> "]),
      (.statement, "init() { super.init() }", []),
      (
        .throw, "func f() { try unsafe a(); try b[0] = c() }",
        ["try unsafe a() -> ", "try b[0] = c() -> "]
      ),
      (.order, "func f() { a(); b() }", ["a(); b() -> b(); a()"]),
      (.order, "init() { self.a = a; self.b = b.c }", []),
      (.order, "func f() { a = b; b = 1 }", ["a = b; b = 1 -> b = 1; a = b"]),
      (.order, "func f() { a = b(); c = 1 }", ["a = b(); c = 1 -> c = 1; a = b()"]),
      (.order, "func f() { a(); a() }", []),
      (.order, "func f() { a(); if b { c() } }", ["a(); if b { c() } -> if b { c() }; a()"]),
      (
        .order, "func f() { guard a else { return }; b() }",
        ["guard a else { return }; b() -> b(); guard a else { return }"]
      ),
      (.order, "func f() { guard let a else { return }; b(a) }", []),
      (.order, "func f() { a(); let b = c() }", []),
      (
        .arguments, "func f(a: A, b: B, c: A) {}; f(a: x, b: y, c: z)",
        ["f(a: x, b: y, c: z) -> f(a: z, b: y, c: x)"]
      ),
      (.arguments, "func f(_ a: A, _ b: A) {}; f(.x, .y)", ["f(.x, .y) -> f(.y, .x)"]),
      (.identity, "if a === b { c() }", ["a === b -> true"]),
      (.identity, "if a !== b, c { throw d }", ["a !== b -> false"]),
      (.check, "guard a === b, c else { throw d }", ["c -> true"]),
      (.check, "guard try a.isUnchanged(since: b) else { throw d }", []),
      (
        .identity, "guard try a.isUnchanged(since: b) else { throw d }",
        ["a.isUnchanged(since: b) -> true"]
      ),
      (
        .identity, "x = ObjectIdentifier(a) == ObjectIdentifier(b)",
        ["ObjectIdentifier(a) == ObjectIdentifier(b) -> true"]
      ),
      (.identity, "x = a.inode == b.inode && c", ["a.inode == b.inode -> true"]),
      (.identity, "x = a.rootID != id || a.id == 3 || a.id == nil", ["a.rootID != id -> false"]),
      (
        .passing, "func f(a: Int = 1, b: Int?) {}; f(a: x, b: y)",
        ["f(a: x, b: y) -> f(b: y)", "y -> nil"]
      ),
      (.passing, "func f(_ a: Int, b: Int = 1) {}; try c.f(x, b: y)", ["c.f(x, b: y) -> c.f(x)"]),
      (
        .passing,
        "struct A { init(b: [B], c: [B: C], d: String, e: Int) {} }; A(b: b, c: c, d: d, e: e)",
        ["b -> []", "c -> [:]", "d -> \"\""]
      ),
      (.passing, "func f(a: A?) {}; f(a: nil); func g(a: String = \"\") {}; g(a: \"text\")", []),
      (.passing, "func f(a: A?) {}; func f(a: A) {}; f(a: x)", []),
      (.prefix, "x = a.name == b", ["a.name == b -> (a.name).starts(with: b)"]),
      (.prefix, "x = a != \"t\" || a == \"\"", ["a != \"t\" -> !(a).starts(with: \"t\")"]),
      (.prefix, "x = a.hasPrefix(b + \".\")", ["b + \".\" -> b"]),
      (.prefix, "x = a.count == b || a.name == nil || .name == a.name", []),
      (.arguments, "f(a, to: b)", ["f(a, to: b) -> f(b, to: a)"]),
      (.arguments, "f(a, to: \"b\")", []),
      (.default, "x = a ?? b", ["a ?? b -> b"]),
      (.default, "func f(a: Int = 2, b: Bool = true) {}", ["2 -> 3", "2 -> 1", "true -> false"]),
      (.return, "func f() { a() }", [" -> return at once"]),
      (.return, "func f() -> Int? { a() }", ["a() -> return nil"]),
      (.return, "func f() -> A { a() }", []),
      (.flag, "f(A | B | C)", ["A | B | C -> A | C", "A | B | C -> B | C", "A | B | C -> A | B"]),
      (.flag, "f(0o600)", ["0o600 -> 0o644"]),
      (.flag, "f([.a, .b])", ["[.a, .b] -> [.b]", "[.a, .b] -> [.a]"]),
      (
        .loop, "for a in b { if c { break } else { continue } }",
        [
          "break -> continue", "continue -> break",
        ]
      ),
      (.loop, "for a in b { switch a { default: break } }", []),
      (.member, "x = a.first(where: b)", ["a.first(where: b) -> a.last(where: b)"]),
      (.member, "x = a.prefix(3)", ["a.prefix(3) -> a.suffix(3)"]),
      (.member, "a.insert(b)", ["a.insert(b) -> a.remove(b)"]),
      // None of these would compile.
      (.member, "x = a.prefix { b($0) } + a.prefix(while: b) + a.prefix", []),
      (.member, "if a.insert(b).inserted { a.insert(c, at: 0) }", []),
      (.operation, "x = a + \"text\"", []),
      (.statement, "init() { self.a = a; b = 1; c.d = 2 }", ["c.d = 2 -> "]),
      (.arguments, "f(&a, b, .c)", []),
    ] as [(MutantKind, String, [String])])
  func `Mutants of each kind are found`(kind: MutantKind, source: String, expected: [String]) {
    #expect(Set(changes(kind, in: source)) == Set(expected))
    #expect(changes(kind, in: source).count == expected.count)
  }

  @Test func `Mutants are not made in code of other systems`() {
    let source = """
      #if os(macOS) || canImport(Darwin)
        f(1)
      #elseif os(Linux) && canImport(Glibc)
        f(5)
      #else
        f(9)
      #endif
      """
    #expect(Set(changes(.constant, in: source)) == ["5 -> 6", "5 -> 4"])
  }

  @Test func `A mutant knows its line and its declaration`() throws {
    let source =
      "extension A {\n  struct B {\n    func f(_ a: Int) {\n      g(3) // why\n    }\n  }\n}\n"
    let mutant = try #require(
      MutantFinder.mutants(of: source, at: "A.swift").first { $0.kind == .constant })
    #expect(mutant.line == 4)
    #expect(mutant.declaration == "A.B.f")
    #expect(mutant.lineText == "g(3) // why")
    #expect(source.utf8.dropFirst(mutant.range.lowerBound).first == UInt8(ascii: "3"))
  }
}
