// swift-tools-version: 6.2

import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// swift-syntax as the toolchain contains it: its package takes eight minutes of processor time to build as a library.
///
/// The folder of the toolchain's own programs has to be in PATH; a launcher such as swiftly's does not lead to it.
let swiftSyntax =
  (Context.environment["PATH"] ?? "").split(separator: ":")
  .map { URL(filePath: "\($0)/swift").resolvingSymlinksInPath() }
  .map { $0.deletingLastPathComponent().deletingLastPathComponent().path + "/lib/swift/host" }
  .first { FileManager.default.fileExists(atPath: $0) } ?? ""

// The tests of what is behind a trait. They are a separate package, so that only they fetch and build what the traits
// need, and one package, so that Keepsake is built once with all its traits. The macros' code is also a library here,
// whose expansions can be compared; the macro itself is built with the package swift-syntax.
let package = Package(
  name: "KeepsakeTraitTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "keepsake", path: "../..", traits: ["Macros", "Logging", "Remote"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.95.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.30.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
  ],
  targets: [
    .target(
      name: "MacroCode", exclude: ["Plugin.swift"],
      swiftSettings: strict + [.define("Macros"), .unsafeFlags(["-I", swiftSyntax])]),
    .testTarget(
      name: "ExpansionTests", dependencies: ["MacroCode"],
      swiftSettings: strict + [.unsafeFlags(["-I", swiftSyntax])],
      linkerSettings: [
        .unsafeFlags(["-L", swiftSyntax, "-Xlinker", "-rpath", "-Xlinker", swiftSyntax])
      ]),
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
        // The library that makes the requests, for a client that trusts a certificate of the tests.
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: strict),
  ]
)
