import CSodiumPeer

/// Hashes by which a workload is known to be the published one.
enum Digest {
  /// SHA-256 in lower-case hexadecimal digits.
  static func sha256(_ bytes: [UInt8]) -> String {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    _ = unsafe crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
