// swift-tools-version: 6.2

import CompilerPluginSupport
import PackageDescription

/// Every Swift target is held to the same rules: strict memory safety, no warnings, explicit
/// existentials, imports that stay internal unless they are said to be public.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

/// Dependencies of the macros are neither resolved nor fetched nor built without the trait.
let withMacros: TargetDependencyCondition? = .when(traits: ["Macros"])

/// The same for the handler of logs.
let withLogging: TargetDependencyCondition? = .when(traits: ["Logging"])

/// The same for the libsodium of swift-sodium.
let withBundledSodium: TargetDependencyCondition? = .when(traits: ["BundledSodium"])

/// The same for the client of HTTP.
let withRemote: TargetDependencyCondition? = .when(traits: ["Remote"])

let package = Package(
  name: "Keepsake",
  // Nothing is tested on Apple's systems. KeepsakeSeal and what depends on it need libsodium, which only macOS has among
  // them; the trait `BundledSodium` is for all of them. The other libraries need nothing.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // The whole names each module, so that what depends on it is rebuilt when any of them changes.
    .library(
      name: "Keepsake",
      targets: [
        "Keepsake", "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeCodable", "KeepsakeFiles",
        "KeepsakeSeal", "KeepsakeJournal", "KeepsakeMigration", "KeepsakeRestoration",
        "KeepsakeHeadless", "KeepsakeImport",
      ]),
    .library(name: "KeepsakeArchive", targets: ["KeepsakeArchive"]),
    .library(name: "KeepsakeDocuments", targets: ["KeepsakeDocuments"]),
    .library(name: "KeepsakeCodable", targets: ["KeepsakeCodable"]),
    .library(name: "KeepsakeFiles", targets: ["KeepsakeFiles"]),
    .library(name: "KeepsakeSeal", targets: ["KeepsakeSeal"]),
    .library(name: "KeepsakeJournal", targets: ["KeepsakeJournal"]),
    .library(name: "KeepsakeMigration", targets: ["KeepsakeMigration"]),
    .library(name: "KeepsakeRestoration", targets: ["KeepsakeRestoration"]),
    .library(name: "KeepsakeHeadless", targets: ["KeepsakeHeadless"]),
    .library(name: "KeepsakeImport", targets: ["KeepsakeImport"]),
    .library(name: "KeepsakeLogging", targets: ["KeepsakeLogging"]),
    .library(name: "KeepsakeRemote", targets: ["KeepsakeRemote"]),
    .library(name: "KeepsakeTesting", targets: ["KeepsakeTesting"]),
    .executable(name: "keepsake", targets: ["KeepsakeCommand"]),
  ],
  traits: [
    .trait(
      name: "Macros",
      description: "@Archivable, which writes keyed conformances; fetches and builds swift-syntax."),
    .trait(
      name: "Logging",
      description: "JournalLog, which writes logs of swift-log to a journal; fetches swift-log."),
    .trait(
      name: "BundledSodium",
      description: "libsodium from swift-sodium, in place of the system's; fetches swift-sodium."),
    .trait(
      name: "Remote",
      description: "Sealed files and states in an object store; fetches async-http-client."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/jedisct1/swift-sodium", from: "0.10.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.95.0"),
  ],
  targets: [
    // libsodium, as the system ships it.
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    // That one, or the one of swift-sodium.
    .target(
      name: "SodiumLibrary",
      dependencies: [
        .target(name: "CSodium", condition: .when(platforms: [.linux, .macOS])),
        .product(name: "Clibsodium", package: "swift-sodium", condition: withBundledSodium),
      ],
      swiftSettings: strict),

    // Values to bytes: the standard library only.
    .target(
      name: "KeepsakeArchive",
      dependencies: [.target(name: "KeepsakeMacros", condition: withMacros)],
      swiftSettings: strict),
    .macro(
      name: "KeepsakeMacros",
      dependencies: [
        .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: withMacros),
        .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: withMacros),
        .product(name: "SwiftSyntax", package: "swift-syntax", condition: withMacros),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: withMacros),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: withMacros),
      ],
      swiftSettings: strict),
    // An archive without its types: to look at, compare, edit and copy; the standard library only.
    .target(name: "KeepsakeDocuments", dependencies: ["KeepsakeArchive"], swiftSettings: strict),
    .target(
      name: "KeepsakeCodable", dependencies: ["KeepsakeArchive", "KeepsakeDocuments"],
      swiftSettings: strict),

    // Durable files, and locks: the C library only.
    .target(name: "KeepsakeFiles", swiftSettings: strict),

    // Bytes to a secret file: libsodium and the C library only.
    .target(
      name: "KeepsakeSeal", dependencies: ["KeepsakeFiles", "SodiumLibrary"],
      swiftSettings: strict),

    // Encrypted files that grow.
    .target(
      name: "KeepsakeJournal",
      dependencies: ["KeepsakeArchive", "KeepsakeCodable", "KeepsakeFiles", "KeepsakeSeal"],
      swiftSettings: strict),

    // Logs into such files. Without the trait `Logging` it is empty.
    .target(
      name: "KeepsakeLogging",
      dependencies: [
        .target(name: "KeepsakeFiles", condition: withLogging),
        .target(name: "KeepsakeJournal", condition: withLogging),
        .product(name: "Logging", package: "swift-log", condition: withLogging),
      ],
      swiftSettings: strict),

    // Versions that may be opened, and steps between them: no files, no secrets.
    .target(
      name: "KeepsakeMigration", dependencies: ["KeepsakeArchive", "KeepsakeDocuments"],
      swiftSettings: strict),
    .target(
      name: "KeepsakeRestoration",
      dependencies: ["KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration"],
      swiftSettings: strict),
    // Controllers and views without a screen, made of the public interface of the engine.
    .target(
      name: "KeepsakeHeadless", dependencies: ["KeepsakeArchive", "KeepsakeRestoration"],
      swiftSettings: strict),

    // Property lists and keyed archives to archives: no Foundation.
    .target(
      name: "KeepsakeImport", dependencies: ["KeepsakeArchive", "KeepsakeDocuments"],
      swiftSettings: strict),

    // The front door, and what stands on it.
    .target(
      name: "Keepsake",
      dependencies: [
        "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeCodable", "KeepsakeFiles",
        "KeepsakeSeal", "KeepsakeJournal", "KeepsakeMigration", "KeepsakeRestoration",
        "KeepsakeHeadless", "KeepsakeImport",
      ],
      swiftSettings: strict),
    // Sealed files and states in an object store. Without the trait `Remote` it is empty.
    .target(
      name: "KeepsakeRemote",
      dependencies: [
        .target(name: "Keepsake", condition: withRemote),
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: withRemote),
        .product(name: "NIOCore", package: "swift-nio", condition: withRemote),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: withRemote),
      ],
      swiftSettings: strict),
    .target(name: "KeepsakeTesting", dependencies: ["Keepsake"], swiftSettings: strict),
    .executableTarget(
      name: "KeepsakeCommand",
      dependencies: [
        "Keepsake", "CommandSupport", "ContactsModel", "TerminalScreen",
        .target(name: "KeepsakeRemote", condition: withRemote),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // The page of `inspect --html`. It is in the code, so that the tool stays one file.
      resources: [
        "page.html", "page.css", "reader.js", "text.js", "bytes.js", "rows.js", "search.js",
        "details.js", "sizes.js", "inspect.js", "compare.js", "main.js",
      ].map { Resource.embedInCode("Page/Source/\($0)") },
      swiftSettings: strict),

    // Code that the programs of this package share: exit codes, sentences, an archive as text.
    .target(
      name: "CommandSupport",
      dependencies: [
        "Keepsake", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // The contacts app without a screen, which the demo plays; and drawn in a terminal, to play with:
    // `swift run contacts`; no declared products.
    .target(
      name: "ContactsModel", dependencies: ["Keepsake"], path: "Sources/Contacts/Model",
      swiftSettings: strict),
    .target(name: "TerminalScreen", dependencies: ["KeepsakeArchive"], swiftSettings: strict),
    .executableTarget(
      name: "contacts",
      dependencies: [
        "Keepsake", "CommandSupport", "ContactsModel", "TerminalScreen",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Contacts/Terminal", swiftSettings: strict),

    // Builds and starts the benchmarks, which are a package of their own; no declared product.
    .executableTarget(name: "bench", path: "Benchmarks/Launcher", swiftSettings: strict),

    // The part of the benchmarks that decides and draws, built here once more to be tested.
    .target(
      name: "BenchmarkHarness", path: "Benchmarks/Sources/BenchmarkHarness",
      swiftSettings: strict),

    // Code that several of the tests below share: numbers that a seed decides, directories of their own.
    .target(
      name: "TestSupport",
      dependencies: ["KeepsakeArchive", "KeepsakeDocuments", "AllocationProbe"],
      path: "Tests/TestSupport", swiftSettings: strict),
    // Counts what a thread allocates, in C since the allocator is.
    .target(name: "AllocationProbe", path: "Tests/AllocationProbe"),
    .testTarget(
      name: "KeepsakeArchiveTests",
      dependencies: ["KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeDocumentsTests",
      dependencies: ["KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeCodableTests",
      dependencies: ["KeepsakeArchive", "KeepsakeCodable", "KeepsakeDocuments", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeFilesTests", dependencies: ["KeepsakeFiles", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeSealTests", dependencies: ["KeepsakeFiles", "KeepsakeSeal", "TestSupport"],
      exclude: ["Wycheproof"], swiftSettings: strict),
    .testTarget(
      name: "KeepsakeJournalTests",
      dependencies: [
        "KeepsakeArchive", "KeepsakeFiles", "KeepsakeJournal", "KeepsakeSeal", "TestSupport",
        "journal-subject",
      ],
      exclude: ["Subject"], swiftSettings: strict),
    .executableTarget(
      name: "journal-subject", dependencies: ["KeepsakeJournal", "KeepsakeSeal"],
      path: "Tests/KeepsakeJournalTests/Subject", swiftSettings: strict),
    .testTarget(
      name: "KeepsakeMigrationTests",
      dependencies: ["KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeRestorationTests",
      dependencies: [
        "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeMigration", "KeepsakeRestoration",
        "KeepsakeHeadless", "KeepsakeTesting", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeImportTests",
      dependencies: [
        "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeImport", "KeepsakeMigration",
        "TestSupport",
      ],
      exclude: ["Peers"], swiftSettings: strict),
    .testTarget(
      name: "KeepsakeTests",
      dependencies: ["Keepsake", "KeepsakeTesting", "TestSupport", "saver-subject"],
      exclude: ["Subject"], swiftSettings: strict),
    .executableTarget(
      name: "saver-subject", dependencies: ["Keepsake", "KeepsakeTesting"],
      path: "Tests/KeepsakeTests/Subject", swiftSettings: strict),
    .testTarget(
      name: "KeepsakeTestingTests", dependencies: ["KeepsakeTesting"], swiftSettings: strict),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "Keepsake", "CommandSupport", "ContactsModel", "KeepsakeCommand", "TerminalScreen",
        "TestSupport", "contacts",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BenchmarkHarnessTests", dependencies: ["BenchmarkHarness"], swiftSettings: strict),
    .testTarget(name: "PackageTests", swiftSettings: strict),

    // The code that the README and the articles show; and the package that Getting started makes.
    .testTarget(
      name: "ArticleTests",
      dependencies: [
        "Keepsake", "KeepsakeFiles", "KeepsakeTesting", "TestSupport", "letters-sample",
      ],
      exclude: ["Letters", "Notes"],
      swiftSettings: strict),
    .executableTarget(
      name: "letters-sample", dependencies: ["Keepsake"], path: "Tests/ArticleTests/Letters",
      swiftSettings: strict),
    .executableTarget(
      name: "Notes", dependencies: ["Keepsake"], path: "Tests/ArticleTests/Notes/Sources/Notes",
      swiftSettings: strict),
    .testTarget(
      name: "NotesTests", dependencies: ["Keepsake", "KeepsakeTesting", "Notes"],
      path: "Tests/ArticleTests/Notes/Tests/NotesTests", swiftSettings: strict),

    // Real faults: a program that is broken at every system call, and the tests that break it.
    .executableTarget(
      name: "fault-subject", dependencies: ["Keepsake", "KeepsakeSeal"],
      path: "Tests/FaultTests/Subject", swiftSettings: strict),
    .testTarget(
      name: "FaultTests", dependencies: ["Keepsake", "KeepsakeSeal", "fault-subject"],
      exclude: ["README.md", "Subject", "Tools"], swiftSettings: strict),
  ]
)
