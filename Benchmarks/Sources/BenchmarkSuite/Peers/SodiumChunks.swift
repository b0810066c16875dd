import BenchmarkHarness
import CPeers

/// libsodium's XChaCha20-Poly1305 over chunks of 64 KiB, called from C, into memory obtained as
/// Keepsake obtains its own.
struct SodiumChunks {
  private let key = [UInt8](repeating: 7, count: 32)
  private let threads: Int32

  init(threads: Int) throws {
    try check(keepsake_peer_start() != 0, "libsodium does not start.")
    self.threads = Int32(threads)
  }

  static func sealedSize(_ size: Int) -> Int { keepsake_peer_sealed_size(size) }

  func seal(_ plaintext: [UInt8]) -> [UInt8] {
    let size = Self.sealedSize(plaintext.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
      unsafe keepsake_peer_seal(target.baseAddress, plaintext, plaintext.count, key, threads)
      count = size
    }
  }

  func seal(_ plaintext: [UInt8], into memory: ReusedMemory) {
    unsafe memory.withPointer { target in
      unsafe keepsake_peer_seal(target, plaintext, plaintext.count, key, threads)
    }
  }

  func open(_ sealed: [UInt8], _ size: Int, into memory: ReusedMemory) throws {
    let verified = unsafe memory.withPointer { target in
      unsafe keepsake_peer_open(target, sealed, size, key, threads) != 0
    }
    try check(verified, "libsodium does not open what it sealed.")
  }

  /// Opens bytes that `seal` made; every tag must verify.
  func open(_ sealed: [UInt8], _ size: Int) throws -> [UInt8] {
    var verified = false
    let plaintext = unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
      verified = unsafe keepsake_peer_open(target.baseAddress, sealed, size, key, threads) != 0
      count = size
    }
    try check(verified, "libsodium does not open what it sealed.")
    return plaintext
  }
}
