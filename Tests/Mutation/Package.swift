// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that packages that depend on Keepsake do not build swift-syntax. `run` builds and runs the
// tool.
let package = Package(
  name: "KeepsakeMutation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    .executableTarget(
      name: "mutate",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ],
      swiftSettings: strict),
    .testTarget(name: "MutateTests", dependencies: ["mutate"], swiftSettings: strict),
  ]
)
