// swift-tools-version: 6.2

import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The path of Apache Fory Swift, a rival that is not in a registry; README.md states how it takes part.
let fory = Context.environment["KEEPSAKE_BENCHMARK_FORY"]

let forySources: [Package.Dependency] = fory.map { [.package(name: "fory", path: $0)] } ?? []
let foryProduct: [Target.Dependency] = fory == nil ? [] : [.product(name: "Fory", package: "fory")]
/// The code that Fory generates does not meet our rules.
let suiteSettings: [SwiftSetting] =
  fory == nil ? strict : Array(strict.dropFirst(2)) + [.define("FORY")]

/// More rivals, which take longer to build and need more packages of the system; see
/// `swift run bench --peers all`.
let withPeers: TargetDependencyCondition? = .when(traits: ["Peers"])
/// Object stores are a trait too, since they need async-http-client.
let withRemote: TargetDependencyCondition? = .when(traits: ["Remote"])
/// swift-crypto is a separate trait, since it takes longer to build than everything else.
let withCrypto: TargetDependencyCondition? = .when(traits: ["SwiftCrypto"])

// A separate package, so that programs that depend on Keepsake fetch nothing for its benchmarks.
let package = Package(
  name: "KeepsakeBenchmarks",
  platforms: [.macOS(.v15)],
  traits: [
    .trait(
      name: "Peers",
      description:
        "GRDB, SQLCipher, msgpack-c, libcbor and FlatBuffers, and sizes after zstd, in the report."),
    .trait(name: "SwiftCrypto", description: "swift-crypto in the report."),
    .trait(name: "Macros", description: "@Archivable in the report; builds swift-syntax."),
    .trait(name: "Remote", description: "Object stores in the report; fetches async-http-client."),
    .default(enabledTraits: []),
  ],
  dependencies: [
    .package(
      name: "Keepsake", path: "..",
      traits: [
        .trait(name: "Macros", condition: .when(traits: ["Macros"])),
        .trait(name: "Remote", condition: .when(traits: ["Remote"])),
      ]),
    // Without its traits: SwiftPM passes two of them to the compiler in an order that changes between runs,
    // and then rebuilds everything.
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    // Fetched and built only with the trait.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
  ] + forySources,
  targets: [
    // Options, sampling, comparison, tables and charts; it does not use Keepsake. The package above builds
    // the same folder to test it.
    .target(name: "BenchmarkHarness", swiftSettings: strict),

    // Functions that the optimiser cannot see through, and facts from the kernel and the allocator.
    .target(name: "CProbe"),

    // libsodium and system calls without Keepsake, as lower limits.
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
        .product(name: "KeepsakeRemote", package: "Keepsake", condition: withRemote),
        // The tool, which the benchmarks compare with other programs.
        .product(name: "keepsake", package: "Keepsake", condition: withPeers),
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
