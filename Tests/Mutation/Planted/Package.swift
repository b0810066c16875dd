// swift-tools-version: 6.2

import PackageDescription

// PlantedCaseTests knows the right verdict on each mutant of this package.
let package = Package(
  name: "Planted",
  targets: [
    .target(name: "Planted", swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "PlantedAbove", dependencies: ["Planted"]),
    .testTarget(name: "PlantedTests", dependencies: ["Planted"]),
    .testTarget(name: "PlantedAboveTests", dependencies: ["PlantedAbove"]),
  ]
)
