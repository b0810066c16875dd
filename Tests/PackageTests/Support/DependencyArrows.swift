/// The arrows between targets, as CONTRIBUTING.md draws them.
///
/// A new target or a new arrow is an architectural decision: it is made by editing this table.
struct DependencyArrows {
  static let librariesAndTools: [String: Set<String>] = [
    "CSodium": [],
    // The trait `BundledSodium`, which is off here, adds the libsodium of swift-sodium.
    "SodiumLibrary": ["CSodium"],
    "KeepsakeArchive": [],
    // KeepsakeArchive depends on it with the trait `Macros`, which is off here.
    "KeepsakeMacros": [],
    "KeepsakeDocuments": ["KeepsakeArchive"],
    "KeepsakeCodable": ["KeepsakeArchive", "KeepsakeDocuments"],
    "KeepsakeFiles": [],
    "KeepsakeSeal": ["KeepsakeFiles", "SodiumLibrary"],
    "KeepsakeJournal": ["KeepsakeArchive", "KeepsakeCodable", "KeepsakeFiles", "KeepsakeSeal"],
    // It has arrows with the trait `Logging`, which is off here.
    "KeepsakeLogging": [],
    // It has arrows with the trait `Remote`, which is off here.
    "KeepsakeRemote": [],
    "KeepsakeMigration": ["KeepsakeArchive", "KeepsakeDocuments"],
    "KeepsakeRestoration": ["KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration"],
    "KeepsakeHeadless": ["KeepsakeArchive", "KeepsakeRestoration"],
    "KeepsakeImport": ["KeepsakeArchive", "KeepsakeDocuments"],
    "Keepsake": [
      "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeCodable", "KeepsakeFiles", "KeepsakeSeal",
      "KeepsakeJournal", "KeepsakeMigration", "KeepsakeRestoration", "KeepsakeHeadless",
      "KeepsakeImport",
    ],
    "KeepsakeTesting": ["Keepsake"],
    "KeepsakeCommand": [
      "Keepsake", "CommandSupport", "ContactsModel", "TerminalScreen", "ArgumentParser",
    ],
    "CommandSupport": ["Keepsake", "ArgumentParser"],
    // The next three are the sample app: its model, its view in a terminal, and the terminal.
    "ContactsModel": ["Keepsake"],
    "contacts": [
      "Keepsake", "CommandSupport", "ContactsModel", "TerminalScreen", "ArgumentParser",
    ],
    "TerminalScreen": ["KeepsakeArchive"],
    // It starts the nested benchmark package, and links no module of this package.
    "bench": [],
    // It samples, compares and draws, and uses no module of this package.
    "BenchmarkHarness": [],
    // Helpers that several test targets use.
    "TestSupport": ["KeepsakeArchive", "KeepsakeDocuments", "AllocationProbe"],
    // It counts allocations, and is written in C.
    "AllocationProbe": [],
    // The program that the fault tests break.
    "fault-subject": ["Keepsake", "KeepsakeSeal"],
    // A program that is killed while it appends.
    "journal-subject": ["KeepsakeJournal", "KeepsakeSeal"],
    // A program that ends while it has something left to save.
    "saver-subject": ["Keepsake", "KeepsakeTesting"],
    // The app of the article Getting started.
    "Notes": ["Keepsake"],
    // The app of the article on screens.
    "letters-sample": ["Keepsake"],
  ]

  /// The targets that each test target depends on.
  static let testTargets: [String: Set<String>] = [
    "KeepsakeArchiveTests": [
      "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "TestSupport",
    ],
    "KeepsakeDocumentsTests": [
      "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "TestSupport",
    ],
    "KeepsakeCodableTests": [
      "KeepsakeArchive", "KeepsakeCodable", "KeepsakeDocuments", "TestSupport",
    ],
    "KeepsakeFilesTests": ["KeepsakeFiles", "TestSupport"],
    "KeepsakeSealTests": ["KeepsakeFiles", "KeepsakeSeal", "TestSupport"],
    "KeepsakeJournalTests": [
      "KeepsakeArchive", "KeepsakeFiles", "KeepsakeJournal", "KeepsakeSeal", "TestSupport",
      "journal-subject",
    ],
    "KeepsakeMigrationTests": [
      "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "TestSupport",
    ],
    "KeepsakeRestorationTests": [
      "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "KeepsakeRestoration",
      "KeepsakeHeadless",
      "KeepsakeTesting", "TestSupport",
    ],
    "KeepsakeImportTests": [
      "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeImport", "KeepsakeMigration",
      "TestSupport",
    ],
    "KeepsakeTests": ["Keepsake", "KeepsakeTesting", "TestSupport", "saver-subject"],
    "KeepsakeTestingTests": ["KeepsakeTesting"],
    "CommandLineTests": [
      "Keepsake", "CommandSupport", "ContactsModel", "KeepsakeCommand", "TerminalScreen",
      "TestSupport", "contacts",
    ],
    "BenchmarkHarnessTests": ["BenchmarkHarness"],
    "PackageTests": [],
    "ArticleTests": [
      "Keepsake", "KeepsakeFiles", "KeepsakeTesting", "TestSupport", "letters-sample",
    ],
    "NotesTests": ["Keepsake", "KeepsakeTesting", "Notes"],
    "FaultTests": ["Keepsake", "KeepsakeSeal", "fault-subject"],
  ]

  /// The system modules that a target's sources may import in addition to the modules of its arrows.
  ///
  /// The standard library's own modules are open to every target.
  static let systemModules: [String: Set<String>] = [
    "SodiumLibrary": ["Clibsodium"],
    "KeepsakeArchive": [],
    "KeepsakeDocuments": [],
    "KeepsakeMacros": [
      "SwiftCompilerPlugin", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
      "SwiftSyntaxMacros",
    ],
    "KeepsakeCodable": foundation,
    // `FilePath` needs it on Apple platforms.
    "KeepsakeFiles": cLibrary.union(["System"]),
    // The keychain needs it on Apple platforms.
    "KeepsakeSeal": cLibrary.union(["CoreFoundation", "Security"]),
    "KeepsakeJournal": foundation.union(["Dispatch"]),
    "KeepsakeLogging": ["Dispatch", "KeepsakeFiles", "KeepsakeJournal", "Logging"],
    "KeepsakeRemote": foundation.union([
      "AsyncHTTPClient", "Dispatch", "FoundationXML", "Keepsake", "NIOCore", "NIOHTTP1",
    ]),
    "KeepsakeMigration": [],
    "KeepsakeRestoration": [],
    "KeepsakeHeadless": [],
    "KeepsakeImport": [],
    "Keepsake": foundation.union(cLibrary).union(["Dispatch"]),
    "KeepsakeTesting": foundation.union(cLibrary).union(["Dispatch"]),
    // Object stores need it with the trait `Remote`.
    "KeepsakeCommand": foundation.union(cLibrary).union(["Dispatch", "KeepsakeRemote"]),
    "CommandSupport": foundation,
    "ContactsModel": foundation,
    "contacts": foundation,
    "TerminalScreen": cLibrary.union(["Dispatch"]),
    "bench": foundation,
    "BenchmarkHarness": foundation,
    "TestSupport": foundation.union(["AllocationProbe"]),
    "fault-subject": foundation,
    "journal-subject": foundation,
    "saver-subject": foundation.union(["Dispatch"]),
    "letters-sample": foundation,
    "Notes": foundation,
  ]

  static let standardLibrary: Set<String> = ["Swift", "Synchronization", "Observation"]
  private static let foundation: Set<String> = ["Foundation", "FoundationEssentials"]
  private static let cLibrary: Set<String> = ["Glibc", "Musl", "Darwin"]

  /// The arrows that differ from the table, one sentence each.
  static func violations(in package: DescribedPackage) -> [String] {
    let table = librariesAndTools.merging(testTargets) { first, _ in first }
    let present = Set(package.targets.map(\.name))
    let missing = Set(table.keys).subtracting(present).sorted().map {
      "The target \($0) is in the table of arrows but not in the package."
    }
    return missing
      + package.targets.flatMap { target -> [String] in
        guard let allowed = table[target.name] else {
          return ["The target \(target.name) is not in the table of arrows."]
        }
        let drawn = Set(target.dependencies)
        return drawn.subtracting(allowed).sorted().map {
          "\(target.name) must not depend on \($0)."
        }
          + allowed.subtracting(drawn).sorted().map {
            "\(target.name) no longer depends on \($0): take the arrow out of the table."
          }
      }
  }

  /// The imports in one source file that no arrow allows.
  static func forbiddenImports(in source: String, of target: String) -> [String] {
    let allowed = (librariesAndTools[target] ?? [])
      .union(systemModules[target] ?? [])
      .union(standardLibrary)
    // The expression is made once for all lines, because making it takes longer than matching a line.
    let pattern = importPattern
    return SwiftCode(source).lines.compactMap { line in
      guard line.contains("import"), let match = line.firstMatch(of: pattern) else { return nil }
      let module = String(match.module)
      return allowed.contains(module) ? nil : module
    }
  }

  /// An import with any attributes and access level, of a module or of one declaration in it.
  private static var importPattern: Regex<(Substring, module: Substring)> {
    /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(?<module>\w+)/
  }
}
