import Foundation

/// Builds a copy with all mutants in it, and drops those that do not compile.
struct Builder {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// An error that the compiler reported in a file of the copy.
  struct Diagnostic: Hashable {
    let path: String
    let line: Int
    let column: Int
    let message: String
  }

  let copy: PackageCopy
  let log: URL
  let known: KnownFailures
  let jobs: Int

  /// The most rounds for each module; a module is compiled only after those that it depends on.
  static let mostRounds = 12

  /// Builds the given targets.
  ///
  /// Removes mutants that do not compile from `mutants`, which has them by number, and returns their numbers. Throws
  /// a `Failure` when the copy does not build for another reason.
  func build(
    targets: Set<String>, modules: [DescribedPackage.Target], mutants: inout [Int: Mutant],
    progress: (String) -> Void
  ) throws -> Set<Int> {
    var dropped = try known.numbers(of: mutants)
    for number in dropped { mutants[number] = nil }
    let mostRounds = Self.mostRounds * max(1, modules.count)
    for round in 1...mostRounds {
      var texts = ["Package.swift": try copy.manifest(keeping: targets)]
      for module in modules {
        texts["\(module.path)/\(SwitchFile.fileName)"] = Data(SwitchFile.text.utf8)
      }
      var files: [String: Instrumenter] = [:]
      for (path, group) in Dictionary(grouping: mutants, by: { $0.value.path }) {
        let source = try String(
          contentsOf: copy.original.appendingPathComponent(path), encoding: .utf8)
        let numbered = group.map { Instrumenter.Numbered(number: $0.key, mutant: $0.value) }
        let file = Instrumenter(source: source, mutants: numbered.sorted { $0.number < $1.number })
        files[path] = file
        texts[path] = Data(file.output)
      }
      try copy.refresh(replacing: texts)
      let (succeeded, output) = try compile()
      if succeeded { return dropped }
      var suspects = Set(
        Self.diagnostics(in: output, root: copy.root.path).flatMap {
          files[$0.path]?.suspects(line: $0.line, column: $0.column, message: $0.message) ?? []
        })
      if suspects.isEmpty {
        // The error is at a place without a mutant, or the compiler itself failed: suspect every mutant of the files
        // that its output names.
        let named = files.keys.filter { path in output.contains { $0.contains("/" + path) } }
        suspects = Set(mutants.filter { named.contains($0.value.path) }.keys)
      }
      guard !suspects.isEmpty else {
        throw Failure(
          description: "The copy does not build, and no mutant is to blame. See \(log.path).")
      }
      dropped.formUnion(suspects)
      progress("round \(round): \(suspects.count) mutants do not compile")
      let failures = suspects.compactMap { mutants.removeValue(forKey: $0) }
      for mutant in failures {
        progress("  \(mutant.path):\(mutant.line) \(mutant.kind.rawValue): \(mutant.mutated)")
      }
      try known.add(failures)
    }
    throw Failure(
      description: "The copy still does not build after \(mostRounds) rounds. See \(log.path)."
    )
  }

  private func compile() throws -> (succeeded: Bool, output: [String]) {
    var output: [String] = []
    let end = try ChildProcess(
      command: [
        "swift", "build", "--build-tests", "--jobs", String(jobs), "-debug-info-format", "none",
        "-Xswiftc", "-no-warnings-as-errors",
      ], directory: copy.root
    ).run { line in
      output.append(line)
      return true
    }
    try Data(output.joined(separator: "\n").utf8).write(to: log)
    return (end == .exit(0), output)
  }

  static func diagnostics(in output: [String], root: String) -> Set<Diagnostic> {
    let pattern = /^(.+\.swift):(\d+):(\d+): error: (.*)$/
    return Set(
      output.compactMap { line in
        guard let match = line.wholeMatch(of: pattern), let row = Int(match.output.2),
          let column = Int(match.output.3), match.output.1.hasPrefix(root + "/")
        else { return nil }
        return Diagnostic(
          path: String(match.output.1.dropFirst(root.count + 1)), line: row, column: column,
          message: String(match.output.4))
      })
  }
}
