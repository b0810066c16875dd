import Testing

@Suite struct `The rule on words` {
  @Test(arguments: ["Sources", "Tests", "Benchmarks", "Spec"], ["swift", "md", "py"])
  func `No comment, test name, text or heading breaks it`(
    folder: String, fileExtension: String
  ) throws {
    // This file has an example of each breach.
    for path in try PackageRoot.files(below: [folder], withExtension: fileExtension)
    where !path.hasSuffix("/WordTests.swift") {
      let breaches = WordRules(of: try PackageRoot.text(of: path), at: path).breaches
      #expect(breaches == [], "\(path): \(breaches)")
    }
  }

  @Test func `The pages at the top level follow it`() throws {
    for path in ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] {
      let breaches = WordRules(of: try PackageRoot.text(of: path), at: path).breaches
      #expect(breaches == [], "\(path): \(breaches)")
    }
  }

  @Test(
    arguments: [
      ("A.swift", "// What is stored here."),
      ("A.swift", "/// The index.\n/// Of all shapes the first."),
      ("A.swift", "/// - Returns: Whoever asks."),
      ("A.swift", "// The bytes\n// lie behind the head."),
      ("A.swift", "// True when there is none, as\n// nobody asks."),
      ("A.swift", "@Test func `of records is first`() {}"),
      ("A.swift", "@Suite struct `What is kept` {}"),
      ("Sources/A.swift", "throw Failure(\"The key is none of these.\")"),
      ("A.md", "text\n## What a reader does"),
      ("a.py", "# Whose key it is."),
    ])
  func `Each kind of breach is found`(path: String, text: String) {
    let count = text.contains("there is none") ? 2 : 1
    #expect(WordRules(of: text, at: path).breaches.count == count)
  }

  @Test(
    arguments: [
      ("A.swift", "// The writer says what is stored.\n// It is a list of\n// Of records."),
      ("A.swift", "// `Of` and `lies` are names.\nlet lies = \"What is this\""),
      ("A.swift", "@Test func `A record is first`() {}"),
      ("A.md", "What it is.\n```\n# What\n```"),
    ])
  func `Plain sentences, names and code pass`(path: String, text: String) {
    #expect(WordRules(of: text, at: path).breaches == [])
  }
}
