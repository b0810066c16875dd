// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Where Apache Fory Swift lies, a rival that comes from no registry; README.md says how it takes part.
let fory = Context.environment["KEEPSAKE_BENCHMARK_FORY"]

let forySources: [Package.Dependency] = fory.map { [.package(name: "fory", path: $0)] } ?? []
let foryProduct: [Target.Dependency] = fory == nil ? [] : [.product(name: "Fory", package: "fory")]
/// The code that Fory generates is not held to our rules.
let suiteSettings: [SwiftSetting] =
  fory == nil ? strict : Array(strict.dropFirst(2)) + [.define("FORY")]

/// More rivals, which take a while to build and need more of the system: `swift run bench --peers all`.
let withPeers: TargetDependencyCondition? = .when(traits: ["Peers"])
/// swift-crypto is a trait of its own, since it builds longer than everything else.
let withCrypto: TargetDependencyCondition? = .when(traits: ["SwiftCrypto"])

// A package of its own, so that whoever depends on Keepsake fetches nothing for its benchmarks.
let package = Package(
  name: "KeepsakeBenchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(
      name: "Peers",
      description: "GRDB, msgpack-c, libcbor and FlatBuffers, and sizes after zstd, in the report."),
    .trait(name: "SwiftCrypto", description: "swift-crypto in the report."),
    .trait(name: "Macros", description: "@Archivable in the report; builds swift-syntax."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(
      name: "Keepsake", path: "..",
      traits: [.trait(name: "Macros", condition: .when(traits: ["Macros"]))]),
    // Without its traits: SwiftPM gives two of them to the compiler in an order that changes from one
    // run to the next, and then builds all of it anew.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    // Neither fetched nor built without the trait.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
  ] + forySources,
  targets: [
    // Options, sampling, comparison, tables and charts: no Keepsake in it. The package above builds
    // the same folder to test it.
    .target(name: "BenchmarkHarness", swiftSettings: strict),

    // What the optimiser cannot see through, and what the kernel and the allocator say.
    .target(name: "CProbe"),

    // libsodium and the system's calls without Keepsake, as the floors.
    .systemLibrary(
      name: "CSodiumPeer", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .target(name: "CPeers", dependencies: ["CSodiumPeer"]),

    // Formats without a schema, and a compressor, as the system ships them.
    .systemLibrary(name: "CMessagePack"),
    .systemLibrary(name: "CLibCBOR"),
    .systemLibrary(name: "CZstandard"),
    // FlatBuffers' C++ behind functions of C, since its templates are made for each schema.
    .target(name: "CFlatBuffers"),

    .executableTarget(
      name: "BenchmarkSuite",
      dependencies: [
        "BenchmarkHarness", "CProbe", "CPeers", "CSodiumPeer",
        .product(name: "Keepsake", package: "Keepsake"),
        .product(name: "KeepsakeTesting", package: "Keepsake"),
        .product(name: "SwiftProtobuf", package: "swift-protobuf"),
        .target(name: "CMessagePack", condition: withPeers),
        .target(name: "CLibCBOR", condition: withPeers),
        .target(name: "CZstandard", condition: withPeers),
        .target(name: "CFlatBuffers", condition: withPeers),
        .product(name: "Crypto", package: "swift-crypto", condition: withCrypto),
        .product(name: "GRDB", package: "GRDB.swift", condition: withPeers),
      ] + foryProduct,
      exclude: ["Peers/workloads.proto"],
      swiftSettings: suiteSettings),
  ]
)
