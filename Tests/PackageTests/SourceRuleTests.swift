import Testing

@Suite struct `The source rules` {
  @Test func `Unsafe code is only in the folders that may have it`() throws {
    for path in try PackageRoot.swiftFiles(below: "Sources")
      + PackageRoot.swiftFiles(below: "Tests")
    {
      let found = try SourceRules.memoryHazards(in: PackageRoot.text(of: path), at: path)
      #expect(found == [])
    }
  }

  @Test(
    arguments: [
      "let a = unsafe f()",
      "@unsafe func f() {}",
      "@safe struct A {}",
      "let a: UnsafeRawPointer",
      "a.withUnsafeBytes { _ in }",
      "unsafeBitCast(a, to: B.self)",
      "String(unsafeUninitializedCapacity: 3) { _ in 0 }",
      "nonisolated(unsafe) var a = 1",
      "final class A: @unchecked Sendable {}",
      "let a: OpaquePointer",
    ])
  func `Every form of unsafe code is found outside those folders`(line: String) throws {
    let source = "// unsafe in a comment\n" + line
    let found = try SourceRules.memoryHazards(in: source, at: "Sources/Keepsake/A.swift")
    #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("Sources/Keepsake/A.swift:2: ") })
    #expect(
      try SourceRules.memoryHazards(in: source, at: "Sources/KeepsakeSeal/Sodium/A.swift") == [])
  }

  @Test func `No source ends the process instead of throwing an error`() throws {
    for path in try PackageRoot.swiftFiles(below: "Sources") {
      let found = try SourceRules.processEndings(in: PackageRoot.text(of: path), at: path)
      #expect(found == [])
    }
  }

  @Test(
    arguments: [
      "fatalError(\"no\")", "try! f()", "a as! B", "preconditionFailure()", "abort()",
      "Swift.fatalError()",
    ])
  func `Every way to end the process is found`(line: String) throws {
    #expect(try SourceRules.processEndings(in: "a()\n" + line, at: "A.swift").count == 1)
    #expect(try SourceRules.processEndings(in: "// " + line, at: "A.swift") == [])
  }

  @Test func `Every test that expects an error of Keepsake checks which error it is`() throws {
    for path in try PackageRoot.swiftFiles(below: "Tests") {
      let found = try SourceRules.namelessErrors(in: PackageRoot.text(of: path), at: path)
      #expect(found == [])
    }
  }

  @Test func `An expected error that a test does not check is found`() throws {
    let source = """
      let a = #expect(throws: SealError.self) { try f() }
      let b =
        await #expect(throws: SealError.self) { try await f() }
      #expect(throws: MyError.self) { try f() }
      """
    #expect(try SourceRules.namelessErrors(in: source, at: "A.swift") == [])
    for lost in [
      "#expect(throws: ArchiveError.self) {", "  await #expect(throws: SealError.self, x)",
    ] {
      let found = try SourceRules.namelessErrors(in: source + "\n" + lost, at: "A.swift")
      #expect(found == ["A.swift:5: " + lost])
    }
  }
}
