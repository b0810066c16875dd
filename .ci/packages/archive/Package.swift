// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "archive",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "KEEPSAKE_URL", from: "KEEPSAKE_VERSION")],
  targets: [
    .executableTarget(
      name: "archive", dependencies: [.product(name: "KeepsakeArchive", package: "keepsake")])
  ]
)
