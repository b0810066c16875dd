// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let seal = Target.Dependency.product(name: "KeepsakeSeal", package: "Keepsake")
let archive = Target.Dependency.product(name: "KeepsakeArchive", package: "Keepsake")
let documents = Target.Dependency.product(name: "KeepsakeDocuments", package: "Keepsake")
let codable = Target.Dependency.product(name: "KeepsakeCodable", package: "Keepsake")
let journal = Target.Dependency.product(name: "KeepsakeJournal", package: "Keepsake")
let keyedImport = Target.Dependency.product(name: "KeepsakeImport", package: "Keepsake")
let migration = Target.Dependency.product(name: "KeepsakeMigration", package: "Keepsake")

// A separate package, because fuzzers are built with other flags than everything else. `run` builds and runs
// one; a new fuzzer is one more executable target here.
let package = Package(
  name: "KeepsakeFuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Keepsake", path: "../..")],
  targets: [
    // The two functions of libFuzzer that a driver calls.
    .systemLibrary(name: "CLibFuzzer"),
    .target(name: "FuzzDriver", dependencies: ["CLibFuzzer"], swiftSettings: strict),

    // Sealed files that a holder of the key has forged.
    .target(name: "SealForgery", dependencies: [seal], swiftSettings: strict),
    .executableTarget(
      name: "fuzz-seal-header", dependencies: ["FuzzDriver", "SealForgery", seal],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-seal-slots", dependencies: ["FuzzDriver", "SealForgery", seal],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-seal-open", dependencies: ["FuzzDriver", "SealForgery", seal],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-seal-signed", dependencies: ["FuzzDriver", "SealForgery", seal],
      swiftSettings: strict),

    // Archives whose parts were changed and reassembled.
    .target(name: "ArchiveForgery", dependencies: [archive, documents], swiftSettings: strict),
    .executableTarget(
      name: "fuzz-archive-open",
      dependencies: ["FuzzDriver", "ArchiveForgery", archive, documents],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-archive-walk",
      dependencies: ["FuzzDriver", "ArchiveForgery", archive, documents],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-archive-graph",
      dependencies: ["FuzzDriver", "ArchiveForgery", archive, documents],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-archive-stream",
      dependencies: ["FuzzDriver", "ArchiveForgery", archive, documents],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-archive-migrate",
      dependencies: ["FuzzDriver", "ArchiveForgery", archive, documents, migration],
      swiftSettings: strict),
    .executableTarget(
      name: "fuzz-codable-decode",
      dependencies: ["FuzzDriver", "ArchiveForgery", archive, documents, codable],
      swiftSettings: strict),

    // Journals that a holder of the key has forged.
    .executableTarget(
      name: "fuzz-journal-read", dependencies: ["FuzzDriver", seal, journal],
      swiftSettings: strict),

    // Files of NSKeyedArchiver.
    .executableTarget(
      name: "fuzz-import", dependencies: ["FuzzDriver", archive, documents, keyedImport],
      swiftSettings: strict),
  ]
)
