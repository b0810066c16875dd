// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "seal",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "KEEPSAKE_URL", from: "KEEPSAKE_VERSION")],
  targets: [
    .executableTarget(
      name: "seal", dependencies: [.product(name: "KeepsakeSeal", package: "keepsake")])
  ]
)
