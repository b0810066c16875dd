import BenchmarkHarness
import CPeers
import Foundation
import KeepsakeSeal

/// Bytes from memory to memory, sealed and opened again, beside libsodium alone and a copy.
///
/// What uses all cores is measured a second time in a process that is bound to one of them.
@MainActor
enum SealSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [64 << 10]
      case .standard: [4 << 10, 64 << 10, 1 << 20, 64 << 20]
      case .full: [4 << 10, 64 << 10, 1 << 20, 64 << 20, 256 << 20, 1 << 30]
      }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let threads = cores == 1 ? [1] : [1, cores]
    return threads.flatMap { threads in
      sizes.flatMap { size in
        (sealing(size, threads) + opening(size, threads)).map { benchmark in
          var benchmark = benchmark
          benchmark.isBoundToOneCore = threads == 1 && extent != .quick
          benchmark.measuresMemory = size == 64 << 20 && threads > 1
          return benchmark
        }
      }
    }
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, _ size: Int, _ threads: Int
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.seal, .blob, operation, subject, size: size, threads: threads)
  }

  private static func sealing(_ size: Int, _ threads: Int) -> [Benchmark] {
    [
      Benchmark(identity(.seal, .keepsake, size, threads)) {
        let plaintext = NamedBlob.noise(size)
        let key = try SealKey.generate()
        let sealed = try SealedFile.seal(plaintext.span, keys: [key])
        return PreparedBenchmark(bytesIn: size, bytesOut: sealed.count) { iterations in
          for _ in 0..<iterations { consume(try SealedFile.seal(plaintext.span, keys: [key])) }
        }
      },
      Benchmark(identity(.seal, .libsodium, size, threads), remark: "the limit; from C") {
        let sodium = try SodiumChunks(threads: threads)
        let plaintext = NamedBlob.noise(size)
        return PreparedBenchmark(
          bytesIn: size, bytesOut: SodiumChunks.sealedSize(size)
        ) { iterations in
          for _ in 0..<iterations { consume(sodium.seal(plaintext)) }
        }
      },
      copying(.seal, size, threads),
    ]
  }

  private static func opening(_ size: Int, _ threads: Int) -> [Benchmark] {
    [
      Benchmark(identity(.unseal, .keepsake, size, threads)) {
        let plaintext = NamedBlob.noise(size)
        let key = try SealKey.generate()
        let sealed = try SealedFile.seal(plaintext.span, keys: [key])
        try check(
          try OpenedSealedFile(bytes: sealed, keys: [key]).read() == plaintext,
          "the plaintext does not come back.")
        return PreparedBenchmark(bytesIn: sealed.count, bytesOut: size) { iterations in
          for _ in 0..<iterations {
            consume(try OpenedSealedFile(bytes: sealed, keys: [key]).read())
          }
        }
      },
      Benchmark(identity(.unseal, .libsodium, size, threads), remark: "the limit; from C") {
        let sodium = try SodiumChunks(threads: threads)
        let plaintext = NamedBlob.noise(size)
        let sealed = sodium.seal(plaintext)
        try check(try sodium.open(sealed, size) == plaintext, "the plaintext does not come back.")
        return PreparedBenchmark(bytesIn: sealed.count, bytesOut: size) { iterations in
          for _ in 0..<iterations { consume(try sodium.open(sealed, size)) }
        }
      },
      copying(.unseal, size, threads),
    ]
  }

  private static func copying(
    _ operation: BenchmarkIdentity.Operation, _ size: Int, _ threads: Int
  ) -> Benchmark {
    Benchmark(identity(operation, .memcpy, size, threads), remark: "one thread, no secrecy") {
      let plaintext = NamedBlob.noise(size)
      return PreparedBenchmark(bytesIn: size, bytesOut: size) { iterations in
        for _ in 0..<iterations { consume(copy(of: plaintext)) }
      }
    }
  }
}
