import BenchmarkHarness
import CSodiumPeer
import Foundation

/// A saved state as apps write it by hand today: JSON, one call of libsodium, one atomic write.
///
/// The file is replaced as a whole, but not synchronised: an acknowledged save can be lost.
final class HomeMadeState {
  private let directory: ScratchDirectory
  private let url: URL
  private let state: LogRecords
  private let key = [UInt8](repeating: 7, count: 32)

  init() throws {
    try check(sodium_init() >= 0, "libsodium does not start.")
    directory = try ScratchDirectory()
    url = URL(filePath: directory.file("state"))
    state = try Self.records()
  }

  /// Records whose archive has about 8 KiB.
  static func records() throws -> LogRecords {
    LogRecords(logs: Array(try LogWorkload.make().logs.prefix(50)))
  }

  func save() throws {
    let plain = Array(try JSONEncoder().encode(state))
    var nonce = [UInt8](repeating: 0, count: 24)
    unsafe randombytes_buf(&nonce, nonce.count)
    var sealed = [UInt8](repeating: 0, count: plain.count + 16)
    _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, nil, plain, UInt64(plain.count), nil, 0, nil, nonce, key)
    try Data(nonce + sealed).write(to: url, options: .atomic)
  }

  func load() throws -> LogRecords {
    let bytes = Array(try Data(contentsOf: url))
    try check(bytes.count > 40, "the file is too short.")
    var plain = [UInt8](repeating: 0, count: bytes.count - 40)
    let result = unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
      &plain, nil, nil, Array(bytes[24...]), UInt64(bytes.count - 24), nil, 0,
      Array(bytes[..<24]), key)
    try check(result == 0, "the file is damaged.")
    return try JSONDecoder().decode(LogRecords.self, from: Data(plain))
  }
}
