// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "all",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "KEEPSAKE_URL", from: "KEEPSAKE_VERSION")],
  targets: [
    .executableTarget(
      name: "all", dependencies: [.product(name: "Keepsake", package: "keepsake")])
  ]
)
