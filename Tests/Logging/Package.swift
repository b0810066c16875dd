// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, because only these tests need swift-log and the trait that fetches it.
let package = Package(
  name: "KeepsakeLoggingTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "keepsake", path: "../..", traits: ["Logging"]),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .testTarget(
      name: "KeepsakeLoggingTests",
      dependencies: [
        .product(name: "KeepsakeLogging", package: "keepsake"),
        .product(name: "KeepsakeJournal", package: "keepsake"),
        .product(name: "KeepsakeSeal", package: "keepsake"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict)
  ]
)
