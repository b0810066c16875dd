#if SwiftCrypto
  import BenchmarkHarness
  import Crypto
  import Foundation

  /// CryptoKit's functions, or swift-crypto's on other platforms: the whole content as one box.
  @MainActor
  enum PlatformCrypto {
    static func benchmarks(
      _ operation: BenchmarkIdentity.Operation, _ size: Int, threads: Int
    ) -> [Benchmark] {
      let key = SymmetricKey(size: .bits256)
      return [
        benchmark(
          operation, "ChaChaPoly", size, threads,
          seal: { try ChaChaPoly.seal($0, using: key).combined },
          open: { try ChaChaPoly.open(.init(combined: $0), using: key) }),
        benchmark(
          operation, "AES.GCM", size, threads,
          seal: {
            guard let box = try AES.GCM.seal($0, using: key).combined else {
              throw CheckFailure(description: "The nonce has an unusual length.")
            }
            return box
          },
          open: { try AES.GCM.open(.init(combined: $0), using: key) }),
      ]
    }

    private static func benchmark(
      _ operation: BenchmarkIdentity.Operation, _ variant: String, _ size: Int, _ threads: Int,
      seal: @escaping (Data) throws -> Data, open: @escaping (Data) throws -> Data
    ) -> Benchmark {
      let identity = BenchmarkIdentity(
        .seal, .blob, operation, .swiftCrypto, variant: variant, size: size, threads: threads)
      return Benchmark(identity, remark: "one box: no parts, one thread, no file") {
        let plaintext = Data(NamedBlob.noise(size))
        let sealed = try seal(plaintext)
        try check(try open(sealed) == plaintext, "the plaintext does not come back.")
        let isSealing = operation == .seal
        return PreparedBenchmark(
          bytesIn: isSealing ? size : sealed.count, bytesOut: isSealing ? sealed.count : size
        ) { iterations in
          for _ in 0..<iterations {
            if isSealing { consume(try seal(plaintext)) } else { consume(try open(sealed)) }
          }
        }
      }
    }
  }

  /// A saved state as an app with CryptoKit has it: JSON, one box, one atomic write.
  ///
  /// The file is replaced as a whole, but nothing waits for the disk.
  final class PlatformCryptoState {
    private let directory: ScratchDirectory
    private let url: URL
    private let state: LogRecords
    private let key = SymmetricKey(size: .bits256)

    init() throws {
      directory = try ScratchDirectory()
      url = URL(filePath: directory.file("state"))
      state = try HomeMadeState.records()
    }

    func save() throws {
      let plain = try JSONEncoder().encode(state)
      try ChaChaPoly.seal(plain, using: key).combined.write(to: url, options: .atomic)
    }

    func load() throws -> LogRecords {
      let box = try ChaChaPoly.SealedBox(combined: Data(contentsOf: url))
      return try JSONDecoder().decode(LogRecords.self, from: ChaChaPoly.open(box, using: key))
    }

    /// Saving and loading the state of `store`, whose records are about 8 KiB.
    @MainActor static func benchmarks(size: Int, variant: String) -> [Benchmark] {
      func identity(_ operation: BenchmarkIdentity.Operation) -> BenchmarkIdentity {
        BenchmarkIdentity(.store, .state, operation, .swiftCrypto, variant: variant, size: size)
      }
      return [
        Benchmark(identity(.save), remark: "JSON, ChaChaPoly, .atomic: a power cut undoes it") {
          let state = try PlatformCryptoState()
          return PreparedBenchmark { iterations in
            for _ in 0..<iterations { try state.save() }
          }
        },
        Benchmark(identity(.load)) {
          let state = try PlatformCryptoState()
          try state.save()
          try check(try state.load() == HomeMadeState.records(), "the state is another one.")
          return PreparedBenchmark { iterations in
            for _ in 0..<iterations { consume(try state.load()) }
          }
        },
      ]
    }
  }
#endif
