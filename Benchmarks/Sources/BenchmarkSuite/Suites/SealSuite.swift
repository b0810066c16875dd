import CSodiumPeer
import KeepsakeSeal

extension Suite {
  /// 64 MiB from memory to memory, beside the two floors: a copy, and libsodium alone.
  static let seal = Suite(name: "seal") {
    guard sodium_init() >= 0 else { throw CheckFailure(description: "libsodium does not start.") }
    let byteCount = 64 << 20
    let plaintext = filled(byteCount)
    var sodium = SodiumChunks(plaintext: plaintext)
    sodium.sealAll()
    try check(sodium.openAll(), "libsodium does not open what it sealed.")
    try check(sodium.opened == plaintext, "libsodium does not bring the plaintext back.")
    let key = try SealKey.generate()
    let sealed = try SealedFile.seal(plaintext.span, keys: [key])
    try check(
      try OpenedSealedFile(bytes: sealed, keys: [key]).read() == plaintext,
      "Keepsake does not bring the plaintext back.")
    var copy = [UInt8](repeating: 0, count: byteCount)
    return [
      Benchmark(name: "seal/seal 64 MiB/memcpy", byteCount: byteCount) { iterations in
        for _ in 0..<iterations {
          unsafe copy.withUnsafeMutableBytes { target in
            unsafe plaintext.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
          }
          consume(copy)
        }
      },
      Benchmark(name: "seal/seal 64 MiB/libsodium", byteCount: byteCount) { iterations in
        for _ in 0..<iterations {
          sodium.sealAll()
          consume(sodium.ciphertext)
        }
      },
      Benchmark(
        name: "seal/seal 64 MiB/Keepsake", byteCount: byteCount, outputByteCount: sealed.count
      ) { iterations in
        for _ in 0..<iterations { consume(try SealedFile.seal(plaintext.span, keys: [key])) }
      },
      Benchmark(name: "seal/open 64 MiB/libsodium", byteCount: byteCount) { iterations in
        for _ in 0..<iterations {
          consume(sodium.openAll())
          consume(sodium.opened)
        }
      },
      Benchmark(name: "seal/open 64 MiB/Keepsake", byteCount: byteCount) { iterations in
        for _ in 0..<iterations {
          consume(try OpenedSealedFile(bytes: sealed, keys: [key]).read())
        }
      },
    ]
  }

  private static func filled(_ count: Int) -> [UInt8] {
    var random = PermutedCongruentialGenerator(state: 1, stream: 1)
    return (0..<count).map { _ in random.nextUInt8() }
  }
}
