// swift-tools-version: 6.2

import PackageDescription

// What the tool must say about each mutant here is known: see PlantedCaseTests.
let package = Package(
  name: "Planted",
  targets: [
    .target(name: "Planted", swiftSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "PlantedAbove", dependencies: ["Planted"]),
    .testTarget(name: "PlantedTests", dependencies: ["Planted"]),
    .testTarget(name: "PlantedAboveTests", dependencies: ["PlantedAbove"]),
  ]
)
