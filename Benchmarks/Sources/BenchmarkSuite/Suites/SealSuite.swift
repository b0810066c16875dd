import BenchmarkHarness
import CPeers
import Foundation
import KeepsakeSeal

/// Bytes that are sealed and opened in memory, compared with libsodium alone and with a copy.
///
/// Benchmarks that use all cores are measured a second time in a process that is bound to one core.
@MainActor
enum SealSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [64 << 10]
      case .standard: [4 << 10, 64 << 10, 1 << 20, 64 << 20]
      case .full, .scale: [4 << 10, 64 << 10, 1 << 20, 64 << 20, 256 << 20, 1 << 30]
      }
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let threads = cores == 1 ? [1] : [1, cores]
    return threads.flatMap { threads in
      sizes.flatMap { size in
        let again = size < 1 << 20 ? [] : sealingAgain(size, threads) + openingAgain(size, threads)
        let all = sealing(size, threads) + opening(size, threads) + again
        return (all + boxes(size, threads)).map { benchmark in
          var benchmark = benchmark
          benchmark.isBoundToOneCore = threads == 1 && extent != .quick
          benchmark.measuresMemory = size == 64 << 20 && threads > 1
          return benchmark
        }
      }
    }
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, _ size: Int, _ threads: Int,
    again: Bool = false
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(
      .seal, .blob, operation, subject, variant: again ? "same memory" : nil, size: size,
      threads: threads)
  }

  private static func sealing(_ size: Int, _ threads: Int) -> [Benchmark] {
    [
      Benchmark(identity(.seal, .keepsake, size, threads)) {
        let plaintext = NamedBlob.noise(size)
        let key = try SealKey.generate()
        let sealed = try SealedFile.seal(plaintext.span, for: [.key(key)])
        return PreparedBenchmark(bytesIn: size, bytesOut: sealed.count) { iterations in
          for _ in 0..<iterations { consume(try SealedFile.seal(plaintext.span, for: [.key(key)])) }
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
        let sealed = try SealedFile.seal(plaintext.span, for: [.key(key)])
        try check(
          try SealedFile.open(bytes: sealed, with: [.key(key)]).read() == plaintext,
          "the plaintext does not come back.")
        return PreparedBenchmark(bytesIn: sealed.count, bytesOut: size) { iterations in
          for _ in 0..<iterations {
            consume(try SealedFile.open(bytes: sealed, with: [.key(key)]).read())
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

  /// Seals into existing memory, for a program that seals repeatedly.
  private static func sealingAgain(_ size: Int, _ threads: Int) -> [Benchmark] {
    [
      Benchmark(identity(.seal, .keepsake, size, threads, again: true)) {
        let plaintext = NamedBlob.noise(size)
        let key = try SealKey.generate()
        let memory = ReusedMemory(SealedFile.sealedLength(ofPlaintext: size, recipientCount: 1))
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations {
            try memory.fill { output throws(SealError) in
              try SealedFile.seal(plaintext.span, into: &output, for: [.key(key)])
            }
          }
          consume(memory)
        }
      },
      Benchmark(identity(.seal, .libsodium, size, threads, again: true), remark: "the limit") {
        let sodium = try SodiumChunks(threads: threads)
        let plaintext = NamedBlob.noise(size)
        let memory = ReusedMemory(SodiumChunks.sealedSize(size))
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations { sodium.seal(plaintext, into: memory) }
          consume(memory)
        }
      },
    ]
  }

  private static func openingAgain(_ size: Int, _ threads: Int) -> [Benchmark] {
    [
      Benchmark(identity(.unseal, .keepsake, size, threads, again: true)) {
        let plaintext = NamedBlob.noise(size)
        let key = try SealKey.generate()
        let sealed = try SealedFile.seal(plaintext.span, for: [.key(key)])
        let memory = ReusedMemory(size)
        return PreparedBenchmark(bytesIn: sealed.count) { iterations in
          for _ in 0..<iterations {
            let file = try SealedFile.open(bytes: sealed, with: [.key(key)])
            try memory.fill { output throws(SealError) in
              try file.read(0..<size, into: &output)
            }
          }
          consume(memory)
        }
      },
      Benchmark(identity(.unseal, .libsodium, size, threads, again: true), remark: "the limit") {
        let sodium = try SodiumChunks(threads: threads)
        let sealed = sodium.seal(NamedBlob.noise(size))
        let memory = ReusedMemory(size)
        return PreparedBenchmark(bytesIn: sealed.count) { iterations in
          for _ in 0..<iterations { try sodium.open(sealed, size, into: memory) }
          consume(memory)
        }
      },
    ]
  }

  /// Rivals of `--peers all`: libraries that seal the whole content on one thread.
  private static func boxes(_ size: Int, _ threads: Int) -> [Benchmark] {
    #if SwiftCrypto
      return threads > 1
        ? []
        : PlatformCrypto.benchmarks(.seal, size, threads: threads)
          + PlatformCrypto.benchmarks(.unseal, size, threads: threads)
    #else
      return []
    #endif
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
