#if Peers
  import BenchmarkHarness
  import CPeers
  import Foundation

  /// A saved state in an encrypted database of one row, in the version of SQLCipher that the system has.
  @safe
  final class SQLCipherState {
    /// The most bytes that a state may have here.
    private static let largestState = 1 << 20

    private let directory: ScratchDirectory
    private let peer: OpaquePointer
    private let state: LogRecords

    init() throws {
      directory = try ScratchDirectory()
      state = try HomeMadeState.records()
      guard let peer = unsafe keepsake_peer_sqlcipher_open(directory.file("state")) else {
        throw CheckFailure(description: "SQLCipher makes no database.")
      }
      unsafe self.peer = peer
    }

    deinit { unsafe keepsake_peer_sqlcipher_close(peer) }

    /// The version of SQLCipher, such as 3.4.1.
    var version: String {
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64) { target, count in
        let isFound = unsafe target.withMemoryRebound(to: CChar.self) { text in
          unsafe keepsake_peer_sqlcipher_version(peer, text.baseAddress, text.count) != 0
        }
        count = isFound ? unsafe target.firstIndex(of: 0) ?? 0 : 0
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    func save() throws {
      let plain = Array(try JSONEncoder().encode(state))
      try check(
        unsafe keepsake_peer_sqlcipher_save(peer, plain, plain.count) != 0,
        "SQLCipher saves nothing.")
    }

    func load() throws -> LogRecords {
      let plain = unsafe [UInt8](unsafeUninitializedCapacity: Self.largestState) { target, count in
        count = max(
          0, Int(unsafe keepsake_peer_sqlcipher_load(peer, target.baseAddress, target.count)))
      }
      return try JSONDecoder().decode(LogRecords.self, from: Data(plain))
    }
  }

  extension SQLCipherState {
    /// Saving and loading the state of `store`, whose records have about 8 KiB; empty where SQLCipher is not installed.
    @MainActor static func benchmarks(size: Int, variant: String) -> [Benchmark] {
      guard keepsake_peer_has_sqlcipher() != 0, let version = try? SQLCipherState().version else {
        return []
      }
      func identity(_ operation: BenchmarkIdentity.Operation) -> BenchmarkIdentity {
        BenchmarkIdentity(.store, .state, operation, .sqlcipher, variant: variant, size: size)
      }
      return [
        Benchmark(
          identity(.save), remark: "SQLCipher \(version): JSON in a row, durable and encrypted"
        ) {
          let state = try SQLCipherState()
          return PreparedBenchmark { iterations in
            for _ in 0..<iterations { try state.save() }
          }
        },
        Benchmark(identity(.load), remark: "SQLCipher \(version): opened before") {
          let state = try SQLCipherState()
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
