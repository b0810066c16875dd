/// Rules that a reader of the source can check line by line.
enum SourceRules {
  /// The only folders whose code may use unsafe constructs.
  static let roomsForMemory = [
    "Sources/KeepsakeArchive/Bytes/",
    "Sources/KeepsakeFiles/System/",
    "Sources/KeepsakeSeal/Sodium/",
    "Sources/KeepsakeSeal/System/",
    "Sources/TerminalScreen/",
    "Sources/Contacts/Adapter/Widgets/",
    "Sources/SecretService/Adapter/",
    "Tests/Fuzzing/",
  ]

  /// Unsafe constructs outside those folders, as `path:line: text`.
  static func memoryHazards(in source: String, at path: String) throws -> [String] {
    if roomsForMemory.contains(where: path.hasPrefix) { return [] }
    // `unsafeFlags` of a manifest are options of the compiler.
    let pattern = [
      #"\bunsafe\b"#, #"@safe\b"#, #"\bUnsafe\w*"#, #"\bunsafe(?!Flags\b)[A-Z]\w*"#,
      #"\bwithUnsafe\w*"#,
      #"@unchecked\b"#, #"\bOpaquePointer\b"#, #"\bUnmanaged\b"#, #"\b_overrideLifetime\b"#,
    ].joined(separator: "|")
    let words = ["nsafe", "@safe", "@unchecked", "Opaque", "Unmanaged", "_overrideLifetime"]
    return try findings(of: pattern, with: words, in: source, at: path)
  }

  /// Calls that end the process instead of throwing a typed error.
  static func processEndings(in source: String, at path: String) throws -> [String] {
    let pattern = #"\bfatalError\b|\btry!|\bas!|\bpreconditionFailure\b|\babort\s*\("#
    let words = ["fatalError", "try!", "as!", "preconditionFailure", "abort"]
    return try findings(of: pattern, with: words, in: source, at: path)
  }

  /// Places where a test accepts any error of a type, because it does not check the code and the place of the error
  /// that it caught.
  static func namelessErrors(in source: String, at path: String) throws -> [String] {
    // Readers copy the code of the articles.
    if path.hasPrefix("Tests/ArticleTests/Code/") { return [] }
    let types = "Archive|File|Seal|Keepsake|Restoration|Migration|Decoding|Encoding"
    let pattern = #"^ *(?:await )?#expect\(throws: (?:"# + types + #")Error\.self.*"#
    let regex = try Regex(pattern, as: Substring.self)
    let code = SwiftCode(source)
    return code.matches(of: regex).filter { match in
      match.line < 2 || !code.lines[match.line - 2].hasSuffix("=")
    }.map { "\(path):\($0.line): \($0.text)" }
  }

  /// The number of lines of a file.
  static func lineCount(of source: String) -> Int {
    source.utf8.count { $0 == UInt8(ascii: "\n") }
  }

  /// The matches of a pattern in code.
  ///
  /// Each match has one of the words, so files without any are passed over quickly.
  private static func findings(
    of pattern: String, with words: [String], in source: String, at path: String
  ) throws -> [String] {
    guard words.contains(where: source.contains) else { return [] }
    // Word boundaries are of the simple kind, since `a.b` is one word in Unicode's own segmentation.
    let regex = try Regex(pattern, as: Substring.self).wordBoundaryKind(.simple)
    return
      SwiftCode(source).matches(of: regex).map {
        "\(path):\($0.line): \($0.text)"
      }
  }
}
