// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "files",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "KEEPSAKE_URL", from: "KEEPSAKE_VERSION")],
  targets: [
    .executableTarget(
      name: "files", dependencies: [.product(name: "KeepsakeFiles", package: "keepsake")])
  ]
)
