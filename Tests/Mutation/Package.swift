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

// A package of its own, so that Keepsake does not depend on it. `run` builds and runs the tool.
let package = Package(
  name: "KeepsakeMutation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
  ],
  targets: [
    .executableTarget(
      name: "mutate",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: strict + [.unsafeFlags(["-I", swiftSyntax])],
      linkerSettings: [
        .unsafeFlags(["-L", swiftSyntax, "-Xlinker", "-rpath", "-Xlinker", swiftSyntax])
      ]),
    .testTarget(
      name: "MutateTests", dependencies: ["mutate"],
      swiftSettings: strict + [.unsafeFlags(["-I", swiftSyntax])]),
  ]
)
