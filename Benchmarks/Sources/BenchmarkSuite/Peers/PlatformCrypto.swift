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
#endif
