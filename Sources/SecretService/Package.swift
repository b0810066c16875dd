// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, so that building Keepsake does not need libsecret.
let package = Package(
  name: "SecretService",
  platforms: [.macOS(.v15)],
  products: [.library(name: "KeepsakeSecretService", targets: ["KeepsakeSecretService"])],
  dependencies: [.package(name: "Keepsake", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CSecret", path: "CSecret", pkgConfig: "libsecret-1",
      providers: [.apt(["libsecret-1-dev"]), .brew(["libsecret"])]),

    // libsecret as the store uses it: a service, its items, its failures; the only unsafe code.
    .target(
      name: "SecretServiceAdapter", dependencies: ["CSecret"], path: "Adapter",
      swiftSettings: strict),

    .target(
      name: "KeepsakeSecretService",
      dependencies: ["SecretServiceAdapter", .product(name: "Keepsake", package: "Keepsake")],
      path: "Store", swiftSettings: strict),

    // The program that the tests run in separate sessions.
    .executableTarget(
      name: "secret-service-subject",
      dependencies: ["KeepsakeSecretService", .product(name: "Keepsake", package: "Keepsake")],
      path: "Subject", swiftSettings: strict),
  ]
)
