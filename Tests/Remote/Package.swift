// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, because only these tests need async-http-client and the trait that fetches it.
let package = Package(
  name: "KeepsakeRemoteTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "keepsake", path: "../..", traits: ["Remote"]),
    .package(url: "https://github.com/apple/swift-nio", from: "2.95.0"),
  ],
  targets: [
    .testTarget(
      name: "KeepsakeRemoteTests",
      dependencies: [
        .product(name: "Keepsake", package: "keepsake"),
        .product(name: "KeepsakeRemote", package: "keepsake"),
        // The tool, which the tests run.
        .product(name: "keepsake", package: "keepsake"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict)
  ]
)
