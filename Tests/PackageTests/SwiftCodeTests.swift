import Testing

@Suite struct `Reading Swift code` {
  @Test func `Comments are blanked and lines keep their numbers`() {
    let code = SwiftCode("a // unsafe\n/* unsafe\n/* unsafe */ unsafe */ b\nunsafe c")
    #expect(code.matches(of: /unsafe/).map(\.line) == [4])
  }

  @Test func `String contents are blanked and interpolated code is kept`() {
    let code = SwiftCode(#"let a = "unsafe \(unsafe f("unsafe", (1))) unsafe" + unsafe"#)
    #expect(code.matches(of: /unsafe/).count == 2)
  }

  @Test func `Raw and multiline strings end where Swift ends them`() {
    let source = ##"""
      let a = #"unsafe " \( unsafe"# ; unsafe
      let b = """
        unsafe " unsafe
        """ ; unsafe
      """##
    #expect(SwiftCode(source).matches(of: /unsafe/).map(\.line) == [1, 4])
  }

  @Test func `Raw identifiers are names and not code`() {
    let code = SwiftCode("func `An unsafe call throws`() { unsafe }")
    #expect(code.matches(of: /unsafe/).count == 1)
  }
}
