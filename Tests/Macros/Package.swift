// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A separate package, so that swift-syntax is built once and only for these tests. It has a target that uses
// the trait of the macros, and the macros' code as a library, whose expansions can be compared.
let package = Package(
  name: "KeepsakeMacroTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "keepsake", path: "../..", traits: ["Macros"]),
    .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
  ],
  targets: [
    .target(
      name: "MacroCode",
      dependencies: [
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
      ],
      exclude: ["Plugin.swift"], swiftSettings: strict + [.define("Macros")]),
    .testTarget(
      name: "ExpansionTests",
      dependencies: [
        "MacroCode",
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
        .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
        .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ArchivableTests",
      dependencies: [.product(name: "KeepsakeArchive", package: "keepsake")],
      swiftSettings: strict),
  ]
)
