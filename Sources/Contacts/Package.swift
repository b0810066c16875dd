// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, so that building Keepsake does not need GTK. The package above builds the model of this folder,
// too.
let package = Package(
  name: "DesktopContacts",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Keepsake", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CGTK", path: "CGTK", pkgConfig: "gtk4",
      providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]),

    // GTK's widgets as participants of a restore, and its loop on the thread of the main actor.
    .target(
      name: "GTKRestoration",
      dependencies: ["CGTK", .product(name: "Keepsake", package: "Keepsake")],
      path: "Adapter", swiftSettings: strict),

    // The book of contacts that the terminal and the demo use; this app has other screens.
    .target(
      name: "DesktopContactsModel", dependencies: [.product(name: "Keepsake", package: "Keepsake")],
      path: "Model", sources: ["Contact.swift", "ContactBook.swift"], swiftSettings: strict),

    .executableTarget(
      name: "desktop-contacts",
      dependencies: [
        "DesktopContactsModel", "GTKRestoration", .product(name: "Keepsake", package: "Keepsake"),
      ],
      path: "Desktop", swiftSettings: strict),
  ]
)
