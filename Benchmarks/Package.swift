// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that whoever depends on Keepsake fetches nothing for its benchmarks.
let package = Package(
  name: "KeepsakeBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Keepsake", path: "..")],
  targets: [
    // What the optimiser cannot see through.
    .target(name: "CSink"),

    // libsodium without Keepsake, as the floor.
    .systemLibrary(
      name: "CSodiumPeer", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),

    .executableTarget(
      name: "BenchmarkSuite",
      dependencies: [
        "CSink", "CSodiumPeer",
        .product(name: "KeepsakeArchive", package: "Keepsake"),
        .product(name: "KeepsakeCodable", package: "Keepsake"),
        .product(name: "KeepsakeMigration", package: "Keepsake"),
        .product(name: "KeepsakeSeal", package: "Keepsake"),
      ],
      swiftSettings: strict),
  ]
)
