import Testing

@Suite struct `Reading Swift code` {
  @Test func `Comments are blanked and lines keep their numbers`() {
    let code = SwiftCode("a // mark\n/* mark\n/* mark */ mark */ b\nmark c")
    #expect(code.matches(of: /mark/).map(\.line) == [4])
  }

  @Test func `String contents are blanked and interpolated code is kept`() {
    let code = SwiftCode(#"let a = "mark \(mark f("mark", (1))) mark" + mark"#)
    #expect(code.matches(of: /mark/).count == 2)
  }

  @Test func `Raw and multiline strings end where Swift ends them`() {
    let source = ##"""
      let a = #"mark " \( mark"# ; mark
      let b = """
        mark " mark
        """ ; mark
      """##
    #expect(SwiftCode(source).matches(of: /mark/).map(\.line) == [1, 4])
  }

  @Test func `Raw identifiers are names and not code`() {
    let code = SwiftCode("func `An mark call throws`() { mark }")
    #expect(code.matches(of: /mark/).count == 1)
  }
}
