// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// The tests of what is behind a trait. They are a separate package, so that only they fetch and build what the traits
// need, and one package, so that Keepsake is built once with all its traits. The macros' code is also a library here,
// whose expansions can be compared.
let package = Package(
  name: "KeepsakeTraitTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "keepsake", path: "../..", traits: ["Macros", "Logging", "Remote"]),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.95.0"),
  ],
  targets: [
    .target(
      name: "MacroCode",
      dependencies: [
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      exclude: ["Plugin.swift"], swiftSettings: strict + [.define("Macros")]),
    .testTarget(
      name: "ExpansionTests",
      dependencies: [
        "MacroCode",
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ArchivableTests",
      dependencies: [.product(name: "KeepsakeArchive", package: "keepsake")],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeLoggingTests",
      dependencies: [
        .product(name: "KeepsakeLogging", package: "keepsake"),
        .product(name: "KeepsakeJournal", package: "keepsake"),
        .product(name: "KeepsakeSeal", package: "keepsake"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "KeepsakeRemoteTests",
      dependencies: [
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeRemote", package: "keepsake"),
        // Not for the tests: the documentation is made from this build, and needs every module.
        .product(name: "KeepsakeTesting", package: "keepsake"),
        // The tool, which the tests run.
        .product(name: "keepsake", package: "keepsake"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
  ]
)
