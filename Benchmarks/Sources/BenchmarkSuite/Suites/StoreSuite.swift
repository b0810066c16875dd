import BenchmarkHarness
import CPeers
import CSodiumPeer
import Foundation
import Keepsake

/// The state of an app on disk: saved so that a power cut cannot undo it, and loaded at launch.
@MainActor
enum StoreSuite {
  static func benchmarks(_ extent: Options.Extent) -> [Benchmark] {
    let sizes =
      switch extent {
      case .quick: [8 << 10]
      case .standard: [8 << 10, 80 << 10, 800 << 10]
      case .full, .scale: [8 << 10, 80 << 10, 800 << 10, 8000 << 10]
      }
    return sizes.flatMap { size in
      let all = saving(size) + loading(size)
      return size == 8 << 10 ? all : all.withoutMemory
    } + homeMade(size: 8 << 10) + platformCrypto(size: 8 << 10) + database(size: 8 << 10)
  }

  /// Rivals of `--peers all`: databases, in which a part can be changed alone.
  private static func database(size: Int) -> [Benchmark] {
    #if Peers
      let variant = "with encoding"
      return Database.state(size: size, variant: variant)
        + SQLCipherState.benchmarks(size: size, variant: variant)
    #else
      return []
    #endif
  }

  /// CryptoKit's successor on Linux, with `--peers all`.
  private static func platformCrypto(size: Int) -> [Benchmark] {
    #if SwiftCrypto
      return PlatformCryptoState.benchmarks(size: size, variant: "with encoding")
    #else
      return []
    #endif
  }

  private static func identity(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, _ size: Int,
    variant: String? = nil
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.store, .state, operation, subject, variant: variant, size: size)
  }

  private static func saving(_ size: Int) -> [Benchmark] {
    [
      Benchmark(identity(.save, .keepsake, size), remark: "sealed and durable") {
        let state = NamedBlob.noise(size)
        let store = try ScratchStore()
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations { try await store.store.save(state, previous: .replace) }
        }
      },
      Benchmark(identity(.save, .keepsake, size, variant: "file"), remark: "SealedFile alone") {
        let state = NamedBlob.noise(size)
        let directory = try ScratchDirectory()
        let path = directory.file("state")
        let key = try SealKey.generate()
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations { try SealedFile.seal(state.span, to: path, for: [.key(key)]) }
          consume(directory)
        }
      },
      Benchmark(
        identity(.save, .systemCalls, size), remark: "the limit: the same calls, nothing sealed"
      ) {
        let state = NamedBlob.noise(size)
        let directory = try ScratchDirectory()
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations {
            try check(
              unsafe keepsake_peer_replace_durably(directory.path, "state", state, size) != 0,
              "a system call failed.")
          }
        }
      },
    ]
  }

  private static func loading(_ size: Int) -> [Benchmark] {
    [
      Benchmark(identity(.load, .keepsake, size)) {
        let state = NamedBlob.noise(size)
        let store = try ScratchStore()
        try await store.store.save(state, previous: .replace)
        guard case .archive(state, failedLaunchCount: 0) = try await store.store.load() else {
          throw CheckFailure(description: "the state that was loaded is another one.")
        }
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations { consume(try await store.store.load()) }
        }
      },
      Benchmark(identity(.load, .systemCalls, size), remark: "the limit: a plain file") {
        let state = NamedBlob.noise(size)
        let directory = try ScratchDirectory()
        let path = directory.file("state")
        try Data(state).write(to: URL(filePath: path))
        return PreparedBenchmark(bytesIn: size) { iterations in
          for _ in 0..<iterations {
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
              count = max(0, Int(unsafe keepsake_peer_read(path, target.baseAddress, size)))
            }
            try check(bytes.count == size, "the file has another size.")
            consume(bytes)
          }
          consume(directory)
        }
      },
    ]
  }

  /// Code as apps write it by hand today: JSON, one call of libsodium, and `Data.write` with `.atomic`.
  private static func homeMade(size: Int) -> [Benchmark] {
    let variant = "with encoding"
    return [
      Benchmark(
        identity(.save, .keepsake, size, variant: variant),
        remark: "encoded, sealed and durable"
      ) {
        let records = try HomeMadeState.records()
        let store = try ScratchStore()
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations {
            try await store.store.save(records.archive(), previous: .replace)
          }
        }
      },
      Benchmark(
        identity(.save, .json, size, variant: variant),
        remark: "JSON, libsodium, .atomic: a power cut undoes it"
      ) {
        let state = try HomeMadeState()
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations { try state.save() }
        }
      },
      Benchmark(identity(.load, .keepsake, size, variant: variant)) {
        let records = try HomeMadeState.records()
        let store = try ScratchStore()
        try await store.store.save(records.archive(), previous: .replace)
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations {
            guard case .archive(let bytes, _) = try await store.store.load() else {
              throw CheckFailure(description: "there is no state.")
            }
            consume(try LogRecords(unarchiving: bytes))
          }
        }
      },
      Benchmark(identity(.load, .json, size, variant: variant)) {
        let state = try HomeMadeState()
        try state.save()
        try check(try state.load() == HomeMadeState.records(), "the state is another one.")
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations { consume(try state.load()) }
        }
      },
    ]
  }
}
