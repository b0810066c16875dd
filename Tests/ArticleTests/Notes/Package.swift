// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "notes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(path: "../keepsake")],
  targets: [
    .executableTarget(
      name: "Notes",
      dependencies: [
        .product(name: "Keepsake", package: "keepsake")
      ]),
    .testTarget(
      name: "NotesTests",
      dependencies: [
        "Notes",
        .product(
          name: "KeepsakeTesting", package: "keepsake"),
      ]),
  ]
)
